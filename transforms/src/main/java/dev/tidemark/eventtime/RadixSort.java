package dev.tidemark.eventtime;

import java.util.Arrays;

/**
 * Sorts event times. Those of a batch lie within hours or days of each other, so that their
 * distance from the earliest has three or four significant bytes: two or three passes over digits
 * of as many bits as the batch is large for take a fraction of what comparing takes. Gives what
 * {@link Arrays#sort(long[])} gives.
 */
final class RadixSort {
  /** The counts of wider digits leave the fastest cache. */
  private static final int MAX_DIGIT_BITS = 12;

  /** Fewer values are compared sooner than counted. */
  private static final int LEAST_VALUES = 128;

  // Made when first needed: most sketches of small bundles never do.
  private int[] ends = new int[0];
  private long[] spare = new long[0];

  /** Sorts the first {@code size} values, none further from another than a long can tell. */
  void sort(long[] values, int size) {
    if (size < LEAST_VALUES) {
      Arrays.sort(values, 0, size);
      return;
    }
    long min = values[0];
    long max = values[0];
    boolean sorted = true;
    for (int i = 1; i < size; i++) {
      long value = values[i];
      sorted &= values[i - 1] <= value;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
    if (!sorted) {
      sort(values, size, min, Long.SIZE - Long.numberOfLeadingZeros(max - min));
    }
  }

  private void sort(long[] values, int size, long min, int bits) {
    // At least as many values as digits, or else clearing and adding up counts takes longest.
    int widest = Math.min(MAX_DIGIT_BITS, Integer.SIZE - 1 - Integer.numberOfLeadingZeros(size));
    int passes = (bits + widest - 1) / widest;
    int digitBits = (bits + passes - 1) / passes;
    if (spare.length < size) {
      spare = new long[size];
    }
    if (ends.length < 1 << digitBits) {
      ends = new int[1 << digitBits];
    }
    long[] from = values;
    long[] to = spare;
    for (int pass = 0; pass < passes; pass++) {
      pass(from, to, size, min, pass * digitBits, digitBits);
      long[] swapped = from;
      from = to;
      to = swapped;
    }
    if (from != values) {
      System.arraycopy(from, 0, values, 0, size);
    }
  }

  /** Moves values in the order of one digit; those with the same keep their order. */
  private void pass(long[] from, long[] to, int size, long min, int shift, int digitBits) {
    int digits = 1 << digitBits;
    int mask = digits - 1;
    Arrays.fill(ends, 0, digits, 0);
    for (int i = 0; i < size; i++) {
      ends[(int) ((from[i] - min) >>> shift) & mask]++;
    }
    int end = 0;
    for (int digit = 0; digit < digits; digit++) {
      end += ends[digit];
      ends[digit] = end;
    }
    for (int i = size - 1; i >= 0; i--) {
      long value = from[i];
      to[--ends[(int) ((value - min) >>> shift) & mask]] = value;
    }
  }
}
