package dev.tidemark.eventtime;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.lessThanOrEqualTo;

import com.google.common.primitives.Ints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Observed errors and sizes at 10^6 records; prints what it sees. */
@RunWith(JUnit4.class)
public class EventTimeSketchAccuracyTest {
  private static final int RECORDS = 1_000_000;
  private static final int PARTIALS = 64;
  private static final double MAX_RANK_ERROR_PERCENT = 0.5;
  private static final int SEEDS = Boolean.getBoolean("tidemark.long") ? 10 : 1;

  @Test
  public void rankErrorStaysBelowHalfAPercent() {
    System.out.println("Rank error of p0.1..p99.9 at 10^6 records, percent");
    EventTimes.SMOOTH.forEach(
        (name, times) -> {
          for (int seed = 1; seed <= SEEDS; seed++) {
            long[] records = times.apply(RECORDS, (long) seed);
            EventTimeSketch single = EventTimeSketch.of(EventTimes.HOUR, records);
            EventTimeSketch contiguous = merged(records, false, true, seed);
            EventTimeSketch scattered = merged(records, true, false, seed);
            long[] sorted = records.clone();
            Arrays.sort(sorted);
            double ofSingle = maxRankError(single, sorted);
            double ofContiguous = maxRankError(contiguous, sorted);
            double ofScattered = maxRankError(scattered, sorted);
            System.out.printf(
                "%-16s single %.3f, 64 partials %.3f, scattered over 64 %.3f, %d characters%n",
                name, ofSingle, ofContiguous, ofScattered, contiguous.toText().length());
            assertThat(name, ofSingle, lessThanOrEqualTo(MAX_RANK_ERROR_PERCENT));
            assertThat(name, ofContiguous, lessThanOrEqualTo(MAX_RANK_ERROR_PERCENT));
            assertThat(name, ofScattered, lessThanOrEqualTo(MAX_RANK_ERROR_PERCENT));
          }
        });
  }

  @Test
  public void textOfLiveStreamsTakesFewHundredCharacters() {
    EventTimes.LIVE.forEach(
        (name, times) -> {
          for (int n : new int[] {1, 1_000, 100_000, RECORDS}) {
            EventTimeSketch sketch = EventTimeSketch.of(EventTimes.HOUR, times.apply(n, 3L));
            assertThat(name + ", " + n, sketch.toText().length(), lessThanOrEqualTo(650));
          }
        });
  }

  @Test
  public void textNeverExceedsItsLimit() {
    EventTimes.ALL.forEach(
        (name, times) -> {
          long boundary = EventTimeSketch.QUARTER_HOUR_MILLIS;
          EventTimeSketch sketch = EventTimeSketch.of(boundary, times.apply(RECORDS, 4L));
          System.out.printf("%-16s 15 min: %d characters%n", name, sketch.toText().length());
          assertThat(name, sketch.toText().length(), lessThanOrEqualTo(SketchText.MAX_CHARS));
        });
  }

  private static EventTimeSketch merged(
      long[] records, boolean scattered, boolean throughText, long seed) {
    Random random = new Random(seed);
    List<EventTimeSketchBuilder> builders = new ArrayList<>();
    for (int i = 0; i < PARTIALS; i++) {
      builders.add(EventTimeSketch.builder(EventTimes.HOUR));
    }
    for (int i = 0; i < records.length; i++) {
      int contiguous = Ints.checkedCast((long) i * PARTIALS / records.length);
      builders.get(scattered ? random.nextInt(PARTIALS) : contiguous).add(records[i]);
    }
    return EventTimeSketch.merge(
        builders.stream()
            .map(EventTimeSketchBuilder::build)
            .map(sketch -> throughText ? EventTimeSketch.fromText(sketch.toText()) : sketch)
            .toList());
  }

  /** The distance of q to the ranks that the estimate has among the records, in per cent. */
  private static double maxRankError(EventTimeSketch sketch, long[] sorted) {
    double worst = 0;
    for (int perMille = 1; perMille < 1000; perMille++) {
      double rank = perMille / 1000.0 * sorted.length;
      long estimate = sketch.quantileMillis(perMille / 1000.0);
      long below = lowerBound(sorted, estimate);
      long upTo = lowerBound(sorted, estimate + 1);
      double error = Math.max(0, Math.max(below - rank, rank - upTo));
      worst = Math.max(worst, 100 * error / sorted.length);
    }
    return worst;
  }

  private static int lowerBound(long[] sorted, long value) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
