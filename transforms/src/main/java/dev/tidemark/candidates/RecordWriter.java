package dev.tidemark.candidates;

import java.util.Arrays;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Writes one record after the other into the same array. */
final class RecordWriter {
  /** An array larger than this is not kept for the next record. */
  private static final int MAX_KEPT_BYTES = 1 << 20;

  private byte[] bytes = new byte[256];
  private int length;

  void open() {
    length = 0;
    if (bytes.length > MAX_KEPT_BYTES) {
      bytes = new byte[256];
    }
  }

  void writeByte(int value) {
    reserve(1);
    bytes[length++] = (byte) value;
  }

  void writeLong(long value) {
    reserve(Long.BYTES);
    for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      bytes[length++] = (byte) (value >>> shift);
    }
  }

  void writeVarint(long value) {
    reserve(9);
    long rest = value;
    while (rest > 0x7f) {
      bytes[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
  }

  void writeBytes(byte[] source, int offset, int count) {
    reserve(count);
    System.arraycopy(source, offset, bytes, length, count);
    length += count;
  }

  /** The record; the same array as {@code before} if that is equal. */
  byte[] recordOr(byte @Nullable [] before) {
    return before != null && Arrays.equals(before, 0, before.length, bytes, 0, length)
        ? before
        : Arrays.copyOf(bytes, length);
  }

  private void reserve(int count) {
    if (bytes.length - length < count) {
      bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(length, count), 2 * bytes.length));
    }
  }
}
