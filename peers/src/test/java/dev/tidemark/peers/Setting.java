package dev.tidemark.peers;

import com.google.common.collect.ImmutableList;
import dev.tidemark.candidates.UpsertStrategy;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What a materializer is set up with.
 *
 * @param columns the types of the columns, by position
 * @param sinkKey the columns of the sink's primary key
 * @param upsertKey the columns of the input's upsert key, none if there is none
 * @param thresholds when ADAPTIVE changes its layout; null for the released defaults
 * @param ttlMillis the time to live, only for LEGACY; 0 for ever
 */
record Setting(
    UpsertStrategy strategy,
    Backend backend,
    ImmutableList<ColumnType> columns,
    ImmutableList<Integer> sinkKey,
    ImmutableList<Integer> upsertKey,
    @Nullable Thresholds thresholds,
    long ttlMillis) {

  /** Where the released operator keeps its state. */
  enum Backend {
    HEAP,
    ROCKSDB
  }

  /**
   * When ADAPTIVE changes its layout.
   *
   * @param high a list becomes large when it reaches this number of candidates
   * @param low a list becomes small when it is back at this number of candidates
   */
  record Thresholds(int high, int low) {}

  Thresholds effectiveThresholds() {
    if (thresholds != null) {
      return thresholds;
    }
    return backend == Backend.HEAP ? new Thresholds(400, 300) : new Thresholds(50, 40);
  }

  boolean hasUpsertKey() {
    return !upsertKey.isEmpty();
  }

  boolean hasFloatUpsertKey() {
    return upsertKey.stream().anyMatch(column -> columns.get(column) == ColumnType.DOUBLE);
  }

  /** Whether the released operator may keep lists in the layout that FLINK-39740 breaks. */
  boolean mayHaveDefect() {
    return hasUpsertKey()
        && (strategy == UpsertStrategy.MAP || strategy == UpsertStrategy.ADAPTIVE);
  }
}
