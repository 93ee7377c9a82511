package dev.tidemark.eventtime;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThanOrEqualTo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Laws that hold for every input. */
@RunWith(JUnit4.class)
public class EventTimeSketchPropertyTest {
  private static final int RECORDS = Boolean.getBoolean("tidemark.long") ? 1_000_000 : 100_000;
  private static final int PARTIALS = 64;
  private static final int ORDERS = 40;

  @Test
  public void mergeGivesSameBitsInEveryOrderAndTree() {
    EventTimes.ALL.forEach(
        (name, times) -> {
          List<EventTimeSketch> partials = partials(times.apply(RECORDS, 11L), 5L);
          EventTimeSketch atOnce = EventTimeSketch.merge(partials);
          Set<String> texts = new HashSet<>();
          for (int order = 0; order < ORDERS; order++) {
            EventTimeSketch merged = mergeInSomeOrder(partials, new Random(order));
            assertThat(name, merged, equalTo(atOnce));
            texts.add(merged.toText());
          }
          assertThat(name, texts, equalTo(Set.of(atOnce.toText())));
        });
  }

  @Test
  public void mergeCommutesAndAssociatesForPairs() {
    EventTimes.ALL.forEach(
        (name, times) -> {
          List<EventTimeSketch> partials = partials(times.apply(RECORDS, 12L), 6L);
          for (int i = 0; i + 2 < 30; i++) {
            EventTimeSketch a = partials.get(i);
            EventTimeSketch b = partials.get(i + 1);
            EventTimeSketch c = partials.get(i + 2);
            assertThat(name, merge(a, b), equalTo(merge(b, a)));
            assertThat(name, merge(merge(a, b), c), equalTo(merge(a, merge(b, c))));
          }
        });
  }

  @Test
  public void mergeAssociatesAcrossTheCoder() throws Exception {
    List<EventTimeSketch> partials = partials(EventTimes.lag(RECORDS, 13L, EventTimes.HOUR), 7L);
    EventTimeStats left = EventTimeStats.of(EventTimeSketch.merge(partials.subList(0, 20)));
    EventTimeStats right = EventTimeStats.of(EventTimeSketch.merge(partials.subList(20, PARTIALS)));

    EventTimeStats merged =
        EventTimeStats.merge(List.of(Coders.roundTrip(left), Coders.roundTrip(right)));

    assertThat(merged.sketch(), equalTo(EventTimeSketch.merge(partials)));
  }

  @Test
  public void countsBelowEveryBoundaryAreExactHoweverBundled() {
    for (long boundary :
        new long[] {EventTimeSketch.HOUR_MILLIS, EventTimeSketch.QUARTER_HOUR_MILLIS}) {
      EventTimes.ALL.forEach(
          (name, times) -> {
            long[] records = times.apply(RECORDS, 14L);
            EventTimeSketch single = EventTimeSketch.of(boundary, records);
            EventTimeSketch merged = EventTimeSketch.merge(partials(records, 8L, boundary));
            assertExact(name, single, records);
            assertExact(name, merged, records);
            assertExact(name, EventTimeSketch.fromText(merged.toText()), records);
            assertThat(name, merged.countsByBucket(), equalTo(single.countsByBucket()));
          });
    }
  }

  @Test
  public void widthIsTheLeastThatFitsAndDependsOnRecordsOnly() {
    Random random = new Random(15);
    long[] seen = new long[4];
    for (int round = 0; round < 40; round++) {
      long span = EventTimes.HOUR << random.nextInt(14);
      long[] records = EventTimes.uniform(20_000, round, span);
      EventTimeSketch single = EventTimeSketch.of(EventTimes.HOUR, records);
      EventTimeSketch merged = mergeInSomeOrder(partials(records, round), new Random(round));
      assertThat(merged.widthMillis(), is(single.widthMillis()));
      assertThat(occupied(records, single.widthMillis()), lessThanOrEqualTo(192));
      long narrower = narrower(single.widthMillis());
      if (narrower > 0) {
        assertThat(occupied(records, narrower), greaterThan(192));
        seen[(int) Math.min(3, single.widthMillis() / EventTimes.HOUR / 6)]++;
      }
    }
    assertThat("widened to 3 h", seen[0], greaterThan(0L));
    assertThat("widened to 6 h", seen[1], greaterThan(0L));
    assertThat("widened to a day or more", seen[3], greaterThan(0L));
  }

  @Test
  public void quarterHourWidensToFullHours() {
    long[] records = EventTimes.uniform(50_000, 16, 100 * EventTimes.HOUR);
    EventTimeSketch sketch = EventTimeSketch.of(EventTimeSketch.QUARTER_HOUR_MILLIS, records);
    assertThat(sketch.boundaryMillis(), is(EventTimeSketch.QUARTER_HOUR_MILLIS));
    assertThat(sketch.widthMillis(), is(EventTimeSketch.HOUR_MILLIS));
  }

