package dev.tidemark.eventtime;

/**
 * The nested ladder of bucket widths: 15 min, 1 h, 3 h, 6 h, 1 d, then four times wider at each
 * step.
 *
 * <p>Every width divides the next, so a bucket of a narrow width lies in exactly one bucket of each
 * wider one. The number of occupied buckets grows with the multiset and falls with the width;
 * therefore the least width that keeps it at {@link #MAX_OCCUPIED} is a function of the multiset
 * alone, whatever the order in which records or partial sketches arrive.
 */
final class BucketWidths {
  static final long QUARTER_HOUR_MILLIS = 900_000L;
  static final long HOUR_MILLIS = 3_600_000L;
  static final int MAX_OCCUPIED = 192;

  private static final long DAY_MILLIS = 24 * HOUR_MILLIS;

  private BucketWidths() {}

  static long checkBoundary(long boundaryMillis) {
    if (boundaryMillis != HOUR_MILLIS && boundaryMillis != QUARTER_HOUR_MILLIS) {
      throw new IllegalArgumentException(
          String.format(
              "Invalid sketch boundary: %s ms (must be %s or %s)",
              boundaryMillis, HOUR_MILLIS, QUARTER_HOUR_MILLIS));
    }
    return boundaryMillis;
  }

  static long wider(long widthMillis) {
    if (widthMillis == QUARTER_HOUR_MILLIS) {
      return HOUR_MILLIS;
    } else if (widthMillis == HOUR_MILLIS) {
      return 3 * HOUR_MILLIS;
    } else if (widthMillis == 3 * HOUR_MILLIS) {
      return 6 * HOUR_MILLIS;
    } else if (widthMillis == 6 * HOUR_MILLIS) {
      return DAY_MILLIS;
    }
    return Math.multiplyExact(widthMillis, 4L);
  }

  /** Whether a sketch with this boundary can come to use this width. */
  static boolean isReachable(long boundaryMillis, long widthMillis) {
    long width = boundaryMillis;
    // One step beyond the full range of event times is never needed, which also ends the loop.
    while (width < widthMillis && width <= 2 * EventTimeSketch.MAX_MILLIS) {
      width = wider(width);
    }
    return width == widthMillis;
  }

  static long bucketStart(long millis, long widthMillis) {
    return Math.floorDiv(millis, widthMillis) * widthMillis;
  }

  /** The number of buckets of this width that hold one of the ascending {@code millis}. */
  static int occupied(long[] millis, int size, long widthMillis) {
    int occupied = 0;
    long end = Long.MIN_VALUE;
    for (int i = 0; i < size; i++) {
      if (i == 0 || millis[i] >= end) {
        occupied++;
        end = bucketStart(millis[i], widthMillis) + widthMillis;
      }
    }
    return occupied;
  }

  /** The least width, not below the given one, that keeps the occupied buckets within the limit. */
  static long fitting(long[] millis, int size, long atLeastMillis) {
    long width = atLeastMillis;
    while (occupied(millis, size, width) > MAX_OCCUPIED) {
      width = wider(width);
    }
    return width;
  }
}
