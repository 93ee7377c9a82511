package dev.tidemark.upsert;

import dev.tidemark.arrow.ArrowAllocators;
import dev.tidemark.arrow.ChangeBatch;
import dev.tidemark.arrow.ChangeBatchGather;
import dev.tidemark.arrow.OpenChangeBatch;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Collects rows of change batches into one batch for each shard. The batches that rows come from
 * stay open until all have left. At most one batch of a shard is under way, and rows leave in the
 * order in which they came.
 */
final class ShardRows implements AutoCloseable {
  private final BatchLimits limits;
  private final long maxOpenBytes;
  private final BufferAllocator allocator = ArrowAllocators.child("PackByShard");
  private final List<OpenChangeBatch> open = new ArrayList<>();
  private long openBytes;

  /** By shard, in the order in which the batches began, so that the first one is the oldest. */
  private final Map<Integer, Pending> pending = new LinkedHashMap<>();

  /** A batch that leaves. */
  record Batch(int shard, ChangeBatch changes, long oldestTimestampMillis) {}

  /** A batch under way. */
  private static final class Pending {
    final ChangeBatchGather rows = new ChangeBatchGather();
    final long beganMillis;
    long oldestTimestampMillis = Long.MAX_VALUE;
    long bytes;

    Pending(long beganMillis) {
      this.beganMillis = beganMillis;
    }
  }

  /**
   * No rows.
   *
   * @param maxOpenBytes beyond this many bytes of open batches all rows leave
   */
  ShardRows(BatchLimits limits, long maxOpenBytes) {
    this.limits = limits;
    this.maxOpenBytes = maxOpenBytes;
  }

  /** Opens a batch, whose rows are then added. */
  OpenChangeBatch open(ChangeBatch batch) {
    OpenChangeBatch opened = batch.open(allocator);
    open.add(opened);
    openBytes += batch.ipc().length;
    return opened;
  }

  /** Adds a row of the batch opened last, and lets go what has grown too large. */
  void add(
      int shard,
      OpenChangeBatch batch,
      int row,
      long timestampMillis,
      long nowMillis,
      Consumer<Batch> out) {
    Pending rows = pending.computeIfAbsent(shard, none -> new Pending(nowMillis));
    rows.rows.add(batch, row, batch.batch().kind(row), timestampMillis);
    rows.oldestTimestampMillis = Math.min(rows.oldestTimestampMillis, timestampMillis);
    rows.bytes += batch.batch().ipc().length / batch.batch().rows();
    if (rows.rows.rows() >= limits.rows() || rows.bytes >= limits.bytes()) {
      pending.remove(shard);
      release(shard, rows, out);
    }
  }

  /** To be called when all rows of a batch were added. */
  void added(Consumer<Batch> out) {
    if (openBytes > maxOpenBytes) {
      releaseAll(out);
    } else if (pending.isEmpty()) {
      closeBatches();
    }
  }

  /** Lets go what has become too old; a clock that was set back makes a batch old, too. */
  void releaseOld(long nowMillis, Consumer<Batch> out) {
    while (!pending.isEmpty()) {
      long age = nowMillis - pending.values().iterator().next().beganMillis;
      if (age >= 0 && age < limits.ageMillis()) {
        return;
      }
      releaseFirst(out);
    }
    closeBatches();
  }

  /** Lets go everything. */
  void releaseAll(Consumer<Batch> out) {
    while (!pending.isEmpty()) {
      releaseFirst(out);
    }
    closeBatches();
  }

  private void releaseFirst(Consumer<Batch> out) {
    Iterator<Map.Entry<Integer, Pending>> entries = pending.entrySet().iterator();
    Map.Entry<Integer, Pending> first = entries.next();
    int shard = first.getKey();
    Pending rows = first.getValue();
    entries.remove();
    release(shard, rows, out);
  }

  private void release(int shard, Pending rows, Consumer<Batch> out) {
    out.accept(new Batch(shard, rows.rows.build(allocator), rows.oldestTimestampMillis));
  }

  private void closeBatches() {
    open.forEach(OpenChangeBatch::close);
    open.clear();
    openBytes = 0;
  }

  /** Bytes outside of the heap. */
  long outstandingBytes() {
    return allocator.getAllocatedMemory();
  }

  /** Gives the memory back; rows that have not left are dropped. */
  @Override
  public void close() {
    pending.clear();
    closeBatches();
    allocator.close();
  }
}
