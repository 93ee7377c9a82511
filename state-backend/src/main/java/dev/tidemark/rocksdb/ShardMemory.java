package dev.tidemark.rocksdb;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.PriorityQueue;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * The records of one shard that are in memory: young ones, used since the last turn, and old ones.
 * Each record is in one of the two. A turn makes the young ones old; the old ones have to be gone
 * by then.
 */
final class ShardMemory {
  private RecordArena young;
  private RecordArena old;

  /** The value of {@link RecordArena#IN_BASE} that means: done. */
  private int inBase = RecordArena.IN_BASE;

  /** Counts how often addresses changed other than by a record's move to the end of the young. */
  private int turns;

  ShardMemory(MemoryMeter meter) {
    young = new RecordArena(meter);
    old = new RecordArena(meter);
  }

  RecordArena young() {
    return young;
  }

  RecordArena old() {
    return old;
  }

  int inBase() {
    return inBase;
  }

  int turns() {
    return turns;
  }

  boolean isEmpty() {
    return young.first() == RecordArena.NONE && old.first() == RecordArena.NONE;
  }

  /** From here on all records that are here now are to go to a base image. */
  void beginBase() {
    inBase ^= RecordArena.IN_BASE;
  }

  void clear() {
    young.clear();
    old.clear();
    inBase = RecordArena.IN_BASE;
    turns++;
  }

  /** Takes the records of a rebuilt shard in place of all others. */
  void adopt(RecordArena records) {
    clear();
    young = records;
  }

  /** Makes the young records the old ones, of which there are none. */
  void turn() {
    RecordArena empty = old;
    old = young;
    young = empty;
    turns++;
  }

  void dropOld() {
    old.clear();
    turns++;
  }

  void compactIfSparse(MemoryMeter meter) {
    if (young.isSparse()) {
      RecordArena copy = new RecordArena(meter);
      young.copyTo(copy);
      young.clear();
      young = copy;
      turns++;
    }
  }

  /** The address of a record among the young, where it is moved to if it is old. */
  int locate(byte[] key, long hash) {
    int address = young.find(key, 0, key.length, hash);
    if (address == RecordArena.NONE && old.count() > 0) {
      int aged = old.find(key, 0, key.length, hash);
      if (aged != RecordArena.NONE) {
        address = old.copyTo(aged, hash, young);
        old.unlink(aged, hash);
      }
    }
    return address;
  }

  /** Looks at a record where it is. */
  @Nullable View view(byte[] key) {
    long hash = KeyHash.hash(key, 0, key.length);
    int address = young.find(key, 0, key.length, hash);
    if (address != RecordArena.NONE) {
      return new View(young, address);
    }
    address = old.find(key, 0, key.length, hash);
    return address == RecordArena.NONE ? null : new View(old, address);
  }

  /**
   * The first keys with a prefix in ascending order, among them those of removed records.
   *
   * @param after only keys greater than this one; null for all
   */
  List<byte[]> keys(byte[] prefix, byte @Nullable [] after, int limit) {
    PriorityQueue<byte[]> least =
        new PriorityQueue<>(16, Collections.reverseOrder(Arrays::compareUnsigned));
    addKeys(young, prefix, after, limit, least);
    addKeys(old, prefix, after, limit, least);
    List<byte[]> sorted = new ArrayList<>(least);
    sorted.sort(Arrays::compareUnsigned);
    return sorted;
  }

  private static void addKeys(
      RecordArena arena,
      byte[] prefix,
      byte @Nullable [] after,
      int limit,
      PriorityQueue<byte[]> least) {
    for (int a = arena.first(); a != RecordArena.NONE; a = arena.next(a)) {
      if ((arena.flags(a) & RecordArena.DEAD) != 0
          || !arena.startsWith(a, prefix)
          || (after != null && compare(arena, a, after) <= 0)) {
        continue;
      }
      if (least.size() == limit) {
        if (compare(arena, a, least.peek()) > 0) {
          continue;
        }
        least.poll();
      }
      least.add(arena.key(a));
    }
  }

  private static int compare(RecordArena arena, int address, byte[] key) {
    int at = arena.keyAt(address);
    return Arrays.compareUnsigned(
        arena.chunk(address), at, at + arena.keyLength(address), key, 0, key.length);
  }

  /** A record and where it is. */
  record View(RecordArena arena, int address) {
    boolean has(int flag) {
      return (arena.flags(address) & flag) != 0;
    }
  }
}
