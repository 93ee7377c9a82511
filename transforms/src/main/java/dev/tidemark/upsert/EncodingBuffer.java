package dev.tidemark.upsert;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.arrow.memory.ArrowBuf;

/** Bytes under construction, in an array that is used again. */
final class EncodingBuffer {
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final int INITIAL_BYTES = 256;
  // A buffer that one huge row has blown up is not kept for the small ones that follow.
  private static final int MAX_KEPT_BYTES = 1 << 20;

  private byte[] bytes;
  private int end;

  EncodingBuffer() {
    this(INITIAL_BYTES);
  }

  /** A buffer with room for so many bytes at first. */
  EncodingBuffer(int room) {
    this.bytes = new byte[room];
  }

  /** The array in which the bytes lie, from its beginning; replaced when it gets too small. */
  byte[] array() {
    return bytes;
  }

  int end() {
    return end;
  }

  void clear() {
    end = 0;
    if (bytes.length > MAX_KEPT_BYTES) {
      bytes = new byte[INITIAL_BYTES];
    }
  }

  byte[] toByteArray() {
    return Arrays.copyOf(bytes, end);
  }

  byte[] copyOfRange(int from, int to) {
    return Arrays.copyOfRange(bytes, from, to);
  }

  /** Compares two ranges as unsigned bytes. */
  int compare(int from, int to, int otherFrom, int otherTo) {
    return Arrays.compareUnsigned(bytes, from, to, bytes, otherFrom, otherTo);
  }

  /** Goes back to a smaller end, dropping what lies beyond. */
  void truncate(int newEnd) {
    end = newEnd;
  }

  void putByte(int value) {
    reserve(1);
    bytes[end++] = (byte) value;
  }

  void putShort(short value) {
    reserve(Short.BYTES);
    SHORTS.set(bytes, end, value);
    end += Short.BYTES;
  }

  void putInt(int value) {
    reserve(Integer.BYTES);
    INTS.set(bytes, end, value);
    end += Integer.BYTES;
  }

  void putLong(long value) {
    reserve(Long.BYTES);
    LONGS.set(bytes, end, value);
    end += Long.BYTES;
  }

  /** Seven bits a byte, low ones first; negative numbers take five bytes. */
  void putVarint(int value) {
    reserve(5);
    int rest = value;
    while ((rest & ~0x7f) != 0) {
      bytes[end++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[end++] = (byte) rest;
  }

  void putBytes(byte[] value) {
    reserve(value.length);
    System.arraycopy(value, 0, bytes, end, value.length);
    end += value.length;
  }

  void putBuffer(ArrowBuf source, long from, int length) {
    reserve(length);
    source.getBytes(from, bytes, end, length);
    end += length;
  }

  /** Whether all bytes from a place on are below 128. */
  boolean isAscii(int from) {
    int all = 0;
    for (int i = from; i < end; i++) {
      all |= bytes[i];
    }
    return all >= 0;
  }

  void putAll(EncodingBuffer other) {
    reserve(other.end);
    System.arraycopy(other.bytes, 0, bytes, end, other.end);
    end += other.end;
  }

  /** Bits, all clear at first; returns where they begin. */
  int putBitmap(int bits) {
    int length = (bits + 7) >>> 3;
    reserve(length);
    int begin = end;
    end += length;
    Arrays.fill(bytes, begin, end, (byte) 0);
    return begin;
  }

  void setBit(int bitmap, int bit) {
    bytes[bitmap + (bit >>> 3)] |= (byte) (1 << (bit & 7));
  }

  private void reserve(int more) {
    if (bytes.length - end < more) {
      int needed = Math.addExact(end, more);
      bytes = Arrays.copyOf(bytes, Math.max(needed, (int) Math.min(2L * bytes.length, 1L << 30)));
    }
  }
}
