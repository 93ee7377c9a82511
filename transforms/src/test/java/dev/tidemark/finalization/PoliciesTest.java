package dev.tidemark.finalization;

import static dev.tidemark.finalization.FinalizationTestUtils.DAY;
import static dev.tidemark.finalization.FinalizationTestUtils.HOUR;
import static dev.tidemark.finalization.FinalizationTestUtils.MINUTE;
import static dev.tidemark.finalization.FinalizationTestUtils.T0;
import static dev.tidemark.finalization.FinalizationTestUtils.decide;
import static dev.tidemark.finalization.FinalizationTestUtils.facts;
import static dev.tidemark.finalization.FinalizationTestUtils.lookback;
import static dev.tidemark.finalization.FinalizationTestUtils.stats;
import static dev.tidemark.finalization.FinalizationTestUtils.window;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.junit.Assert.assertThrows;

import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.joda.time.Duration;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class PoliciesTest {

  private static final Lookback THREE = lookback(3, 0);

  @Test
  public void minOfMinsTakesTheSmallestOfTheLookback() {
    WriterWindow window =
        WriterWindow.empty("eu")
            .add(facts("eu", 1, T0, T0 - 9 * HOUR))
            .add(facts("eu", 2, T0 + MINUTE, T0 - 3 * HOUR, T0))
            .add(facts("eu", 3, T0 + 2 * MINUTE, T0 - HOUR))
            .add(facts("eu", 4, T0 + 3 * MINUTE, T0));

    Decision decision = decide(Policies.minOfMins(THREE), window, T0 + HOUR);

    assertThat(decision.candidateMillis(), is(T0 - 3 * HOUR));
    assertThat(decision.widthMillis(), is(1L));
  }

  @Test
  public void attestationsMatterToPoliciesOfTheInputWatermarkOnly() {
    FinalizationPolicy inputWatermark = Policies.inputWatermark(Duration.standardMinutes(5));

    assertThat(Policies.minOfMins().needsAttestation(), is(false));
    assertThat(Policies.percentile(0.01, THREE).needsAttestation(), is(false));
    assertThat(Policies.lateBudget(5, THREE).needsAttestation(), is(false));
    assertThat(Policies.lateBudgetFraction(0.01, THREE).needsAttestation(), is(false));
    assertThat(inputWatermark.needsAttestation(), is(true));
    assertThat(
        Policies.allOf(Policies.minOfMins(), Policies.percentile(0.01, THREE)).needsAttestation(),
        is(false));
    assertThat(Policies.allOf(Policies.minOfMins(), inputWatermark).needsAttestation(), is(true));
  }

  @Test
  public void policyOfOnesOwnIsTakenToNeedAttestations() {
    FinalizationPolicy own =
        new FinalizationPolicy() {
          @Override
          public Decision decide(WriterEvidence evidence) {
            return Decision.candidate(T0, "always");
          }

          @Override
          public String describe() {
            return "own()";
          }

          @Override
          public Lookback lookback() {
            return THREE;
          }
        };

    assertThat(own.needsAttestation(), is(true));
  }

  @Test
  public void lookbackReachesAtLeastTheDuration() {
    WriterWindow window =
        WriterWindow.empty("eu")
            .add(facts("eu", 1, T0 - 30 * MINUTE, T0 - 9 * HOUR))
            .add(facts("eu", 2, T0, T0 - HOUR));

    assertThat(
        decide(Policies.minOfMins(lookback(1, 30 * MINUTE)), window, T0).candidateMillis(),
        is(T0 - 9 * HOUR));
    assertThat(
        decide(Policies.minOfMins(lookback(1, 0)), window, T0).candidateMillis(), is(T0 - HOUR));
    assertWaits(
        decide(Policies.minOfMins(lookback(1, 30 * MINUTE + 1)), window, T0),
        WaitCode.TOO_SHORT_HISTORY);
  }

  @Test
  public void tooFewCommitsWait() {
    WriterWindow window = window("eu", 2, HOUR, T0, T0 - MINUTE);

    assertWaits(decide(Policies.minOfMins(THREE), window, T0), WaitCode.TOO_FEW_COMMITS);
    assertWaits(
        decide(Policies.minOfMins(THREE), WriterWindow.empty("eu"), T0), WaitCode.TOO_FEW_COMMITS);
  }

  @Test
  public void lowerMinimumDecidesByFewerCommitsButNotByLessTime() {
    Lookback young = lookback(6, 30 * MINUTE).withMinCommits(2);

    assertThat(
        decide(Policies.minOfMins(young), window("eu", 2, HOUR, T0, T0 - MINUTE), T0).isWait(),
        is(false));
    assertWaits(
        decide(Policies.minOfMins(young), window("eu", 2, MINUTE, T0, T0 - MINUTE), T0),
        WaitCode.TOO_SHORT_HISTORY);
    assertWaits(
        decide(Policies.minOfMins(young), window("eu", 1, MINUTE, T0, T0 - MINUTE), T0),
        WaitCode.TOO_FEW_COMMITS);
  }

  @Test
  public void ownCommitWithoutExtremesWaitsUntilItLeavesTheLookback() {
    WriterWindow window =
        window("eu", 4, HOUR, T0, T0 - MINUTE).add(CommitFacts.unknown("eu", 50, T0 + 1, 9));

    for (FinalizationPolicy policy : allWithLookback(THREE)) {
      assertWaits(decide(policy, window, T0 + HOUR), WaitCode.MISSING_FACTS);
    }
    WriterWindow later =
        window
            .add(facts("eu", 51, T0 + 2, T0))
            .add(facts("eu", 52, T0 + 3, T0))
            .add(facts("eu", 53, T0 + 4, T0));
    for (FinalizationPolicy policy : allWithLookback(THREE)) {
      assertThat(decide(policy, later, T0 + HOUR).isWait(), is(false));
    }
  }

  @Test
  public void percentileLeavesStragglersOut() {
    long[] times = LongStream.range(0, 1000).map(i -> T0 + i * 1000).toArray();
    times[500] = T0 - 3 * DAY;
    WriterWindow window = window("eu", 3, MINUTE, T0 + HOUR, times);

    for (double fraction : new double[] {0.01, 0.02}) {
      Decision decision = decide(Policies.percentile(fraction, THREE), window, T0 + HOUR);
      assertThat(decision.candidateMillis(), is(greaterThan(T0 - 1)));
      assertThat(decision.candidateMillis(), is(lessThan(T0 + HOUR)));
    }
  }

  @Test
  public void percentileIsTheSmallestOfTheCommits() {
    WriterWindow window =
        window("eu", 3, MINUTE, T0, T0 - HOUR).add(facts("eu", 9, T0 + 1, T0 - 5 * HOUR));

    assertThat(
        decide(Policies.percentile(0.5, THREE), window, T0 + HOUR).candidateMillis(),
        is(T0 - 5 * HOUR));
  }

  @Test
  public void recordedPercentileNeedsNoSketch() {
    WriterWindow window = withoutSketches(window("eu", 3, MINUTE, T0, T0 - HOUR));

    assertThat(Policies.percentile(0.01, THREE).needsSketch(), is(false));
    assertThat(decide(Policies.percentile(0.01, THREE), window, T0).isWait(), is(false));
  }

  @Test
  public void otherPercentileWaitsWhereASketchWasDropped() {
    WriterWindow window = withoutSketches(window("eu", 3, MINUTE, T0, T0 - HOUR));

    assertThat(Policies.percentile(0.02, THREE).needsSketch(), is(true));
    assertWaits(decide(Policies.percentile(0.02, THREE), window, T0), WaitCode.MISSING_FACTS);
  }

  @Test
  public void lateBudgetIsTheLatestBoundaryWithAtMostSoManyBelow() {
    WriterWindow window =
        WriterWindow.empty("eu")
            .add(facts("eu", 1, T0, T0 - 5 * HOUR, T0 - 4 * HOUR, T0 - HOUR))
            .add(facts("eu", 2, T0 + 1, T0 - 4 * HOUR, T0 - 2 * HOUR, T0 - 1))
            .add(facts("eu", 3, T0 + 2, T0 - 1, T0 + 1));

    long[] expected = {
      T0 - 5 * HOUR,
      T0 - 4 * HOUR,
      T0 - 4 * HOUR,
      T0 - 2 * HOUR,
      T0 - HOUR,
      T0 - HOUR,
      T0 - HOUR,
      T0
    };
    for (int budget = 0; budget < expected.length; budget++) {
      assertThat(
          "budget " + budget,
          decide(Policies.lateBudget(budget, THREE), window, T0 + DAY).candidateMillis(),
          is(expected[budget]));
    }
  }

  @Test
  public void budgetThatHoldsEverythingClaimsNothingBeyondTheLastBucket() {
    WriterWindow window = window("eu", 3, MINUTE, T0, T0 - 2 * HOUR, T0 - MINUTE);

    assertThat(
        decide(Policies.lateBudget(1_000, THREE), window, T0 + DAY).candidateMillis(),
        is(T0 - HOUR));
  }

  @Test
  public void lateBudgetAgreesWithCountingOneByOne() {
    Random random = new Random(11);
    for (int round = 0; round < 300; round++) {
      WriterWindow window = WriterWindow.empty("eu");
      LongStream.Builder all = LongStream.builder();
      for (int i = 0; i < 3; i++) {
        long[] times =
            random.longs(1 + random.nextInt(50), T0 - random.nextInt(400) * HOUR - 1, T0).toArray();
        LongStream.of(times).forEach(all::add);
        window = window.add(facts("eu", i, T0 + i, times));
      }
      long[] sorted = all.build().sorted().toArray();
      int budget = random.nextInt(sorted.length);

      Decision decision = decide(Policies.lateBudget(budget, THREE), window, T0 + DAY);

      long width = decision.widthMillis();
      long boundary = decision.candidateMillis();
      assertThat(Math.floorMod(boundary, width), is(0L));
      assertThat(
          LongStream.of(sorted).filter(t -> t < boundary).count(), is(lessThan(budget + 1L)));
      long next = boundary + width;
      assertThat(
          LongStream.of(sorted).filter(t -> t < next).count(), is(greaterThan((long) budget)));
    }
  }

  @Test
  public void lateBudgetFractionIsOfAllRecords() {
    long[] times = LongStream.range(0, 1000).map(i -> T0 + i).toArray();
    times[0] = T0 - 2 * HOUR;
    times[1] = T0 - 3 * HOUR;
    WriterWindow window = window("eu", 3, MINUTE, T0 + HOUR, times);

    assertThat(
        decide(Policies.lateBudgetFraction(0.002, THREE), window, T0 + DAY).candidateMillis(),
        is(T0));
    assertThat(
        decide(Policies.lateBudgetFraction(0.0019, THREE), window, T0 + DAY).candidateMillis(),
        is(T0 - 2 * HOUR));
  }

  @Test
  public void lateBudgetUsesCountsWithoutSketchesAndWaitsWithoutCounts() {
    WriterWindow window = withoutSketches(window("eu", 3, MINUTE, T0, T0 - HOUR));

    assertThat(decide(Policies.lateBudget(0, THREE), window, T0).isWait(), is(false));
    assertWaits(
        decide(
            Policies.lateBudget(0, THREE),
            window.add(facts("eu", 60, T0 + 1, T0).withoutBuckets()),
            T0 + 1),
        WaitCode.MISSING_FACTS);
  }

  @Test
  public void widerCountsWidenTheDecision() {
    long[] spread = LongStream.range(0, 300).map(i -> T0 - i * HOUR).toArray();
    WriterWindow window =
        window("eu", 2, MINUTE, T0, T0 - MINUTE).add(facts("eu", 9, T0 + 1, spread));

    assertThat(decide(Policies.lateBudget(0, THREE), window, T0 + 1).widthMillis(), is(3 * HOUR));
    assertThat(
        decide(Policies.percentile(0.01, THREE), window, T0 + 1).widthMillis(), is(3 * HOUR));
  }

  @Test
  public void inputWatermarkIsHeldBack() {
    WriterEvidence evidence =
        WriterEvidence.of(
            WriterWindow.empty("eu"), Attestation.of(T0, T0 + MINUTE), false, T0 + MINUTE);

    assertThat(
        Policies.inputWatermark(Duration.standardMinutes(5)).decide(evidence).candidateMillis(),
        is(T0 - 5 * MINUTE));
  }

  @Test
  public void inputWatermarkAttestedLastCounts() {
    WriterWindow window =
        WriterWindow.empty("eu").add(CommitFacts.of("eu", 1, T0, stats(T0 - 1), T0 - HOUR));
    FinalizationPolicy policy = Policies.inputWatermark(Duration.ZERO);

    assertThat(decide(policy, window, T0).candidateMillis(), is(T0 - HOUR));
    assertThat(
        policy
            .decide(WriterEvidence.of(window, Attestation.of(T0 - MINUTE, T0 + 1), false, T0 + 1))
            .candidateMillis(),
        is(T0 - MINUTE));
    assertThat(
        policy
            .decide(WriterEvidence.of(window, Attestation.of(T0 - 2 * HOUR, T0 - 1), false, T0 + 1))
            .candidateMillis(),
        is(T0 - HOUR));
  }

  @Test
  public void missingUnsetAndStaleInputWatermarksWait() {
    FinalizationPolicy policy = Policies.inputWatermark(Duration.ZERO);
    WriterWindow none = WriterWindow.empty("eu");
    long beamMinimum = Long.MIN_VALUE / 1000;

    assertWaits(decide(policy, none, T0), WaitCode.NO_INPUT_WATERMARK);
    for (Long unset : new Long[] {null, Long.MIN_VALUE, beamMinimum}) {
      assertWaits(
          policy.decide(WriterEvidence.of(none, Attestation.of(unset, T0), false, T0)),
          WaitCode.NO_INPUT_WATERMARK);
    }
    assertWaits(policy.decide(WriterEvidence.of(none, null, true, T0)), WaitCode.STALE_ATTESTATION);
  }

  @Test
  public void allOfTakesTheSmallestAndWaitsForEach() {
    WriterWindow window = window("eu", 3, MINUTE, T0, T0 - HOUR);
    FinalizationPolicy both =
        Policies.allOf(
            Policies.minOfMins(THREE), Policies.inputWatermark(Duration.standardHours(2)));

    assertWaits(decide(both, window, T0), WaitCode.NO_INPUT_WATERMARK);
    assertThat(
        both.decide(WriterEvidence.of(window, Attestation.of(T0, T0), false, T0)).candidateMillis(),
        is(T0 - 2 * HOUR));
    assertThat(
        both.decide(WriterEvidence.of(window, Attestation.of(T0 + 5 * HOUR, T0), false, T0))
            .candidateMillis(),
        is(T0 - HOUR));
    assertThat(both.holdbackMillis(), is(2 * HOUR));
    assertThat(both.needsSketch(), is(false));
  }

  @Test
  public void allOfLooksBackAsFarAsItsMembers() {
    FinalizationPolicy both =
        Policies.allOf(
            Policies.minOfMins(lookback(9, MINUTE)), Policies.percentile(0.3, lookback(2, HOUR)));

    assertThat(both.lookback().commits(), is(9));
    assertThat(both.lookback().durationMillis(), is(HOUR));
    assertThat(both.needsSketch(), is(true));
  }

  @Test
  public void argumentsOutOfRangeAreRefused() {
    Lookback standard = Lookback.standard();
    List<Runnable> refused =
        List.of(
            () -> Policies.percentile(0, standard),
            () -> Policies.percentile(1, standard),
            () -> Policies.percentile(Double.NaN, standard),
            () -> Policies.lateBudget(-1, standard),
            () -> Policies.lateBudgetFraction(1.5, standard),
            () -> Policies.inputWatermark(Duration.millis(-1)),
            () -> Policies.inputWatermark(Duration.standardDays(32)),
            () -> Policies.allOf(),
            () -> Lookback.of(0, Duration.ZERO),
            () -> Lookback.of(257, Duration.ZERO),
            () -> Lookback.of(1, Duration.standardDays(32)),
            () -> standard.withMinCommits(0),
            () -> standard.withMinCommits(7));
    for (Runnable each : refused) {
      assertThrows(IllegalArgumentException.class, each::run);
    }
  }

  private static List<FinalizationPolicy> allWithLookback(Lookback lookback) {
    return List.of(
        Policies.minOfMins(lookback),
        Policies.percentile(0.01, lookback),
        Policies.percentile(0.2, lookback),
        Policies.lateBudget(3, lookback),
        Policies.lateBudgetFraction(0.1, lookback));
  }

  private static WriterWindow withoutSketches(WriterWindow window) {
    WriterWindow without = WriterWindow.empty(window.writer());
    for (CommitFacts facts : window.facts()) {
      without = without.add(facts.withoutSketch());
    }
    return without;
  }

  private static void assertWaits(Decision decision, WaitCode code) {
    assertThat(decision.isWait(), is(true));
    assertThat(decision.waitCode(), is(code));
    assertThat(decision.reason(), containsString("eu"));
    assertThrows(IllegalStateException.class, decision::candidateMillis);
  }
}
