package dev.tidemark.sensor;

import dev.tidemark.eventtime.EventTimeSketch;
import dev.tidemark.eventtime.EventTimeStats;
import dev.tidemark.finalization.CommitFacts;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Puts together what two places hold of one commit. */
final class MergedFacts {
  private MergedFacts() {}

  /**
   * The facts of the writer's window, which has its clock and its input watermark, with the sketch
   * of the summary, which has that for longer.
   */
  static @Nullable CommitFacts of(@Nullable CommitFacts window, @Nullable CommitFacts summary) {
    if (window == null || summary == null) {
      return window == null ? summary : window;
    }
    EventTimeSketch sketch = summary.sketch();
    if (window.sketch() != null || sketch == null || sketch.count() != window.count()) {
      return window;
    }
    return CommitFacts.of(
        window.writer(),
        window.snapshotId(),
        window.committedAtMillis(),
        EventTimeStats.of(sketch)
            .withPastCount(window.pastCount())
            .withFutureCount(window.futureCount())
            .withNullCount(window.nullCount())
            .withUnparsableCount(window.unparsableCount()),
        window.inputWatermarkMillis());
  }
}
