package dev.tidemark.rocksdb;

import org.checkerframework.checker.nullness.qual.Nullable;

/** What a store has of one shard. */
final class LocalShard {
  final int number;
  final ShardMemory memory;

  /** The state the records are in; null while they are invalid. */
  @Nullable Fence fence;

  /** Makes the fences of the next batches. */
  Fence attempt = Fence.draw(0);

  /** The base image under way. */
  @Nullable BaseBuild build;

  /** Whether the files come from a checkpoint and were not looked at yet. */
  boolean unverified;

  /** Whether it was said that the shard is large. */
  boolean warned;

  private final MemoryMeter meter;
  private boolean inFiles;
  private long below;
  private @Nullable PresenceFilter filter;

  LocalShard(int number, MemoryMeter meter) {
    this.number = number;
    this.meter = meter;
    this.memory = new ShardMemory(meter);
  }

  /** Whether files have, or had, any record of this shard. */
  boolean inFiles() {
    return inFiles;
  }

  /** The count of records in files, older versions and those removed in memory included. */
  long below() {
    return below;
  }

  boolean mayBeBelow(long hash) {
    return inFiles && (filter == null || filter.mayContain(hash));
  }

  /** Notes that files have a record they did not have. */
  void addBelow(long hash) {
    if (!inFiles) {
      inFiles = true;
      filter = new PresenceFilter(meter, 0);
    }
    below++;
    if (filter != null) {
      filter.add(hash);
    }
    if (build != null) {
      build.addBelow(hash);
    }
  }

  /** Takes over what files have from before this store. */
  void adoptFiles(long records, PresenceFilter newFilter) {
    inFiles = true;
    unverified = false;
    below = records;
    setFilter(newFilter);
  }

  void removeBelow(long records) {
    below -= records;
  }

  /** Sets the filter; null if it would not pay. */
  void setFilter(@Nullable PresenceFilter newFilter) {
    if (filter != null) {
      filter.release();
    }
    filter = newFilter;
  }

  /** Does without filters until the next base image. */
  void dropFilters() {
    setFilter(null);
    if (build != null) {
      build.dropFilter();
    }
  }

  /** Forgets all but the fence. */
  void clear() {
    memory.clear();
    if (build != null) {
      build.release();
      build = null;
    }
    setFilter(null);
    inFiles = false;
    unverified = false;
    below = 0;
  }
}
