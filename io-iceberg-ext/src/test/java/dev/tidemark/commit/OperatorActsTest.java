package dev.tidemark.commit;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.junit.Assert.assertThrows;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** The record of what operators did. */
@RunWith(JUnit4.class)
public final class OperatorActsTest {
  private static final TidemarkKeys KEYS = TidemarkKeys.main();
  private static final Instant AT = Instant.parse("2026-01-02T03:04:05.678Z");
  private static final OperatorAct RESET =
      OperatorAct.of(
          "reset", AT, "ana", "the \"source\" was down", "watermark none", "watermark x");

  private static Map<String, String> append(Map<String, String> properties, OperatorAct act) {
    PropertyChange.Builder change = PropertyChange.builder();
    OperatorActs.append(act, properties, KEYS, change);
    Map<String, String> after = new HashMap<>(properties);
    after.putAll(change.build().sets());
    after.keySet().removeAll(change.build().removals());
    return after;
  }

  @Test
  public void textIsVersioned() {
    String golden =
        "1;o1:[{\"at\":\"2026-01-02T03:04:05.678Z\",\"by\":\"ana\",\"verb\":\"reset\","
            + "\"reason\":\"the \\\"source\\\" was down\",\"before\":\"watermark none\","
            + "\"after\":\"watermark x\"}]";

    Map<String, String> properties = append(Map.of(), RESET);

    assertThat(properties, is(Map.of("tidemark.operations", golden)));
    assertThat(OperatorActs.read(properties, KEYS), contains(RESET));
  }

  @Test
  public void whatWasNotThereIsLeftOut() {
    OperatorAct pause = OperatorAct.of("pause", AT, "ana", "audit", null, null);

    Map<String, String> properties = append(append(Map.of(), RESET), pause);

    assertThat(OperatorActs.read(properties, KEYS), contains(RESET, pause));
  }

  @Test
  public void newestActsAreKept() {
    Map<String, String> properties = Map.of();
    for (int i = 0; i < 40; i++) {
      properties = append(properties, OperatorAct.of("pause", AT, "ana", "no " + i, null, null));
    }

    List<OperatorAct> acts = OperatorActs.read(properties, KEYS);

    assertThat(acts, hasSize(32));
    assertThat(acts.get(0).reason(), is("no 8"));
    assertThat(acts.get(31).reason(), is("no 39"));
  }

  /** Quotes take two characters each in the record, so fewer than 32 of these acts fit. */
  @Test
  public void longActsPushOutOldOnes() {
    Map<String, String> properties = Map.of();
    String longest = "\"".repeat(400);
    for (int i = 0; i < 40; i++) {
      OperatorAct act = OperatorAct.of("pause", AT, "no" + i, longest, longest, longest);
      properties = append(properties, act);
    }

    List<OperatorAct> acts = OperatorActs.read(properties, KEYS);

    // 4 chunks of 3,892 characters, 2,400 for the quotes of each act.
    assertThat(acts, hasSize(6));
    assertThat(acts.get(5).by(), is("no39"));
    properties.values().forEach(value -> assertThat(value.length(), lessThanOrEqualTo(3_900)));
  }

  @Test
  public void damagedRecordIsBegunAnewAndSaysSo() {
    for (String damaged : List.of("1;o1:[", "1;o2:[]", "x", "1;o1:[{\"at\":\"yesterday\"}]")) {
      Map<String, String> properties = Map.of("tidemark.operations", damaged);
      assertThrows(IllegalArgumentException.class, () -> OperatorActs.read(properties, KEYS));

      List<OperatorAct> acts = OperatorActs.read(append(properties, RESET), KEYS);

      assertThat(acts, hasSize(1));
      assertThat(acts.get(0).before(), containsString("could not be read"));
    }
  }

  @Test
  public void somebodyHasToGiveAReasonOnOneLine() {
    for (String reason : List.of("", "  ", "a\nb", "x".repeat(401))) {
      assertThrows(
          reason,
          IllegalArgumentException.class,
          () -> OperatorAct.of("pause", AT, "ana", reason, null, null));
    }
    assertThrows(
        IllegalArgumentException.class, () -> OperatorAct.of("pause", AT, "", "r", null, null));
    assertThrows(
        IllegalArgumentException.class,
        () -> OperatorAct.of("pause", AT, "x".repeat(65), "r", null, null));
  }
}
