package dev.tidemark.report;

import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Arithmetic of hours of event time. */
final class Hours {
  static final long MILLIS = 3_600_000L;

  private Hours() {}

  static long floor(long millis) {
    return millis - Math.floorMod(millis, MILLIS);
  }

  static long ceil(long millis) {
    return -floor(-millis);
  }

  static @Nullable Long millis(@Nullable Instant instant) {
    return instant == null ? null : Long.valueOf(instant.toEpochMilli());
  }

  static @Nullable Instant instant(@Nullable Long millis) {
    return millis == null ? null : Instant.ofEpochMilli(millis);
  }
}
