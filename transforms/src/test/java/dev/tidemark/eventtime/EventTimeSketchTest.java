package dev.tidemark.eventtime;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.closeTo;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.not;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableSortedMap;
import java.util.Arrays;
import java.util.List;
import org.apache.beam.sdk.util.SerializableUtils;
import org.apache.datasketches.memory.Memory;
import org.apache.datasketches.tdigest.TDigestDouble;
import org.joda.time.Duration;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class EventTimeSketchTest {
  private static final long HOUR = EventTimeSketch.HOUR_MILLIS;

  @Test
  public void emptySketchCountsNothingAndHasNoExtremes() {
    EventTimeSketch empty = EventTimeSketch.empty(Duration.standardHours(1));
    assertThat(empty.isEmpty(), is(true));
    assertThat(empty.count(), is(0L));
    assertThat(empty.countBelow(Long.MAX_VALUE), is(0L));
    assertThat(empty.countsByBucket(), equalTo(ImmutableSortedMap.of()));
    assertThat(empty.quantilesByPerMille(List.of(1, 500)), equalTo(ImmutableSortedMap.of()));
    assertThat(EventTimeSketch.fromText(empty.toText()), equalTo(empty));
    assertThrows(IllegalStateException.class, empty::minMillis);
    assertThrows(IllegalStateException.class, empty::maxMillis);
    assertThrows(IllegalStateException.class, () -> empty.quantileMillis(0.5));
  }

  @Test
  public void singleRecordIsAllThereIs() {
    EventTimeSketch sketch = EventTimeSketch.of(HOUR, EventTimes.NOW);
    assertThat(sketch.minMillis(), is(EventTimes.NOW));
    assertThat(sketch.maxMillis(), is(EventTimes.NOW));
    assertThat(sketch.quantileMillis(0.5), is(EventTimes.NOW));
    assertThat(sketch.countBelow(EventTimes.NOW), is(0L));
    assertThat(sketch.countBelow(EventTimes.NOW + 1), is(1L));
    assertThat(EventTimeSketch.fromText(sketch.toText()), equalTo(sketch));
  }

  @Test
  public void constantRecordsAreExact() {
    long[] records = new long[100_000];
    Arrays.fill(records, EventTimes.NOW);
    EventTimeSketch sketch = EventTimeSketch.of(HOUR, records);
    for (int i = 0; i <= 100; i++) {
      assertThat(sketch.quantileMillis(i / 100.0), is(EventTimes.NOW));
    }
    assertThat(sketch.toText().length(), lessThanOrEqualTo(40));
  }

  @Test
  public void fewRecordsReadOutAsTheyAre() {
    EventTimeSketch sketch = EventTimeSketch.of(HOUR, 5_000, 1_000, 3_000);
    assertThat(sketch.quantileMillis(0), is(1_000L));
    assertThat(sketch.quantileMillis(0.5), is(3_000L));
    assertThat(sketch.quantileMillis(0.9), is(5_000L));
    assertThat(sketch.countBelow(3_000), is(1L));
  }

  @Test
  public void wholeSecondsReadOutWithinOneGridStep() {
    long[] records = EventTimes.wholeSeconds(100_000, 1);
    EventTimeSketch sketch = EventTimeSketch.of(HOUR, records);
    Arrays.sort(records);
    for (int perMille = 1; perMille < 1000; perMille++) {
      long truth = records[perMille * records.length / 1000];
      long estimate = sketch.quantileMillis(perMille / 1000.0);
      assertThat((double) estimate, closeTo((double) truth, 2_000));
    }
  }

  @Test
  public void recordsBeforeTheEpochFallIntoBucketsRoundedDown() {
    EventTimeSketch sketch = EventTimeSketch.of(HOUR, -1, 0, -HOUR, -HOUR - 1);
    assertThat(
        sketch.countsByBucket(), equalTo(ImmutableSortedMap.of(-2 * HOUR, 1L, -HOUR, 2L, 0L, 1L)));
    assertThat(EventTimeSketch.fromText(sketch.toText()), equalTo(sketch));
  }

  @Test
  public void extremeEventTimesFitWhileBeyondIsRefused() {
    long[] ends = {EventTimeSketch.MIN_MILLIS, 0, EventTimeSketch.MAX_MILLIS};
    EventTimeSketch sketch = EventTimeSketch.of(HOUR, ends);
    assertThat(sketch.countBelow(0), is(1L));
    assertThat(EventTimeSketch.fromText(sketch.toText()), equalTo(sketch));
    EventTimeSketchBuilder builder = EventTimeSketch.builder(HOUR);
    assertThrows(IllegalArgumentException.class, () -> builder.add(EventTimeSketch.MAX_MILLIS + 1));
    assertThrows(IllegalArgumentException.class, () -> builder.add(EventTimeSketch.MIN_MILLIS - 1));
  }

  @Test
  public void fullRangeOfEventTimesStaysWithinBucketsAndText() {
    long[] records = new long[200_000];
    long step = EventTimeSketch.MAX_MILLIS / records.length * 2;
    for (int i = 0; i < records.length; i++) {
      records[i] = EventTimeSketch.MIN_MILLIS + i * step;
    }
    EventTimeSketch sketch = EventTimeSketch.of(HOUR, records);
    assertThat(sketch.countsByBucket().size(), lessThanOrEqualTo(BucketWidths.MAX_OCCUPIED));
    assertThat(EventTimeSketch.fromText(sketch.toText()), equalTo(sketch));
  }

  @Test
  public void oversizedDetailIsDroppedForExactCounts() {
    // Doubling a sketch of the full range multiplies its weights, and so the length of its text.
    long[] records = EventTimes.uniform(100_000, 2, EventTimeSketch.MAX_MILLIS);
    EventTimeSketch sketch = EventTimeSketch.of(HOUR, records);
    while (sketch.count() <= EventTimeSketch.MAX_COUNT / 2) {
      sketch = EventTimeSketch.merge(List.of(sketch, sketch)).compressed();
    }
    EventTimeSketch read = EventTimeSketch.fromText(sketch.toText());
    assertThat(read.countsByBucket(), equalTo(sketch.countsByBucket()));
    EventTimeSketch full = sketch;
    IllegalArgumentException tooMany =
        assertThrows(
            IllegalArgumentException.class, () -> EventTimeSketch.merge(List.of(full, full)));
    assertThat(tooMany.getMessage(), containsString("records in all"));
  }

  @Test
  public void buildLeavesTheBuilderAsItWas() {
    EventTimeSketchBuilder asked = EventTimeSketch.builder(HOUR);
    EventTimeSketchBuilder left = EventTimeSketch.builder(HOUR);
    for (long record : EventTimes.lag(10_000, 4, HOUR)) {
      asked.add(record);
      left.add(record);
      if (asked.count() % 777 == 0) {
        assertThat(asked.build().count(), is(asked.count()));
      }
    }
    assertThat(asked.build(), equalTo(left.build()));
  }

  @Test
  public void emptyPartialChangesNothing() {
    EventTimeSketch sketch = EventTimeSketch.of(HOUR, EventTimes.lag(10_000, 5, HOUR));
    EventTimeSketch empty = EventTimeSketch.empty(HOUR);
    assertThat(EventTimeSketch.merge(List.of(empty, sketch, empty)), equalTo(sketch));
    assertThat(EventTimeSketch.merge(List.of(empty, empty)), equalTo(empty));
  }

  @Test
  public void mergedSketchReadsLikeItsText() {
    EventTimeSketch merged =
        EventTimeSketch.merge(
            List.of(
                EventTimeSketch.of(HOUR, EventTimes.lag(10_000, 6, HOUR)),
                EventTimeSketch.of(HOUR, EventTimes.lag(10_000, 7, HOUR))));
    EventTimeSketch read = EventTimeSketch.fromText(merged.toText());
    assertThat(read, equalTo(merged.compressed()));
    assertThat(read, not(equalTo(merged)));
    assertThat(read.quantileMillis(0.3), is(merged.quantileMillis(0.3)));
    assertThat(read.toText(), is(merged.toText()));
  }

  @Test
  public void differentBoundariesDoNotMerge() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                EventTimeSketch.merge(
                    List.of(
                        EventTimeSketch.empty(HOUR),
                        EventTimeSketch.empty(EventTimeSketch.QUARTER_HOUR_MILLIS))));
    assertThat(refused.getMessage(), containsString("boundaries"));
    assertThrows(IllegalArgumentException.class, () -> EventTimeSketch.merge(List.of()));
    assertThrows(IllegalArgumentException.class, () -> EventTimeSketch.empty(60_000));
  }

  @Test
  public void sketchIsSerializable() {
    EventTimeSketch sketch = EventTimeSketch.of(HOUR, EventTimes.lag(5_000, 8, HOUR));
    assertThat(SerializableUtils.clone(sketch), equalTo(sketch));
  }

  @Test
  public void gapBetweenBucketsHoldsNoMass() {
    EventTimeSketch sketch = EventTimeSketch.of(HOUR, EventTimes.backfill(100_000, 9));
    long gap = BucketWidths.bucketStart(EventTimes.NOW, HOUR) - 100 * HOUR;
    assertThat(sketch.countBelow(gap + 1), is(60_000L));
    assertThat(sketch.countBelow(gap + HOUR / 2), is(60_000L));
  }

  @Test
  public void imageIsReadByDatasketches() {
    EventTimes.SMOOTH.forEach(
        (name, times) -> {
          long[] records = times.apply(200_000, 10L);
          EventTimeSketch sketch = EventTimeSketch.of(HOUR, records);
          TDigestDouble read = heapify(sketch);
          assertThat(name, read.getTotalWeight(), is(sketch.count()));
          assertThat(name, read.getMinValue(), is((double) sketch.minMillis()));
          assertThat(name, read.getMaxValue(), is((double) sketch.maxMillis()));
          Arrays.sort(records);
          for (int perMille = 10; perMille < 1000; perMille += 10) {
            long record = records[perMille * records.length / 1000];
            // The library's rank interpolates across boundaries, so this is its error, not ours.
            double tolerance = name.equals("backfill") ? 0.1 : 0.03;
            assertThat(name, read.getRank((double) record), closeTo(perMille / 1000.0, tolerance));
          }
        });
  }

  @Test
  public void smallImagesAreReadByDatasketches() {
    assertThat(heapify(EventTimeSketch.empty(HOUR)).isEmpty(), is(true));
    for (long[] records :
        new long[][] {{7}, {7, 7}, {7, 9}, {7, 7, 9}, {7, 9, 9}, {8, 8, 8, 8}, {1, 2, 3, 4, 5}}) {
      TDigestDouble read = heapify(EventTimeSketch.of(HOUR, records));
      assertThat(read.getTotalWeight(), is((long) records.length));
      assertThat(read.getMinValue(), is((double) records[0]));
      assertThat(read.getMaxValue(), is((double) records[records.length - 1]));
    }
  }

  private static TDigestDouble heapify(EventTimeSketch sketch) {
    return TDigestDouble.heapify(Memory.wrap(sketch.toTDigestImage()));
  }
}