  @Test
  public void estimatesBetweenBoundariesStayBetweenTheirExactCounts() {
    EventTimes.ALL.forEach(
        (name, times) -> {
          EventTimeSketch sketch = EventTimeSketch.of(EventTimes.HOUR, times.apply(20_000, 17L));
          long step = Math.max(1, (sketch.maxMillis() - sketch.minMillis()) / 5_000);
          long before = 0;
          for (long t = sketch.minMillis() - step; t <= sketch.maxMillis() + step; t += step) {
            long below = sketch.countBelow(t);
            assertThat(name + " ascends at " + t, below >= before, is(true));
            long start = BucketWidths.bucketStart(t, sketch.widthMillis());
            assertThat(name, below >= sketch.countBelow(start), is(true));
            assertThat(name, below <= sketch.countBelow(start + sketch.widthMillis()), is(true));
            before = below;
          }
        });
  }

  @Test
  public void quantilesAscendWithinMinimumAndMaximum() {
    EventTimes.ALL.forEach(
        (name, times) -> {
          EventTimeSketch sketch = EventTimeSketch.of(EventTimes.HOUR, times.apply(20_000, 18L));
          long before = sketch.minMillis();
          for (int i = 0; i <= 10_000; i++) {
            long quantile = sketch.quantileMillis(i / 10_000.0);
            assertThat(name + " at " + i, quantile >= before, is(true));
            before = quantile;
          }
          assertThat(name, sketch.quantileMillis(0), is(sketch.minMillis()));
          assertThat(name, sketch.quantileMillis(1), is(sketch.maxMillis()));
        });
  }

  private static void assertExact(String name, EventTimeSketch sketch, long[] records) {
    long width = sketch.widthMillis();
    TreeMap<Long, Long> expected = new TreeMap<>();
    for (long record : records) {
      expected.merge(Math.floorDiv(record, width) * width, 1L, Long::sum);
    }
    assertThat(name, sketch.countsByBucket(), equalTo(expected));
    long below = 0;
    for (Map.Entry<Long, Long> bucket : expected.entrySet()) {
      assertThat(name, sketch.countBelow(bucket.getKey()), is(below));
      below += bucket.getValue();
      assertThat(name, sketch.countBelow(bucket.getKey() + width), is(below));
    }
    assertThat(name, sketch.count(), is((long) records.length));
    assertThat(name, sketch.minMillis(), is(Arrays.stream(records).min().getAsLong()));
    assertThat(name, sketch.maxMillis(), is(Arrays.stream(records).max().getAsLong()));
  }

  private static EventTimeSketch merge(EventTimeSketch... sketches) {
    return EventTimeSketch.merge(List.of(sketches));
  }

  /** Merges two or three arbitrary ones until one is left: a random tree over a random order. */
  private static EventTimeSketch mergeInSomeOrder(List<EventTimeSketch> sketches, Random random) {
    List<EventTimeSketch> left = new ArrayList<>(sketches);
    while (left.size() > 1) {
      Collections.shuffle(left, random);
      List<EventTimeSketch> some = left.subList(0, Math.min(left.size(), 2 + random.nextInt(2)));
      EventTimeSketch merged = EventTimeSketch.merge(some);
      some.clear();
      left.add(merged);
    }
    return left.get(0);
  }

  private static List<EventTimeSketch> partials(long[] records, long seed) {
    return partials(records, seed, EventTimes.HOUR);
  }

  private static List<EventTimeSketch> partials(long[] records, long seed, long boundary) {
    Random random = new Random(seed);
    List<EventTimeSketch> partials = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < PARTIALS; i++) {
      int left = records.length - from;
      int size = i == PARTIALS - 1 ? left : random.nextInt(2 * left / (PARTIALS - i) + 1);
      EventTimeSketchBuilder builder = EventTimeSketch.builder(boundary);
      Arrays.stream(records, from, from + size).forEach(builder::add);
      // Half of them as they leave a builder, half as they come from a text.
      EventTimeSketch partial = builder.build();
      partials.add(i % 2 == 0 ? partial : EventTimeSketch.fromText(partial.toText()));
      from += size;
    }
    return partials;
  }

  private static int occupied(long[] records, long width) {
    return (int) Arrays.stream(records).map(r -> Math.floorDiv(r, width)).distinct().count();
  }

  private static long narrower(long width) {
    long narrower = 0;
    for (long w = EventTimes.HOUR; w < width; w = BucketWidths.wider(w)) {
      narrower = w;
    }
    return narrower;
  }
}
