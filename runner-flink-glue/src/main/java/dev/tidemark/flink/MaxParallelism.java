package dev.tidemark.flink;

import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The number of key groups, which state is bound to. */
final class MaxParallelism {
  /** As many as shards of upserts, so that these spread evenly over any number of subtasks. */
  static final int DEFAULT = 1_024;

  private static final int MOST = KeyGroupRangeAssignment.UPPER_BOUND_MAX_PARALLELISM;

  private MaxParallelism() {}

  /** What is wrong with a value, and what to do; null if nothing is. */
  static @Nullable String problem(@Nullable Integer value) {
    if (value == null || value < 1) {
      return String.format(
          "Option maxParallelism is unset, and the keys of state depend on it; set --maxParallelism=%d at the"
              + " first start and keep it",
          DEFAULT);
    }
    if (value > MOST) {
      return String.format(
          "Option maxParallelism is %d; set --maxParallelism to at most %d", value, MOST);
    }
    return null;
  }
}
