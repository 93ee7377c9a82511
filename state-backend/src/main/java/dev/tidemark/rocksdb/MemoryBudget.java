package dev.tidemark.rocksdb;

/** How the memory of a process is divided. */
record MemoryBudget(long heapBytes, long nativeBytes) {
  /** A quarter goes to RocksDB: most reads it gets are for what was not used for long. */
  static MemoryBudget of(long bytes) {
    return new MemoryBudget(bytes - bytes / 4, bytes / 4);
  }
}
