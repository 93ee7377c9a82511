package dev.tidemark.rocksdb;

import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A base image under way, a part of it after each batch. Records that change after it was begun
 * need not be in it, since its journal has them, so the records in memory are taken as they lie
 * there, and then those in files in the order of keys; what moves from memory to files meanwhile is
 * met there.
 *
 * <p>Where it stands is known to this object only: after a rebuild of the shard it is begun again.
 */
final class BaseBuild {
  private final LocalShard shard;
  private final MemoryMeter meter;
  private int turns = -1;
  private boolean inOld;
  private int next;
  private boolean memoryDone;
  private byte @Nullable [] cursor;
  private @Nullable PresenceFilter filter;
  private boolean filters = true;

  BaseBuild(LocalShard shard, MemoryMeter meter) {
    this.shard = shard;
    this.meter = meter;
    shard.memory.beginBase();
  }

  /** Notes that files have a record they did not have. */
  void addBelow(long hash) {
    if (filter != null) {
      filter.add(hash);
    }
  }

  /** Adds to the image until it has grown by a number of bytes. Returns whether it is whole. */
  boolean step(BaseChunks chunks, StoreFiles files, long limit) {
    if (!memoryDone && !stepMemory(chunks, limit)) {
      return false;
    }
    memoryDone = true;
    if (!shard.inFiles()) {
      return true;
    }
    if (filter == null && filters) {
      filter = new PresenceFilter(meter, shard.below() + shard.below() / 4);
    }
    if (!stepFiles(chunks, files, limit)) {
      return false;
    }
    shard.setFilter(filter);
    filter = null;
    return true;
  }

  /** Goes on without a filter of what is in files. */
  void dropFilter() {
    filters = false;
    release();
  }

  void release() {
    if (filter != null) {
      filter.release();
      filter = null;
    }
  }

  private boolean stepMemory(BaseChunks chunks, long limit) {
    ShardMemory memory = shard.memory;
    if (turns != memory.turns()) {
      // Addresses changed. What is done already is passed over.
      turns = memory.turns();
      inOld = true;
      next = memory.old().first();
    }
    while (true) {
      RecordArena arena = inOld ? memory.old() : memory.young();
      for (; next != RecordArena.NONE; next = arena.next(next)) {
        if (chunks.bytes() >= limit) {
          return false;
        }
        add(chunks, arena, next);
      }
      if (!inOld) {
        return true;
      }
      inOld = false;
      next = memory.young().first();
    }
  }

  private void add(BaseChunks chunks, RecordArena arena, int address) {
    int flags = arena.flags(address);
    if ((flags & RecordArena.DEAD) != 0 || (flags & RecordArena.IN_BASE) == shard.memory.inBase()) {
      return;
    }
    arena.setFlags(address, flags ^ RecordArena.IN_BASE);
    // Clean ones are met in the files.
    if ((flags & (RecordArena.DIRTY | RecordArena.REMOVED)) == RecordArena.DIRTY) {
      byte[] chunk = arena.chunk(address);
      int keyAt = arena.keyAt(address);
      int keyLength = arena.keyLength(address);
      chunks.put(chunk, keyAt, keyLength, chunk, keyAt + keyLength, arena.valueLength(address));
    }
  }

  private boolean stepFiles(BaseChunks chunks, StoreFiles files, long limit) {
    @Nullable PresenceFilter newFilter = filter;
    return files.scan(
        shard.number,
        new byte[0],
        cursor,
        (key, value) -> {
          if (chunks.bytes() >= limit) {
            return false;
          }
          cursor = key;
          if (newFilter != null) {
            newFilter.add(KeyHash.hash(key, 0, key.length));
          }
          ShardMemory.View view = shard.memory.view(key);
          if (view == null || !view.has(RecordArena.DIRTY)) {
            chunks.put(key, 0, key.length, value, 0, value.length);
          }
          return true;
        });
  }
}
