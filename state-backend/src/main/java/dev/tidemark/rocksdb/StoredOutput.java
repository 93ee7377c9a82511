package dev.tidemark.rocksdb;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Builds stored arrays, one after another in the same buffer; see {@link StoredInput}. */
final class StoredOutput {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** A buffer larger than this is given back after use. */
  private static final int KEPT_BYTES = 1 << 17;

  private byte[] buffer = new byte[256];
  private int size;

  static int intAt(byte[] bytes, int offset) {
    return (int) INT.get(bytes, offset);
  }

  static long longAt(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset);
  }

  static void putInt(byte[] bytes, int offset, int value) {
    INT.set(bytes, offset, value);
  }

  static int varIntSize(int value) {
    return 1 + (31 - Integer.numberOfLeadingZeros(value | 1)) / 7;
  }

  StoredOutput begin(int version) {
    size = 0;
    return writeByte(version);
  }

  int size() {
    return size;
  }

  StoredOutput writeByte(int value) {
    ensure(1);
    buffer[size++] = (byte) value;
    return this;
  }

  StoredOutput writeInt(int value) {
    ensure(4);
    INT.set(buffer, size, value);
    size += 4;
    return this;
  }

  StoredOutput writeLong(long value) {
    ensure(8);
    LONG.set(buffer, size, value);
    size += 8;
    return this;
  }

  StoredOutput writeVarInt(int value) {
    ensure(5);
    int rest = value;
    while ((rest & ~0x7f) != 0) {
      buffer[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    buffer[size++] = (byte) rest;
    return this;
  }

  StoredOutput write(byte[] source, int offset, int length) {
    ensure(length);
    System.arraycopy(source, offset, buffer, size, length);
    size += length;
    return this;
  }

  void setByte(int offset, int value) {
    buffer[offset] = (byte) value;
  }

  void setInt(int offset, int value) {
    INT.set(buffer, offset, value);
  }

  void setLong(int offset, long value) {
    LONG.set(buffer, offset, value);
  }

  /** The array with its checksum. */
  byte[] finish() {
    writeInt(StoredInput.crc(buffer, 0, size));
    byte[] result = Arrays.copyOf(buffer, size);
    if (buffer.length > KEPT_BYTES) {
      buffer = new byte[256];
    }
    size = 0;
    return result;
  }

  private void ensure(int more) {
    if (more > buffer.length - size) {
      // Fails on overflow: an array of 2 GiB cannot be.
      int needed = Math.addExact(size, more);
      buffer = Arrays.copyOf(buffer, (int) Math.min(Math.max(needed, buffer.length * 2L), 1 << 30));
      if (buffer.length < needed) {
        buffer = Arrays.copyOf(buffer, needed);
      }
    }
  }
}
