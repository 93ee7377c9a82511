package dev.tidemark.candidates;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** A fast hash of bytes, the same on all machines. Not meant to withstand chosen input. */
final class ByteHash {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long FACTOR = 0x9e3779b97f4a7c15L;
  private static final long START = 0xd6e8feb86659fd93L;

  private ByteHash() {}

  static long of(byte[] bytes, int offset, int length) {
    long hash = START ^ length;
    int at = offset;
    int end = offset + length;
    for (; end - at >= Long.BYTES; at += Long.BYTES) {
      hash = mix(hash ^ (long) LONGS.get(bytes, at));
    }
    if (at < end) {
      long rest = 0;
      for (; at < end; at++) {
        rest = rest << 8 | (bytes[at] & 0xff);
      }
      hash = mix(hash ^ rest);
    }
    return mix(hash);
  }

  static long mix(long value) {
    long product = value * FACTOR;
    return product ^ Math.multiplyHigh(value, FACTOR) ^ product >>> 29;
  }
}
