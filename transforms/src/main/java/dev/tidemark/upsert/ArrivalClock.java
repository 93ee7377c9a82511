package dev.tidemark.upsert;

import java.time.Clock;

/**
 * The time at which changes arrive. Where many come in one millisecond, the clock is looked at for
 * one in sixteen: a look costs as much as packing a small row.
 */
final class ArrivalClock {
  /** So many changes at most get the time of the one before. */
  static final int MOST_SKIPPED = 15;

  private final Clock clock;
  private long millis = Long.MIN_VALUE;
  private int skipped;
  private int left;

  ArrivalClock(Clock clock) {
    this.clock = clock;
  }

  /** The time of the next change. */
  long next() {
    if (left > 0) {
      left--;
      return millis;
    }
    long now = clock.millis();
    skipped = now == millis ? Math.min(2 * skipped + 1, MOST_SKIPPED) : 0;
    left = skipped;
    millis = now;
    return now;
  }
}
