package dev.tidemark.upsert;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.candidates.CorruptStateException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A place in stored bytes. It never leaves its range, and it refuses whatever {@link
 * EncodingBuffer} would not have written: each value has one form.
 */
final class DecodingCursor {
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final int MAX_VARINT_SHIFT = 28;
  private static final char REPLACEMENT = '\ufffd';

  private final byte[] bytes;
  private final int end;
  private int position;

  DecodingCursor(byte[] bytes, int offset, int length) {
    if (offset < 0 || length < 0 || length > bytes.length - offset) {
      throw corrupt(
          String.format("range %d+%d lies outside of %d bytes", offset, length, bytes.length));
    }
    this.bytes = bytes;
    this.position = offset;
    this.end = offset + length;
  }

  static CorruptStateException corrupt(String reason) {
    return corrupt(reason, null);
  }

  static CorruptStateException corrupt(String reason, Throwable cause) {
    return new CorruptStateException(
        "Cannot read a stored row: "
            + reason
            + ". Its bytes were altered, or written with another schema. Restore a savepoint of"
            + " this schema",
        cause);
  }

  int position() {
    return position;
  }

  int remaining() {
    return end - position;
  }

  void expectEnd() {
    if (position != end) {
      throw corrupt(String.format("%d bytes too many", remaining()));
    }
  }

  byte getByte() {
    return bytes[advance(1)];
  }

  short getShort() {
    return (short) SHORTS.get(bytes, advance(Short.BYTES));
  }

  int getInt() {
    return (int) INTS.get(bytes, advance(Integer.BYTES));
  }

  long getLong() {
    return (long) LONGS.get(bytes, advance(Long.BYTES));
  }

  /** A byte that is 0 or 1. */
  boolean getFlag() {
    byte value = getByte();
    if (value != 0 && value != 1) {
      throw corrupt("a flag is neither 0 nor 1");
    }
    return value == 1;
  }

  int getVarint() {
    int value = 0;
    for (int shift = 0; shift <= MAX_VARINT_SHIFT; shift += 7) {
      byte b = getByte();
      value |= (b & 0x7f) << shift;
      if (b >= 0) {
        if ((b == 0 && shift > 0) || (shift == MAX_VARINT_SHIFT && b > 0x0f)) {
          throw corrupt("a number is not in its shortest form");
        }
        return value;
      }
    }
    throw corrupt("a number is too long");
  }

  /** A length of something that takes at least one byte for each. */
  int getLength() {
    int length = getVarint();
    if (length < 0 || length > remaining()) {
      throw corrupt(String.format("length %d where %d bytes are left", length, remaining()));
    }
    return length;
  }

  byte[] getBytes(int length) {
    int from = advance(length);
    return Arrays.copyOfRange(bytes, from, from + length);
  }

  String getString(int length) {
    int from = advance(length);
    String text = new String(bytes, from, length, UTF_8);
    // The replacement character stands for malformed bytes, or for itself.
    if (text.indexOf(REPLACEMENT) >= 0
        && !Arrays.equals(text.getBytes(UTF_8), Arrays.copyOfRange(bytes, from, from + length))) {
      throw corrupt("a text is not UTF-8");
    }
    return text;
  }

  /** Skips bits and returns where they begin; those beyond the last have to be clear. */
  int getBitmap(int bits) {
    if (bits < 0 || bits > 8L * remaining()) {
      throw corrupt(String.format("%d elements where %d bytes are left", bits, remaining()));
    }
    int begin = advance((bits + 7) >>> 3);
    if ((bits & 7) != 0 && ((bytes[position - 1] & 0xff) >>> (bits & 7)) != 0) {
      throw corrupt("a bit is set beyond the last field");
    }
    return begin;
  }

  boolean isBitSet(int bitmap, int bit) {
    return (bytes[bitmap + (bit >>> 3)] & (1 << (bit & 7))) != 0;
  }

  /** Compares two ranges before this place as unsigned bytes. */
  int compare(int from, int to, int otherFrom, int otherTo) {
    return Arrays.compareUnsigned(bytes, from, to, bytes, otherFrom, otherTo);
  }

  private int advance(int length) {
    if (length > end - position) {
      throw corrupt(String.format("%d bytes are missing", length - (end - position)));
    }
    int from = position;
    position += length;
    return from;
  }
}
