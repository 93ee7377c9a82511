package dev.tidemark.rocksdb;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/** Hashes keys. Seeded once per process, so that no input can be made up to collide. */
final class KeyHash {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long SEED = new SecureRandom().nextLong();

  private KeyHash() {}

  static long hash(byte[] array, int offset, int length) {
    long hash = SEED ^ length * 0x9e3779b97f4a7c15L;
    int at = offset;
    int end = offset + length;
    for (; end - at >= 8; at += 8) {
      hash = mix(hash ^ (long) LONG.get(array, at));
    }
    if (at < end) {
      long rest = 0;
      for (; at < end; at++) {
        rest = (rest << 8) | (array[at] & 0xff);
      }
      hash = mix(hash ^ rest);
    }
    hash ^= hash >>> 29;
    hash *= 0xbf58476d1ce4e5b9L;
    return hash ^ (hash >>> 32);
  }

  private static long mix(long value) {
    long product = value * 0x9e3779b97f4a7c15L;
    return product ^ (product >>> 32) ^ SEED;
  }
}
