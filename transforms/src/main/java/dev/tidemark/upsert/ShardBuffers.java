package dev.tidemark.upsert;

import dev.tidemark.candidates.KeyedChanges;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Collects changes into a batch for each shard. At most one batch of a shard is under way, and
 * changes leave in the order in which they came.
 */
final class ShardBuffers {
  /** Bounds all batches under way together, however many shards there are. */
  static final long MAX_BYTES = 32L << 20;

  /**
   * Bounds what is kept of builders for batches to come: a builder that has grown costs nothing.
   */
  private static final long MAX_IDLE_BYTES = 8L << 20;

  /** A batch that leaves. */
  record Batch(int shard, KeyedChanges changes, long oldestTimestampMillis) {}

  private final BatchLimits limits;
  private final @Nullable Buffer[] open;
  private final ArrayDeque<KeyedChanges.Builder> idle = new ArrayDeque<>();
  private long idleBytes;

  /** The batches in the order in which they began. */
  private @Nullable Buffer oldest;

  private @Nullable Buffer newest;
  private long bytes;

  /** Where the next change is added. */
  private @Nullable Buffer current;

  /** A batch under way. */
  private static final class Buffer {
    final int shard;
    final KeyedChanges.Builder changes;
    final long beganMillis;
    long oldestTimestampMillis = Long.MAX_VALUE;
    @Nullable Buffer older;
    @Nullable Buffer newer;

    Buffer(int shard, KeyedChanges.Builder changes, long beganMillis) {
      this.shard = shard;
      this.changes = changes;
      this.beganMillis = beganMillis;
    }
  }

  ShardBuffers(BatchLimits limits, int shards) {
    this.limits = limits;
    this.open = new Buffer[shards];
  }

  /** Where the next change of a shard is to be added, followed by {@link #added}. */
  KeyedChanges.Builder changes(int shard, long nowMillis) {
    Buffer buffer = open[shard];
    if (buffer == null) {
      buffer = begin(shard, nowMillis);
    }
    current = buffer;
    return buffer.changes;
  }

  /** Counts a change that was added, and lets go what has grown too large. */
  void added(int addedBytes, long timestampMillis, Consumer<Batch> out) {
    Buffer buffer = current;
    bytes += addedBytes;
    buffer.oldestTimestampMillis = Math.min(buffer.oldestTimestampMillis, timestampMillis);
    if (buffer.changes.size() >= limits.rows() || buffer.changes.bytes() >= limits.bytes()) {
      release(buffer, out);
    }
    while (bytes > MAX_BYTES) {
      release(oldest, out);
    }
  }

  /** Lets go what has become too old; a clock that was set back makes a batch old, too. */
  void releaseOld(long nowMillis, Consumer<Batch> out) {
    while (oldest != null) {
      long age = nowMillis - oldest.beganMillis;
      if (age >= 0 && age < limits.ageMillis()) {
        return;
      }
      release(oldest, out);
    }
  }

  /** Lets go everything. */
  void releaseAll(Consumer<Batch> out) {
    while (oldest != null) {
      release(oldest, out);
    }
  }

  private Buffer begin(int shard, long nowMillis) {
    KeyedChanges.Builder changes = idle.poll();
    if (changes == null) {
      changes = KeyedChanges.builder();
    } else {
      idleBytes -= changes.heldBytes();
    }
    Buffer buffer = new Buffer(shard, changes, nowMillis);
    buffer.older = newest;
    if (newest == null) {
      oldest = buffer;
    } else {
      newest.newer = buffer;
    }
    newest = buffer;
    open[shard] = buffer;
    return buffer;
  }

  private void release(Buffer buffer, Consumer<Batch> out) {
    remove(buffer);
    bytes -= buffer.changes.bytes();
    KeyedChanges changes = buffer.changes.build();
    if (idleBytes + buffer.changes.heldBytes() <= MAX_IDLE_BYTES) {
      idleBytes += buffer.changes.heldBytes();
      idle.push(buffer.changes);
    }
    out.accept(new Batch(buffer.shard, changes, buffer.oldestTimestampMillis));
  }

  private void remove(Buffer buffer) {
    open[buffer.shard] = null;
    if (buffer.older == null) {
      oldest = buffer.newer;
    } else {
      buffer.older.newer = buffer.newer;
    }
    if (buffer.newer == null) {
      newest = buffer.older;
    } else {
      buffer.newer.older = buffer.older;
    }
  }
}
