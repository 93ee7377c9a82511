package dev.tidemark.eventtime;

import java.io.ByteArrayOutputStream;

/** Unsigned LEB128 numbers of at most 63 bits, accepted only in their shortest form. */
final class Varints {
  private static final int MAX_BYTES = 9;

  private Varints() {}

  static void write(long value, ByteArrayOutputStream out) {
    long rest = value;
    while (rest > 0x7f) {
      out.write((int) (rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  static long zigzag(long value) {
    return (value << 1) ^ (value >> 63);
  }

  static long unzigzag(long value) {
    return (value >>> 1) ^ -(value & 1);
  }

  /** Reads from an array without allocating; whatever is amiss is an IllegalArgumentException. */
  static final class Reader {
    private final byte[] bytes;
    private final int end;
    private int position;

    Reader(byte[] bytes, int end) {
      this.bytes = bytes;
      this.end = end;
    }

    int position() {
      return position;
    }

    int remaining() {
      return end - position;
    }

    void seek(int to) {
      position = to;
    }

    long next() {
      long value = 0;
      for (int i = 0; i < MAX_BYTES; i++) {
        SketchBytes.check(position < end, "it is cut off");
        byte b = bytes[position++];
        value |= (long) (b & 0x7f) << (7 * i);
        if (b >= 0) {
          SketchBytes.check(b != 0 || i == 0, "a number is not in its shortest form");
          return value;
        }
      }
      throw new IllegalArgumentException("Cannot read event-time sketch: a number is too long.");
    }
  }
}
