package dev.tidemark.examples.benchmarks;

import dev.tidemark.eventtime.EventTimeSketch;
import dev.tidemark.eventtime.EventTimeSketchBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The greatest rank error over p0.1 to p99.9, of sketches that went through their text form. */
final class SketchRankError {
  private static final int PARTIALS = 64;

  private SketchRankError() {}

  /**
   * The greater error of two ways to share out the records over 64 partial sketches: one stretch
   * after the other, as commits do, merged from their texts; and in turn, as parallel writers do,
   * merged as they leave the writers.
   */
  static double ofMergedPartials(long[] eventTimes) {
    long[] sorted = eventTimes.clone();
    Arrays.sort(sorted);
    List<EventTimeSketchBuilder> stretches = builders();
    List<EventTimeSketchBuilder> turns = builders();
    for (int i = 0; i < eventTimes.length; i++) {
      stretches.get((int) ((long) i * PARTIALS / eventTimes.length)).add(eventTimes[i]);
      turns.get(i % PARTIALS).add(eventTimes[i]);
    }
    List<EventTimeSketch> read = new ArrayList<>();
    stretches.forEach(each -> read.add(EventTimeSketch.fromText(each.build().toText())));
    List<EventTimeSketch> built = new ArrayList<>();
    turns.forEach(each -> built.add(each.build()));
    return Math.max(
        percent(EventTimeSketch.merge(read), sorted),
        percent(EventTimeSketch.merge(built), sorted));
  }

  private static List<EventTimeSketchBuilder> builders() {
    List<EventTimeSketchBuilder> builders = new ArrayList<>();
    for (int i = 0; i < PARTIALS; i++) {
      builders.add(EventTimeSketch.builder(EventTimeSketch.HOUR_MILLIS));
    }
    return builders;
  }

  private static double percent(EventTimeSketch merged, long[] sorted) {
    EventTimeSketch sketch = EventTimeSketch.fromText(merged.toText());
    double worst = 0;
    for (int perMille = 1; perMille < 1000; perMille++) {
      double rank = perMille / 1000.0 * sorted.length;
      long estimate = sketch.quantileMillis(perMille / 1000.0);
      // The estimate stands for all ranks from those below it to those up to it.
      double missed = Math.max(below(sorted, estimate) - rank, rank - below(sorted, estimate + 1));
      worst = Math.max(worst, 100 * missed / sorted.length);
    }
    return worst;
  }

  private static int below(long[] sorted, long value) {
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
