package dev.tidemark.candidates;

import java.util.Arrays;

/** The changes of a batch by sink key, those of a key in order of arrival. */
final class ChangeGroups {
  private static final int END = -1;
  private static final KeyedChanges EMPTY = KeyedChanges.builder().build();

  private KeyedChanges changes = EMPTY;

  /** A group plus one, or 0; by hash, with linear probing. */
  private int[] table = new int[0];

  private long[] hashes = new long[0];
  private int[] firsts = new int[0];
  private int[] lasts = new int[0];
  private int[] nexts = new int[0];
  private int size;

  /** Groups the changes of a batch, in place of those before. */
  void group(KeyedChanges batch) {
    changes = batch;
    size = 0;
    int count = batch.size();
    reserve(count);
    int mask = Integer.highestOneBit(Math.max(1, count)) * 4 - 1;
    Arrays.fill(table, 0, mask + 1, 0);
    byte[] data = batch.data();
    for (int change = 0; change < count; change++) {
      int offset = batch.keyOffset(change);
      int length = batch.keyLength(change);
      long hash = ByteHash.of(data, offset, length);
      int slot = (int) hash & mask;
      int group;
      while ((group = table[slot] - 1) >= 0 && !isOf(group, hash, offset, length)) {
        slot = (slot + 1) & mask;
      }
      nexts[change] = END;
      if (group >= 0) {
        nexts[lasts[group]] = change;
      } else {
        group = size++;
        table[slot] = size;
        hashes[group] = hash;
        firsts[group] = change;
      }
      lasts[group] = change;
    }
  }

  /** Forgets the changes. */
  void clear() {
    changes = EMPTY;
    size = 0;
  }

  KeyedChanges changes() {
    return changes;
  }

  /** The number of keys. */
  int size() {
    return size;
  }

  /** A hash of the key of a group. */
  long hash(int group) {
    return hashes[group];
  }

  /** The first change of a group. */
  int first(int group) {
    return firsts[group];
  }

  /** The next change of the same group; negative after the last. */
  int next(int change) {
    return nexts[change];
  }

  private boolean isOf(int group, long hash, int offset, int length) {
    if (hashes[group] != hash) {
      return false;
    }
    int first = firsts[group];
    int firstOffset = changes.keyOffset(first);
    return Arrays.equals(
        changes.data(),
        firstOffset,
        firstOffset + changes.keyLength(first),
        changes.data(),
        offset,
        offset + length);
  }

  private void reserve(int count) {
    if (count > nexts.length) {
      int capacity = Math.max(count, 64);
      hashes = new long[capacity];
      firsts = new int[capacity];
      lasts = new int[capacity];
      nexts = new int[capacity];
    }
    int slots = Integer.highestOneBit(Math.max(1, count)) * 4;
    if (slots > table.length) {
      table = new int[slots];
    }
  }
}
