package dev.tidemark.finalization;

import static dev.tidemark.finalization.FinalizationTestUtils.lookback;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.junit.Assert.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Map;
import java.util.Random;
import org.joda.time.Duration;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class PolicyParserTest {

  private static final Map<String, FinalizationPolicy> CANONICAL =
      Map.of(
          "minOfMins(6, PT30M)",
          Policies.minOfMins(),
          "minOfMins(10, PT2H, 3)",
          Policies.minOfMins(lookback(10, 7_200_000).withMinCommits(3)),
          "percentile(0.01, 6, PT30M)",
          Policies.percentile(0.01, Lookback.standard()),
          "percentile(0.0001, 6, PT0S)",
          Policies.percentile(1e-4, lookback(6, 0)),
          "lateBudget(100, 6, PT30M)",
          Policies.lateBudget(100, Lookback.standard()),
          "lateBudgetFraction(0.001, 6, PT1.5S)",
          Policies.lateBudgetFraction(0.001, lookback(6, 1_500)),
          "inputWatermark(PT5M)",
          Policies.inputWatermark(Duration.standardMinutes(5)),
          "allOf(minOfMins(6, PT30M), inputWatermark(PT0S))",
          Policies.allOf(Policies.minOfMins(), Policies.inputWatermark(Duration.ZERO)));

  @Test
  public void descriptionsAreCanonical() {
    CANONICAL.forEach((text, policy) -> assertThat(policy.describe(), is(text)));
  }

  @Test
  public void descriptionsReadBack() {
    CANONICAL.forEach((text, policy) -> assertThat(Policies.parse(text), is(policy)));
  }

  @Test
  public void anyPolicyReadsBack() {
    Random random = new Random(8);
    for (int i = 0; i < 2_000; i++) {
      FinalizationPolicy policy = randomPolicy(random, 3);

      assertThat(Policies.parse(policy.describe()), is(policy));
      assertThat(Policies.parse(policy.describe()).describe(), is(policy.describe()));
    }
  }

  @Test
  public void lookbackMayBeLeftOut() {
    assertThat(Policies.parse("minOfMins()"), is(Policies.minOfMins()));
    assertThat(
        Policies.parse("percentile( 0.05 )"), is(Policies.percentile(0.05, Lookback.standard())));
    assertThat(
        Policies.parse(" allOf(minOfMins(),lateBudget(3)) "),
        is(Policies.allOf(Policies.minOfMins(), Policies.lateBudget(3, Lookback.standard()))));
  }

  @Test
  public void lookbackThatIsLeftOutCanBeGiven() {
    Lookback given = lookback(12, 3_600_000);

    assertThat(
        Policies.parse("allOf(minOfMins(), lateBudget(3, 2, PT0S))", given),
        is(Policies.allOf(Policies.minOfMins(given), Policies.lateBudget(3, lookback(2, 0)))));
  }

  @Test
  public void anythingElseIsRefusedWithTheKnownForms() {
    String[] refused = {
      "",
      "minOfMins",
      "minOfMins(",
      "minOfMins)",
      "minOfMins(6)",
      "minOfMins(6, PT30M, 3, 4)",
      "minOfMins(6, PT30M) x",
      "minOfMins(six, PT30M)",
      "minOfMins(6, 30 minutes)",
      "minOfMins(99999999999, PT30M)",
      "minOfMins(6, PT99999999999999999H)",
      "minOfMins(6, PT30M,)",
      "percentile()",
      "percentile(0.5f.)",
      "percentile(NaN)",
      "percentile(minOfMins())",
      "lateBudget(1.5)",
      "inputWatermark()",
      "inputWatermark(PT5M, PT6M)",
      "allOf()",
      "allOf(6)",
      "behindTheNewest()",
      "allOf(".repeat(500) + ")".repeat(500),
      "minOfMins(" + " ".repeat(5_000) + ")"
    };
    for (String text : refused) {
      IllegalArgumentException e =
          assertThrows(text, IllegalArgumentException.class, () -> Policies.parse(text));
      assertThat(e.getMessage(), containsString("Use minOfMins(commits, duration)"));
      assertThat(e.getMessage().length(), is(lessThan(800)));
    }
  }

  @Test
  public void policiesSerialize() throws Exception {
    for (FinalizationPolicy policy : CANONICAL.values()) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(policy);
      }
      try (ObjectInputStream in =
          new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
        assertThat(in.readObject(), is(policy));
      }
    }
  }

  private static FinalizationPolicy randomPolicy(Random random, int depth) {
    int commits = 1 + random.nextInt(256);
    Lookback lookback =
        lookback(commits, random.nextInt(2_000_000_000))
            .withMinCommits(1 + random.nextInt(commits));
    return switch (random.nextInt(depth > 0 ? 6 : 5)) {
      case 0 -> Policies.minOfMins(lookback);
      case 1 -> Policies.percentile(Math.max(random.nextDouble(), 1e-9), lookback);
      case 2 -> Policies.lateBudget(random.nextLong() >>> 1, lookback);
      case 3 -> Policies.lateBudgetFraction(Math.max(random.nextDouble(), 1e-9), lookback);
      case 4 -> Policies.inputWatermark(Duration.millis(random.nextInt(2_000_000_000)));
      default -> Policies.allOf(randomPolicy(random, depth - 1), randomPolicy(random, depth - 1));
    };
  }
}
