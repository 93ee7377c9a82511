package dev.tidemark.upsert;

import dev.tidemark.candidates.KeyedChanges;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Collects changes into a batch for each shard. At most one batch of a shard is under way, and
 * changes leave in the order in which they came.
 */
final class ShardBuffers {
  /** Bounds all batches under way together, however many shards there are. */
  static final long MAX_BYTES = 32L << 20;

  /** A batch that leaves. */
  record Batch(int shard, KeyedChanges changes, long oldestTimestampMillis) {}

  private final BatchLimits limits;

  /** By shard, in the order in which the batches began, so that the first one is the oldest. */
  private final Map<Integer, Buffer> open = new LinkedHashMap<>();

  private long bytes;

  /** Where the next change is added. */
  private @Nullable Buffer current;

  /** A batch under way. */
  private static final class Buffer {
    final KeyedChanges.Builder changes = KeyedChanges.builder();
    final long beganMillis;
    long oldestTimestampMillis = Long.MAX_VALUE;

    Buffer(long beganMillis) {
      this.beganMillis = beganMillis;
    }
  }

  ShardBuffers(BatchLimits limits) {
    this.limits = limits;
  }

  /** Where the next change of a shard is to be added, followed by {@link #added}. */
  KeyedChanges.Builder changes(int shard, long nowMillis) {
    Buffer buffer = open.get(shard);
    if (buffer == null) {
      buffer = new Buffer(nowMillis);
      open.put(shard, buffer);
    }
    current = buffer;
    return buffer.changes;
  }

  /** Counts a change that was added, and lets go what has grown too large. */
  void added(int shard, int addedBytes, long timestampMillis, Consumer<Batch> out) {
    Buffer buffer = current;
    bytes += addedBytes;
    buffer.oldestTimestampMillis = Math.min(buffer.oldestTimestampMillis, timestampMillis);
    if (buffer.changes.size() >= limits.rows() || buffer.changes.bytes() >= limits.bytes()) {
      open.remove(shard);
      release(shard, buffer, out);
    }
    while (bytes > MAX_BYTES) {
      releaseFirst(out);
    }
  }

  /** Lets go what has become too old; a clock that was set back makes a batch old, too. */
  void releaseOld(long nowMillis, Consumer<Batch> out) {
    while (!open.isEmpty()) {
      long age = nowMillis - open.values().iterator().next().beganMillis;
      if (age >= 0 && age < limits.ageMillis()) {
        return;
      }
      releaseFirst(out);
    }
  }

  /** Lets go everything. */
  void releaseAll(Consumer<Batch> out) {
    while (!open.isEmpty()) {
      releaseFirst(out);
    }
  }

  private void releaseFirst(Consumer<Batch> out) {
    Iterator<Map.Entry<Integer, Buffer>> entries = open.entrySet().iterator();
    Map.Entry<Integer, Buffer> first = entries.next();
    int shard = first.getKey();
    Buffer buffer = first.getValue();
    entries.remove();
    release(shard, buffer, out);
  }

  private void release(int shard, Buffer buffer, Consumer<Batch> out) {
    bytes -= buffer.changes.bytes();
    out.accept(new Batch(shard, buffer.changes.build(), buffer.oldestTimestampMillis));
  }
}
