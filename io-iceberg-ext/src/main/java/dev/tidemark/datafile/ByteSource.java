package dev.tidemark.datafile;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads what {@link ByteSink} wrote. Lengths are checked against what is left before anything is
 * allocated; anything odd is an {@link IllegalArgumentException}.
 */
final class ByteSource {
  private final byte[] bytes;
  private final int end;
  private int position;

  ByteSource(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.position = from;
    this.end = end;
  }

  int position() {
    return position;
  }

  boolean hasMore() {
    return position < end;
  }

  int readByte() {
    need(1);
    return bytes[position++];
  }

  long readLong() {
    need(Long.BYTES);
    long value = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      value = (value << 8) | (bytes[position++] & 0xff);
    }
    return value;
  }

  long readVarint() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      need(1);
      int next = bytes[position++];
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("number of more than 64 bits");
  }

  int readVarint32() {
    long value = readVarint();
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("number out of range");
    }
    return (int) value;
  }

  /** A number of things that take at least one byte each. */
  int readCount() {
    int count = readVarint32();
    if (count > end - position + 1) {
      throw new IllegalArgumentException("count exceeds what is left");
    }
    return count;
  }

  byte[] readBytes() {
    int length = readVarint32();
    need(length);
    position += length;
    return Arrays.copyOfRange(bytes, position - length, position);
  }

  String readText() {
    return new String(readBytes(), StandardCharsets.UTF_8);
  }

  void checkEnd() {
    if (position != end) {
      throw new IllegalArgumentException("bytes left over");
    }
  }

  private void need(int length) {
    if (length > end - position) {
      throw new IllegalArgumentException("ends too early");
    }
  }
}
