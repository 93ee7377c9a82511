package dev.tidemark.finalization;

import com.google.common.math.LongMath;
import java.time.Instant;

/** Arithmetic of boundaries: multiples of a width, counted from 1970-01-01T00:00Z. */
final class Boundaries {

  static final long DAY_MILLIS = 86_400_000L;
  private static final long QUARTER_HOUR_MILLIS = 900_000L;

  /** Wider than the range of event times; bounds the products of widths. */
  private static final long MAX_WIDTH_DAYS = 1L << 28;

  private Boundaries() {}

  /**
   * Whether sketches count in buckets of this width: a part of a day, a day, or a power of four of
   * them.
   */
  static boolean isSketchWidth(long widthMillis) {
    if (widthMillis <= 0 || widthMillis % QUARTER_HOUR_MILLIS != 0) {
      return false;
    }
    if (widthMillis <= DAY_MILLIS) {
      return DAY_MILLIS % widthMillis == 0;
    }
    long days = widthMillis / DAY_MILLIS;
    return widthMillis % DAY_MILLIS == 0
        && days <= MAX_WIDTH_DAYS
        && Long.bitCount(days) == 1
        && Long.numberOfTrailingZeros(days) % 2 == 0;
  }

  /** Whether watermarks may be multiples of this: parts of a day, or whole days. */
  static boolean isGranularity(long millis) {
    return millis > 0
        && (DAY_MILLIS % millis == 0 || (millis % DAY_MILLIS == 0 && millis <= 31 * DAY_MILLIS));
  }

  /** The last boundary at or before {@code millis}; saturates at the smallest boundary there is. */
  static long floor(long millis, long widthMillis) {
    long down = millis - Math.floorMod(millis, widthMillis);
    return down <= millis
        ? down
        : Long.MIN_VALUE + widthMillis - Math.floorMod(Long.MIN_VALUE, widthMillis);
  }

  /** The smallest width whose boundaries are boundaries of both. */
  static long common(long widthMillis, long otherMillis) {
    return LongMath.checkedMultiply(
        widthMillis / LongMath.gcd(widthMillis, otherMillis), otherMillis);
  }

  /** {@code a - b} without wrapping around. */
  static long minus(long a, long b) {
    return LongMath.saturatedSubtract(a, b);
  }

  /** For messages. */
  static String iso(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }
}
