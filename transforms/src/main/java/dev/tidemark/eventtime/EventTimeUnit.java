package dev.tidemark.eventtime;

import java.time.Instant;

/** What a number in an event-time column counts since 1970-01-01T00:00:00Z. */
public enum EventTimeUnit {
  SECONDS {
    @Override
    long toMillis(long value) {
      long limit = Long.MAX_VALUE / 1000;
      // Saturates: both ends lie far outside of every sane range.
      return Math.max(-limit, Math.min(limit, value)) * 1000;
    }
  },
  MILLIS {
    @Override
    long toMillis(long value) {
      // Keeps clear of the constants that stand for no event time.
      return Math.max(-Long.MAX_VALUE / 2, value);
    }
  },
  MICROS {
    @Override
    long toMillis(long value) {
      return Math.floorDiv(value, 1_000L);
    }
  },
  NANOS {
    @Override
    long toMillis(long value) {
      return Math.floorDiv(value, 1_000_000L);
    }
  };

  /** Rounds down, also before 1970; what does not fit saturates. */
  abstract long toMillis(long value);

  static long toMillis(Instant instant) {
    return SECONDS.toMillis(instant.getEpochSecond()) + instant.getNano() / 1_000_000;
  }
}
