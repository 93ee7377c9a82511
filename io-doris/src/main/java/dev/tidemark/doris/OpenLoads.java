package dev.tidemark.doris;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Loads under way, at most one for each shard. A load leaves when it is large or old enough, and
 * the oldest leaves when all of them together take too much memory.
 */
final class OpenLoads implements AutoCloseable {
  /** Takes a load. What it throws, the bundle fails with. */
  @FunctionalInterface
  interface Leaving {
    void leave(ShardKey shard, LoadBody body, long sequence, long timestampMillis);
  }

  private static final class Open {
    final LoadBuilder builder;
    final long epoch;
    final long sequence;
    final long beganMillis;
    long timestampMillis = Long.MAX_VALUE;

    Open(LoadBuilder builder, long epoch, long sequence, long beganMillis) {
      this.builder = builder;
      this.epoch = epoch;
      this.sequence = sequence;
      this.beganMillis = beganMillis;
    }
  }

  private final LoadLimits limits;
  private final @Nullable String sequenceColumn;
  private final BufferAllocator allocator;

  /** In the order in which they began. */
  private final Map<ShardKey, Open> open = new LinkedHashMap<>();

  private long bytes;
  private long outdone;

  OpenLoads(LoadLimits limits, @Nullable String sequenceColumn, BufferAllocator allocator) {
    this.limits = limits;
    this.sequenceColumn = sequenceColumn;
    this.allocator = allocator;
  }

  /** Lets go the load of a shard if the part cannot be added to it; returns whether one is left. */
  boolean makeRoom(ShardKey shard, Part part, Leaving leaving) {
    Open load = open.get(shard);
    if (load == null) {
      return false;
    }
    boolean fits =
        load.builder.takes(part)
            && load.builder.rows() + (long) part.rows() <= limits.rows()
            && load.builder.bytes() + part.stream().length <= limits.bytes();
    if (!fits) {
      release(shard, leaving);
    }
    return fits;
  }

  /** Begins a load of a shard that has none under way. */
  void begin(ShardKey shard, long epoch, long sequence, long nowMillis) {
    open.put(
        shard,
        new Open(new LoadBuilder(shard, sequenceColumn, allocator), epoch, sequence, nowMillis));
  }

  /** Adds a part to the load of its shard. */
  void add(ShardKey shard, Part part, long timestampMillis, Leaving leaving) {
    Open load = open.get(shard);
    load.builder.add(part);
    load.timestampMillis = Math.min(load.timestampMillis, timestampMillis);
    bytes += part.stream().length;
    if (load.builder.rows() >= limits.rows() || load.builder.bytes() >= limits.bytes()) {
      release(shard, leaving);
    }
    while (bytes > limits.openBytes() && !open.isEmpty()) {
      release(open.keySet().iterator().next(), leaving);
    }
  }

  /** Lets go what has become too old; a clock that was set back makes a load old, too. */
  void releaseOld(long nowMillis, Leaving leaving) {
    Iterator<Map.Entry<ShardKey, Open>> oldest = open.entrySet().iterator();
    while (oldest.hasNext()) {
      Map.Entry<ShardKey, Open> first = oldest.next();
      long age = nowMillis - first.getValue().beganMillis;
      if (age >= 0 && age < limits.ageMillis()) {
        return;
      }
      release(first.getKey(), leaving);
      oldest = open.entrySet().iterator();
    }
  }

  /** Lets go everything. */
  void releaseAll(Leaving leaving) {
    while (!open.isEmpty()) {
      release(open.keySet().iterator().next(), leaving);
    }
  }

  private void release(ShardKey shard, Leaving leaving) {
    Open load = open.get(shard);
    long released = load.builder.bytes();
    int rows = load.builder.rows();
    LoadBody body = load.builder.build(load.epoch);
    outdone += rows - body.rows();
    open.remove(shard);
    bytes -= released;
    leaving.leave(shard, body, load.sequence, load.timestampMillis);
  }

  /** Rows since the last call that were left out, as a later part had their key. */
  long takeOutdone() {
    long taken = outdone;
    outdone = 0;
    return taken;
  }

  /** Drops what is under way, after a failure. */
  @Override
  public void close() {
    open.values().forEach(load -> load.builder.close());
    open.clear();
    bytes = 0;
  }
}
