package dev.tidemark.finalization;

import static dev.tidemark.finalization.FinalizationTestUtils.DAY;
import static dev.tidemark.finalization.FinalizationTestUtils.HOUR;
import static dev.tidemark.finalization.FinalizationTestUtils.MINUTE;
import static dev.tidemark.finalization.FinalizationTestUtils.T0;
import static dev.tidemark.finalization.FinalizationTestUtils.facts;
import static dev.tidemark.finalization.FinalizationTestUtils.lookback;
import static dev.tidemark.finalization.FinalizationTestUtils.window;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.Assert.assertThrows;

import java.util.List;
import java.util.stream.LongStream;
import org.joda.time.Duration;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class WatermarkRuleTest {

  private static final FinalizationPolicy POLICY = Policies.minOfMins(lookback(3, 0));
  private static final IdleHandling WAITING = IdleHandling.waiting();
  private static final Duration THIRTY_MINUTES = Duration.standardMinutes(30);

  @Test
  public void candidateIsRoundedDownToTheGranularity() {
    Evidence evidence = evidence(T0 + 5 * HOUR, T0 + 2 * HOUR + 47 * MINUTE);

    assertThat(next(evidence).afterMillis(), is(T0 + 2 * HOUR));
    assertThat(
        next(evidence.withGranularityMillis(15 * MINUTE)).afterMillis(),
        is(T0 + 2 * HOUR + 45 * MINUTE));
    assertThat(next(evidence.withGranularityMillis(DAY)).afterMillis(), is(T0));
  }

  @Test
  public void timesBefore1970AreRoundedDownToo() {
    assertThat(next(evidence(T0, -1)).afterMillis(), is(-HOUR));
  }

  @Test
  public void candidateOfCountsIsRoundedToTheirWidth() {
    long[] spread = LongStream.range(0, 300).map(i -> T0 + 10 * HOUR - i * HOUR).toArray();
    long now = T0 + 11 * HOUR;
    Evidence evidence =
        Evidence.at(now)
            .withRequiredWriters(List.of("eu"))
            .withWindow(window("eu", 3, MINUTE, now, spread));

    Advance advance =
        WatermarkRule.next(Policies.lateBudget(897, lookback(3, 0)), WAITING, evidence);

    assertThat(advance.afterMillis(), is(T0 + 9 * HOUR));
    assertThat(
        Math.floorMod(advance.afterMillis(), advance.perWriter().get("eu").widthMillis()), is(0L));
  }

  @Test
  public void watermarkIsCappedAtNow() {
    Evidence evidence = evidence(T0 + 30 * MINUTE, T0 + 9 * HOUR);

    Advance advance = next(evidence);

    assertThat(advance.afterMillis(), is(T0));
    assertThat(advance.reason(), containsString("capped at now"));
  }

  @Test
  public void watermarkNeverMovesBack() {
    Evidence evidence = evidence(T0 + 9 * HOUR, T0 + HOUR).withStored(T0 + 3 * HOUR, T0);

    Advance advance = next(evidence);

    assertThat(advance.afterMillis(), is(T0 + 3 * HOUR));
    assertThat(advance.moved(), is(false));
    assertThat(advance.isWaiting(), is(false));
    assertThat(advance.reason(), containsString("Held at"));
  }

  @Test
  public void storedWatermarkBeyondNowStays() {
    Evidence evidence = evidence(T0, T0 - HOUR).withStored(T0 + DAY, T0 - DAY);

    assertThat(next(evidence).afterMillis(), is(T0 + DAY));
  }

  @Test
  public void smallestOfTheRequiredWritersCounts() {
    Evidence evidence =
        evidence(T0 + 9 * HOUR, T0 + 5 * HOUR)
            .withWindow(window("us", 3, MINUTE, T0 + 9 * HOUR, T0 + 2 * HOUR))
            .withWindow(window("backfill", 3, MINUTE, T0 + 9 * HOUR, T0 - 99 * HOUR));

    assertThat(
        next(evidence.withRequiredWriters(List.of("eu", "us"))).afterMillis(), is(T0 + 2 * HOUR));
    assertThat(next(evidence.withRequiredWriters(List.of("eu"))).afterMillis(), is(T0 + 5 * HOUR));
  }

  @Test
  public void oneRequiredWriterWithoutEnoughCommitsHoldsAll() {
    Evidence evidence =
        evidence(T0 + 9 * HOUR, T0 + 5 * HOUR)
            .withRequiredWriters(List.of("eu", "us"))
            .withStored(T0, T0);

    Advance unheardOf = next(evidence);
    Advance young =
        next(evidence.withWindow(window("us", 2, MINUTE, T0 + 9 * HOUR, T0 + 8 * HOUR)));

    for (Advance advance : List.of(unheardOf, young)) {
      assertThat(advance.moved(), is(false));
      assertThat(advance.isWaiting(), is(true));
      assertThat(advance.perWriter().get("us").waitCode(), is(WaitCode.TOO_FEW_COMMITS));
      assertThat(advance.perWriter().get("eu").isWait(), is(false));
    }
  }

  @Test
  public void withoutRequiredWritersNothingMoves() {
    Advance advance = next(evidence(T0, T0).withRequiredWriters(List.of()));

    assertThat(advance.afterMillis(), is(nullValue()));
    assertThat(advance.isWaiting(), is(true));
  }

  @Test
  public void firstWatermarkIsWhereTheCoverageBegins() {
    Advance first = next(evidence(T0 + 9 * HOUR, T0 + 5 * HOUR));

    assertThat(first.beforeMillis(), is(nullValue()));
    assertThat(first.sinceMillis(), is(T0 + 5 * HOUR));
    assertThat(
        next(evidence(T0 + 9 * HOUR, T0 + 8 * HOUR)
                .withStored(first.afterMillis(), first.sinceMillis()))
            .sinceMillis(),
        is(T0 + 5 * HOUR));
  }

  @Test
  public void watermarkOfUnknownCoverageCoversOnlyWhatFollows() {
    assertThat(
        next(evidence(T0 + 9 * HOUR, T0 + 5 * HOUR).withStored(T0 + HOUR, null)).sinceMillis(),
        is(T0 + HOUR));
  }

  @Test
  public void repeatingTheRuleChangesNothing() {
    Evidence evidence = evidence(T0 + 9 * HOUR, T0 + 5 * HOUR);
    Advance first = next(evidence);

    Advance again = next(evidence.withStored(first.afterMillis(), first.sinceMillis()));

    assertThat(again.moved(), is(false));
    assertThat(again.sinceMillis(), is(first.sinceMillis()));
  }

  @Test
  public void idleWriterHoldsByDefault() {
    Evidence evidence = idleFor(5 * HOUR, Attestation.of(T0 + 5 * HOUR, T0 + 5 * HOUR));

    assertThat(next(evidence).afterMillis(), is(T0 - HOUR));
  }

  @Test
  public void idleWriterAdvancesByItsInputWatermarkMinusThePolicysHoldback() {
    IdleHandling idle = IdleHandling.inputWatermark(THIRTY_MINUTES);
    Evidence evidence = idleFor(5 * HOUR, Attestation.of(T0 + 5 * HOUR, T0 + 5 * HOUR));
    FinalizationPolicy holdingBack =
        Policies.allOf(POLICY, Policies.inputWatermark(Duration.standardHours(2)));

    assertThat(WatermarkRule.next(POLICY, idle, evidence).afterMillis(), is(T0 + 5 * HOUR));
    assertThat(WatermarkRule.next(holdingBack, idle, evidence).afterMillis(), is(T0 + 3 * HOUR));
  }

  @Test
  public void idleWriterAdvancesByTheClockUpToItsProofOfLife() {
    IdleHandling idle = IdleHandling.wallClock(THIRTY_MINUTES);
    Evidence evidence = idleFor(5 * HOUR, Attestation.of(null, T0 + 4 * HOUR + 55 * MINUTE));

    assertThat(WatermarkRule.next(POLICY, idle, evidence).afterMillis(), is(T0 + 4 * HOUR));
  }

  @Test
  public void writerThatIsNotIdleIsJudgedByItsFacts() {
    Attestation alive = Attestation.of(T0 + 29 * MINUTE, T0 + 29 * MINUTE);
    Evidence evidence = idleFor(29 * MINUTE, alive);

    for (IdlePolicy policy : IdlePolicy.values()) {
      assertThat(
          WatermarkRule.next(POLICY, IdleHandling.of(policy, THIRTY_MINUTES), evidence)
              .afterMillis(),
          is(T0 - HOUR));
    }
  }

  @Test
  public void staleProofOfLifeAdvancesNothing() {
    for (long at : new long[] {T0 + 4 * HOUR, T0 + 6 * HOUR}) {
      Evidence evidence =
          idleFor(5 * HOUR, Attestation.of(at, at)).withStored(T0 - HOUR, T0 - HOUR);
      for (IdlePolicy policy : List.of(IdlePolicy.INPUT_WATERMARK, IdlePolicy.WALL_CLOCK)) {
        IdleHandling idle = IdleHandling.of(policy, THIRTY_MINUTES);

        Advance stale = WatermarkRule.next(POLICY, idle, evidence);

        assertThat(stale.moved(), is(false));
        assertThat(stale.reason(), containsString("proof of life"));
        assertThat(
            WatermarkRule.next(POLICY, idle.withProofValidFor(Duration.standardHours(2)), evidence)
                .moved(),
            is(true));
      }
    }
  }

  @Test
  public void staleProofOfLifeIsKeptFromPolicies() {
    Evidence evidence = idleFor(5 * HOUR, Attestation.of(T0 + 4 * HOUR, T0 + 4 * HOUR));

    Advance advance = WatermarkRule.next(Policies.inputWatermark(Duration.ZERO), WAITING, evidence);

    assertThat(advance.perWriter().get("eu").waitCode(), is(WaitCode.STALE_ATTESTATION));
  }

  @Test
  public void writerThatNeverCommittedAdvancesByItsInputWatermarkButNotByTheClock() {
    Evidence evidence =
        Evidence.at(T0)
            .withRequiredWriters(List.of("eu"))
            .withAttestation("eu", Attestation.of(T0 - HOUR, T0));

    assertThat(
        WatermarkRule.next(POLICY, IdleHandling.inputWatermark(THIRTY_MINUTES), evidence)
            .afterMillis(),
        is(T0 - HOUR));
    assertThat(
        WatermarkRule.next(POLICY, IdleHandling.wallClock(THIRTY_MINUTES), evidence).isWaiting(),
        is(true));
  }

  @Test
  public void endOfInputAdvancesUntilNowAndUnsetWatermarksDoNot() {
    FinalizationPolicy policy = Policies.inputWatermark(Duration.ZERO);
    Evidence evidence = idleFor(5 * HOUR, Attestation.of(Long.MAX_VALUE, T0 + 5 * HOUR));
    IdleHandling idle = IdleHandling.inputWatermark(THIRTY_MINUTES);

    assertThat(WatermarkRule.next(policy, WAITING, evidence).afterMillis(), is(T0 + 5 * HOUR));
    for (long unset : new long[] {Long.MIN_VALUE, Long.MIN_VALUE / 1000}) {
      Evidence unknown = evidence.withAttestation("eu", Attestation.of(unset, T0 + 5 * HOUR));
      assertThat(WatermarkRule.next(policy, idle, unknown).isWaiting(), is(true));
      assertThat(WatermarkRule.next(POLICY, idle, unknown).afterMillis(), is(T0 - HOUR));
    }
  }

  /** The example of {@link FinalizationPolicy}. */
  private static final class BehindTheNewest implements FinalizationPolicy {
    @Override
    public Decision decide(WriterEvidence evidence) {
      Decision lacking = evidence.lacking(lookback());
      if (lacking != null) {
        return lacking;
      }
      long newest = Long.MIN_VALUE;
      for (CommitFacts facts : evidence.recent(lookback())) {
        if (facts.maxMillis() == null) {
          return Decision.waitFor(WaitCode.MISSING_FACTS, "The largest event time is not known");
        }
        newest = Math.max(newest, facts.maxMillis());
      }
      return Decision.candidate(newest - 3_600_000, "an hour behind the newest event");
    }

    @Override
    public String describe() {
      return "behindTheNewest()";
    }

    @Override
    public Lookback lookback() {
      return Lookback.standard();
    }
  }

  @Test
  public void customPolicyDecides() {
    WriterWindow window = window("eu", 6, 10 * MINUTE, T0 + 9 * HOUR, T0 + 3 * HOUR, T0);
    Evidence evidence =
        Evidence.at(T0 + 9 * HOUR).withRequiredWriters(List.of("eu")).withWindow(window);

    assertThat(
        WatermarkRule.next(new BehindTheNewest(), WAITING, evidence).afterMillis(),
        is(T0 + 2 * HOUR));
    assertThat(
        WatermarkRule.next(
                new BehindTheNewest(),
                WAITING,
                evidence.withWindow(window.add(CommitFacts.unknown("eu", 9, T0 + 9 * HOUR, 1))))
            .isWaiting(),
        is(true));
  }

  @Test
  public void absurdCandidatesOfCustomPoliciesWait() {
    FinalizationPolicy absurd =
        new FinalizationPolicy() {
          @Override
          public Decision decide(WriterEvidence evidence) {
            return Decision.candidate(Long.MIN_VALUE, "absurd");
          }

          @Override
          public String describe() {
            return "absurd()";
          }

          @Override
          public Lookback lookback() {
            return Lookback.standard();
          }
        };

    assertThat(
        WatermarkRule.next(absurd, WAITING, evidence(T0, T0)).perWriter().get("eu").waitCode(),
        is(WaitCode.OUT_OF_RANGE));
  }

  @Test
  public void granularitiesThatDoNotNestAreRefused() {
    for (long refused : new long[] {0, -HOUR, 7 * HOUR, 36 * HOUR, 32 * DAY}) {
      assertThrows(
          IllegalArgumentException.class, () -> Evidence.at(T0).withGranularityMillis(refused));
    }
  }

  private static Advance next(Evidence evidence) {
    return WatermarkRule.next(POLICY, WAITING, evidence);
  }

  /** Writer eu has just committed records of {@code eventTime}. */
  private static Evidence evidence(long nowMillis, long eventTimeMillis) {
    return Evidence.at(nowMillis)
        .withRequiredWriters(List.of("eu"))
        .withWindow(window("eu", 3, MINUTE, nowMillis, eventTimeMillis));
  }

  /** Writer eu committed records of an hour ago at T0 and none since. */
  private static Evidence idleFor(long millis, Attestation attestation) {
    return Evidence.at(T0 + millis)
        .withRequiredWriters(List.of("eu"))
        .withWindow(window("eu", 3, MINUTE, T0, T0 - HOUR).add(facts("eu", 9, T0, T0)))
        .withAttestation("eu", attestation);
  }
}
