package dev.tidemark.datafile;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing array of bytes, written front to back; not synchronized, unlike the JDK's streams. */
final class ByteSink {
  private byte[] bytes;
  private int size;

  ByteSink(int capacity) {
    this.bytes = new byte[capacity];
  }

  int size() {
    return size;
  }

  /** The array behind this sink; only the first {@link #size} bytes mean something. */
  byte[] bytes() {
    return bytes;
  }

  byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  void clear() {
    size = 0;
  }

  void writeByte(int value) {
    ensure(1);
    bytes[size++] = (byte) value;
  }

  void writeInt(int value) {
    ensure(Integer.BYTES);
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >>> shift);
    }
  }

  void writeLong(long value) {
    ensure(Long.BYTES);
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >>> shift);
    }
  }

  /** Seven bits a byte, lowest first; negative numbers take ten bytes. */
  void writeVarint(long value) {
    ensure(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  void writeBytes(byte[] value) {
    writeVarint(value.length);
    ensure(value.length);
    System.arraycopy(value, 0, bytes, size, value.length);
    size += value.length;
  }

  void writeText(String value) {
    writeBytes(value.getBytes(StandardCharsets.UTF_8));
  }

  private void ensure(int more) {
    if (bytes.length - size < more) {
      int wanted = Math.addExact(size, more);
      bytes = Arrays.copyOf(bytes, Math.max(wanted, (int) Math.min(2L * size, 1L << 30)));
    }
  }
}
