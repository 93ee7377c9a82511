package dev.tidemark.finalization;

import dev.tidemark.eventtime.EventTimeSketch;
import dev.tidemark.eventtime.EventTimeStats;
import java.time.Instant;
import org.joda.time.Duration;

/** Facts and windows for tests. */
final class FinalizationTestUtils {

  static final long MINUTE = 60_000L;
  static final long HOUR = 60 * MINUTE;
  static final long DAY = 24 * HOUR;

  /** A round time far from 1970, on an hour. */
  static final long T0 = at("2026-03-01T00:00:00Z");

  private FinalizationTestUtils() {}

  static long at(String instant) {
    return Instant.parse(instant).toEpochMilli();
  }

  static EventTimeStats stats(long... eventTimesMillis) {
    return EventTimeStats.of(EventTimeSketch.of(EventTimeSketch.HOUR_MILLIS, eventTimesMillis));
  }

  static CommitFacts facts(
      String writer, long snapshotId, long committedAtMillis, long... eventTimesMillis) {
    return CommitFacts.of(writer, snapshotId, committedAtMillis, stats(eventTimesMillis), null);
  }

  /**
   * A window of commits a fixed time apart, the newest at {@code endMillis}, each with the same
   * event times.
   */
  static WriterWindow window(
      String writer, int commits, long apartMillis, long endMillis, long... eventTimesMillis) {
    WriterWindow window = WriterWindow.empty(writer);
    for (int i = 0; i < commits; i++) {
      long at = endMillis - (commits - 1 - i) * apartMillis;
      window = window.add(facts(writer, i + 1, at, eventTimesMillis));
    }
    return window;
  }

  static Decision decide(FinalizationPolicy policy, WriterWindow window, long nowMillis) {
    return policy.decide(WriterEvidence.of(window, null, false, nowMillis));
  }

  static Lookback lookback(int commits, long durationMillis) {
    return Lookback.of(commits, Duration.millis(durationMillis));
  }
}
