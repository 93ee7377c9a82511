package dev.tidemark.finalization;

import static dev.tidemark.finalization.FinalizationTestUtils.DAY;
import static dev.tidemark.finalization.FinalizationTestUtils.HOUR;
import static dev.tidemark.finalization.FinalizationTestUtils.MINUTE;
import static dev.tidemark.finalization.FinalizationTestUtils.T0;
import static dev.tidemark.finalization.FinalizationTestUtils.facts;
import static dev.tidemark.finalization.FinalizationTestUtils.stats;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.anEmptyMap;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.Assert.assertThrows;

import dev.tidemark.eventtime.EventTimeSketch;
import dev.tidemark.eventtime.EventTimeStats;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class LatenessReportTest {

  @Test
  public void recordsAtOrAfterTheWatermarkAreNotLate() {
    assertThat(report(facts("eu", 1, T0 + HOUR, T0, T0 + MINUTE)), is(nullValue()));
  }

  @Test
  public void lateRecordsAreCountedByHour() {
    LatenessReport report =
        report(facts("eu", 7, T0 + HOUR, T0 - 1, T0 - HOUR, T0 - HOUR - 1, T0 - 90 * HOUR, T0));

    assertThat(
        report.lateByHour(), is(Map.of(T0 - HOUR, 2L, T0 - 2 * HOUR, 1L, T0 - 90 * HOUR, 1L)));
    assertThat(report.lateRecords(), is(4L));
    assertThat(report.exact(), is(true));
    assertThat(report.earliestMillis(), is(T0 - 90 * HOUR));
    assertThat(report.toText(), containsString("Snapshot 7 of writer eu holds 4 records"));
    assertThat(report.toText(), containsString("2026-02-28T23:00:00Z 2"));
  }

  @Test
  public void hoursMayBeReportedAsDays() {
    CommitFacts facts = facts("eu", 7, T0 + HOUR, T0 - 1, T0 - HOUR, T0 - DAY - 1);

    assertThat(
        LatenessReport.of(facts, T0, DAY).lateByHour(), is(Map.of(T0 - DAY, 2L, T0 - 2 * DAY, 1L)));
  }

  @Test
  public void recordsBeforeTheSaneRangeAreLate() {
    EventTimeStats stats = stats(T0 + 1, T0 + 2).withPastCount(3).withFutureCount(4);

    LatenessReport report = report(CommitFacts.of("eu", 7, T0 + HOUR, stats, null));

    assertThat(report.pastCount(), is(3L));
    assertThat(report.lateRecords(), is(3L));
    assertThat(report.lateByHour(), is(anEmptyMap()));
    assertThat(report.earliestMillis(), is(nullValue()));
    assertThat(report.toText(), containsString("3 before the sane range"));
  }

  @Test
  public void commitOfNothingButThePastIsReported() {
    EventTimeStats stats = EventTimeStats.empty(EventTimeSketch.HOUR_MILLIS).withPastCount(3);

    assertThat(report(CommitFacts.of("eu", 7, T0, stats, null)).lateRecords(), is(3L));
  }

  @Test
  public void droppedSketchLeavesTheCountsExact() {
    CommitFacts facts = facts("eu", 7, T0 + HOUR, T0 - 1, T0 - HOUR, T0).withoutSketch();

    assertThat(report(facts).exact(), is(true));
    assertThat(report(facts).lateRecords(), is(2L));
  }

  @Test
  public void droppedCountsGiveAnUpperBoundWithoutHours() {
    CommitFacts facts = facts("eu", 7, T0 + HOUR, T0 - 1, T0 - HOUR, T0, T0 + 1).withoutBuckets();

    LatenessReport report = report(facts);

    assertThat(report.exact(), is(false));
    assertThat(report.unplacedRecords(), is(3L));
    assertThat(report.lateByHour(), is(anEmptyMap()));
    assertThat(report.toText(), containsString("at most 3 records"));
    assertThat(report.toText(), containsString("in hours not known"));
  }

  @Test
  public void boundsEntirelyBelowTheWatermarkAreExact() {
    LatenessReport report =
        report(CommitFacts.ofBounds("other", 7, T0 + HOUR, 40, T0 - DAY, T0 - 1));

    assertThat(report.lateRecords(), is(40L));
    assertThat(report.exact(), is(true));
  }

  @Test
  public void commitThatNobodyLookedIntoIsReportedWhole() {
    LatenessReport report = report(CommitFacts.unknown("eu", 7, T0 + HOUR, 12));

    assertThat(report.unplacedRecords(), is(12L));
    assertThat(report.exact(), is(false));
  }

  @Test
  public void watermarkInsideAWideBucketGivesAnUpperBound() {
    long[] spread = LongStream.range(0, 300).map(i -> T0 - i * HOUR).toArray();
    CommitFacts facts = facts("eu", 7, T0 + HOUR, spread);
    long watermark = T0 - 2 * HOUR;

    LatenessReport report = LatenessReport.of(facts, watermark, HOUR);

    assertThat(report.widthMillis(), is(3 * HOUR));
    assertThat(report.exact(), is(false));
    assertThat(report.lateRecords(), is(greaterThanOrEqualTo(297L)));
    assertThat(report.lateRecords(), is(lessThan(300L)));
  }

  @Test
  public void countsAreExactAtEveryBoundaryOfTheirWidth() {
    Random random = new Random(12);
    for (int round = 0; round < 500; round++) {
      long span = random.nextBoolean() ? 30 * HOUR : 900 * DAY;
      long[] times = random.longs(1 + random.nextInt(500), T0 - span, T0 + DAY).toArray();
      CommitFacts facts = facts("eu", round, T0 + DAY, times);
      long width = facts.widthMillis();
      long watermark = Boundaries.floor(times[random.nextInt(times.length)], width) + width;

      LatenessReport report = LatenessReport.of(facts, watermark, HOUR);

      assertThat(report, is(not(nullValue())));
      assertThat(report.exact(), is(true));
      assertThat(report.lateRecords(), is(LongStream.of(times).filter(t -> t < watermark).count()));
      report
          .lateByHour()
          .forEach(
              (start, count) ->
                  assertThat(
                      LongStream.of(times).filter(t -> t >= start && t < start + width).count(),
                      is(count)));
    }
  }

  @Test
  public void manyHoursAreCutShortInText() {
    long[] spread = LongStream.range(1, 50).map(i -> T0 - i * HOUR).toArray();

    assertThat(report(facts("eu", 7, T0, spread)).toText(), containsString("and 39 more hours"));
  }

  @Test
  public void granularitiesThatDoNotNestAreRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> LatenessReport.of(facts("eu", 1, T0, T0), T0, 7 * HOUR));
  }

  private static LatenessReport report(CommitFacts facts) {
    return LatenessReport.of(facts, T0, HOUR);
  }
}
