package dev.tidemark.rocksdb;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/** A set of prefixes that answers whether a key has one of them. */
final class RemovedPrefixes {
  private final Set<ByteBuffer> prefixes = new HashSet<>();
  private final TreeSet<Integer> lengths = new TreeSet<>();

  void add(byte[] prefix) {
    prefixes.add(ByteBuffer.wrap(prefix));
    lengths.add(prefix.length);
  }

  boolean cover(byte[] array, int keyAt, int keyLength) {
    for (int length : lengths) {
      if (length > keyLength) {
        return false;
      }
      if (prefixes.contains(ByteBuffer.wrap(array, keyAt, length))) {
        return true;
      }
    }
    return false;
  }
}
