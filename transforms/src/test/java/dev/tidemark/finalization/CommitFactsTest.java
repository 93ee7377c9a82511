package dev.tidemark.finalization;

import static dev.tidemark.finalization.FinalizationTestUtils.HOUR;
import static dev.tidemark.finalization.FinalizationTestUtils.MINUTE;
import static dev.tidemark.finalization.FinalizationTestUtils.T0;
import static dev.tidemark.finalization.FinalizationTestUtils.facts;
import static dev.tidemark.finalization.FinalizationTestUtils.stats;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.anEmptyMap;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableSortedMap;
import dev.tidemark.eventtime.EventTimeSketch;
import dev.tidemark.eventtime.EventTimeStats;
import java.util.Map;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class CommitFactsTest {

  @Test
  public void factsHoldWhatTheStatisticsHold() {
    EventTimeStats stats =
        stats(T0 + MINUTE, T0 + 2 * MINUTE, T0 + HOUR)
            .withPastCount(2)
            .withFutureCount(3)
            .withNullCount(4)
            .withUnparsableCount(5);

    CommitFacts facts = CommitFacts.of("eu", 7, T0 + 2 * HOUR, stats, T0 + HOUR);

    assertThat(facts.count(), is(3L));
    assertThat(facts.minMillis(), is(T0 + MINUTE));
    assertThat(facts.maxMillis(), is(T0 + HOUR));
    assertThat(facts.buckets(), is(Map.of(T0, 2L, T0 + HOUR, 1L)));
    assertThat(facts.widthMillis(), is(HOUR));
    assertThat(facts.quantilesMillis().keySet(), is(CommitFacts.RECORDED_QUANTILES));
    assertThat(facts.pastCount(), is(2L));
    assertThat(facts.futureCount(), is(3L));
    assertThat(facts.nullCount(), is(4L));
    assertThat(facts.unparsableCount(), is(5L));
    assertThat(facts.inputWatermarkMillis(), is(T0 + HOUR));
    assertThat(facts.isKnown(), is(true));
  }

  @Test
  public void commitWithoutUsableEventTimesHasNoExtremes() {
    EventTimeStats stats = EventTimeStats.empty(EventTimeSketch.HOUR_MILLIS).withPastCount(9);

    CommitFacts facts = CommitFacts.of("eu", 7, T0, stats, null);

    assertThat(facts.count(), is(0L));
    assertThat(facts.minMillis(), is(nullValue()));
    assertThat(facts.isKnown(), is(true));
  }

  @Test
  public void droppingTheSketchKeepsTheCounts() {
    CommitFacts facts = facts("eu", 1, T0, T0 - MINUTE, T0 - HOUR).withoutSketch();

    assertThat(facts.sketch(), is(nullValue()));
    assertThat(facts.buckets().size(), is(1));
    assertThat(facts.withoutBuckets().buckets(), is(anEmptyMap()));
    assertThat(facts.withoutBuckets().widthMillis(), is(HOUR));
    assertThat(facts.withoutBuckets().minMillis(), is(T0 - HOUR));
    assertThat(facts.withoutQuantiles().quantilesMillis(), is(anEmptyMap()));
  }

  @Test
  public void commitThatNobodyLookedIntoIsNotKnown() {
    assertThat(CommitFacts.unknown("eu", 1, T0, 5).isKnown(), is(false));
  }

  @Test
  public void countsFarApartKeepTheirWiderWidth() {
    long[] hours = new long[500];
    for (int i = 0; i < hours.length; i++) {
      hours[i] = T0 + i * HOUR;
    }

    CommitFacts facts = facts("eu", 1, T0 + 600 * HOUR, hours);

    assertThat(facts.widthMillis(), is(greaterThan(HOUR)));
    assertThat(
        facts.buckets().values().stream().mapToLong(Long::longValue).sum(), is(facts.count()));
  }

  @Test
  public void countsThatDoNotAddUpAreRefused() {
    CommitFacts facts = facts("eu", 1, T0, T0 - MINUTE).withoutSketch();

    assertRefused(facts.toBuilder().setCount(2), "add up");
    assertRefused(
        facts.toBuilder().setBuckets(ImmutableSortedMap.of(T0 - 2 * HOUR, 1L)), "extremes");
    assertRefused(facts.toBuilder().setBuckets(ImmutableSortedMap.of(T0 - 1, 1L)), "multiple");
    assertRefused(facts.toBuilder().setWidthMillis(HOUR + 1), "Invalid width");
    assertRefused(facts.toBuilder().setWidthMillis(0), "without a width");
  }

  @Test
  public void extremesThatContradictAreRefused() {
    CommitFacts facts = facts("eu", 1, T0, T0 - MINUTE).withoutBuckets().withoutQuantiles();

    assertRefused(facts.toBuilder().setMaxMillis(T0 - HOUR), "must be in order");
    assertRefused(facts.toBuilder().setMaxMillis(null), "both or none");
    assertRefused(facts.toBuilder().setCount(0), "of no rows");
    assertRefused(
        facts.toBuilder().setQuantilesMillis(ImmutableSortedMap.of(500, T0)),
        "within the extremes");
    assertRefused(
        facts.toBuilder().setQuantilesMillis(ImmutableSortedMap.of(0, T0 - MINUTE)), "1 to 999");
  }

  @Test
  public void sketchOfOtherRowsIsRefused() {
    CommitFacts facts = facts("eu", 1, T0, T0 - MINUTE);

    assertRefused(
        facts.toBuilder().setSketch(EventTimeSketch.of(EventTimeSketch.HOUR_MILLIS, T0 - 1)),
        "the sketch is not of these rows");
  }

  @Test
  public void writerNamesThatDoNotFitIntoKeysAreRefused() {
    for (String name : new String[] {"", "a.b", "a b", "é", "x".repeat(65)}) {
      assertThrows(IllegalArgumentException.class, () -> CommitFacts.unknown(name, 1, T0, 1));
    }
  }

  private static void assertRefused(CommitFacts.Builder builder, String because) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> builder.build());
    assertThat(e.getMessage(), containsString(because));
  }
}
