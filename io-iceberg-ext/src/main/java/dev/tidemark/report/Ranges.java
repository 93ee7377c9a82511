package dev.tidemark.report;

import java.time.Instant;
import java.util.List;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What stretches of time a drawing spans: everything, but no single commit of long ago. */
record Ranges(long fromX, long untilX, long fromY, long untilY) {
  static Ranges of(SpreadChart.Scene scene) {
    Extremes commitTime = new Extremes();
    Extremes eventTime = new Extremes();
    Extremes watermark = new Extremes();
    for (CommitSpan commit : scene.commits()) {
      commitTime.add(commit.at());
      eventTime.add(commit.min());
      eventTime.add(commit.max());
    }
    for (List<WatermarkStep> moves : List.of(scene.moves(), scene.simulated())) {
      for (WatermarkStep move : moves) {
        commitTime.add(move.at());
        watermark.add(move.watermark());
      }
    }
    commitTime.widen();
    long length = commitTime.most - commitTime.least;
    eventTime.add(eventTime.isEmpty() ? Instant.ofEpochMilli(commitTime.least) : null);
    // What lies further outside than this is cut off, or the rest would be a flat line.
    long lowest =
        Math.min(commitTime.least, eventTime.most) - Math.max(length * 3 / 2, 6 * Hours.MILLIS);
    long highest = Math.max(commitTime.most, eventTime.least) + Math.max(length / 10, Hours.MILLIS);
    eventTime.least = Math.max(eventTime.least, lowest);
    eventTime.most = Math.min(eventTime.most, highest);
    if (!watermark.isEmpty()) {
      eventTime.add(Instant.ofEpochMilli(watermark.least));
      eventTime.add(Instant.ofEpochMilli(watermark.most));
    }
    eventTime.widen();
    return new Ranges(commitTime.least, commitTime.most, eventTime.least, eventTime.most);
  }

  private static final class Extremes {
    private long least = Long.MAX_VALUE;
    private long most = Long.MIN_VALUE;

    void add(@Nullable Instant at) {
      if (at != null) {
        least = Math.min(least, at.toEpochMilli());
        most = Math.max(most, at.toEpochMilli());
      }
    }

    boolean isEmpty() {
      return least > most;
    }

    /** At least an hour, so that a single commit can be drawn. */
    void widen() {
      if (isEmpty()) {
        least = 0;
        most = 0;
      }
      if (most - least < Hours.MILLIS) {
        least -= Hours.MILLIS / 2;
        most += Hours.MILLIS / 2;
      }
    }
  }
}
