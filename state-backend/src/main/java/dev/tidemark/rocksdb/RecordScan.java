package dev.tidemark.rocksdb;

import dev.tidemark.candidates.ShardRecords.Visitor;
import java.util.Arrays;
import java.util.List;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * One pass over records of a shard in the order of keys, from memory and files together. The memory
 * has no order: its keys are picked from it some at a time, the least first.
 */
final class RecordScan {
  private static final int FIRST_KEYS = 64;
  private static final int MORE = 8;
  private static final int MOST_KEYS = 1 << 16;

  private final ShardMemory memory;
  private final byte[] prefix;
  private List<byte[]> keys;
  private int limit = FIRST_KEYS;
  private int next;

  private RecordScan(ShardMemory memory, byte[] prefix, byte @Nullable [] after) {
    this.memory = memory;
    this.prefix = prefix;
    this.keys = memory.keys(prefix, after, limit);
  }

  static void run(
      LocalShard shard, StoreFiles files, byte[] prefix, byte @Nullable [] after, Visitor visitor) {
    RecordScan scan = new RecordScan(shard.memory, prefix, after);
    if (!shard.inFiles()) {
      while (scan.key() != null) {
        if (!scan.visit(visitor)) {
          return;
        }
      }
      return;
    }
    try (StoreFiles.Cursor cursor = files.cursor(shard.number, prefix, after)) {
      scan.merge(cursor, visitor);
    }
  }

  private void merge(StoreFiles.Cursor cursor, Visitor visitor) {
    while (true) {
      byte[] inMemory = key();
      byte[] inFiles = cursor.isValid() ? cursor.key() : null;
      if (inMemory == null && inFiles == null) {
        return;
      }
      int order =
          inMemory == null ? 1 : inFiles == null ? -1 : Arrays.compareUnsigned(inMemory, inFiles);
      boolean more = order > 0 ? visitor.visit(inFiles, cursor.value()) : visit(visitor);
      if (!more) {
        return;
      }
      if (order >= 0) {
        cursor.next();
      }
    }
  }

  /** The next key in memory; null after the last. */
  private byte @Nullable [] key() {
    if (next == keys.size()) {
      if (keys.size() < limit) {
        return null;
      }
      limit = Math.min(limit * MORE, MOST_KEYS);
      keys = memory.keys(prefix, keys.get(keys.size() - 1), limit);
      next = 0;
      if (keys.isEmpty()) {
        return null;
      }
    }
    return keys.get(next);
  }

  private boolean visit(Visitor visitor) {
    byte[] key = keys.get(next++);
    ShardMemory.View view = memory.view(key);
    return view == null
        || view.has(RecordArena.REMOVED)
        || visitor.visit(key, view.arena().value(view.address()));
  }
}
