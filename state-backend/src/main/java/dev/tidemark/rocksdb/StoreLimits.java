package dev.tidemark.rocksdb;

/**
 * What the stores of a process may use.
 *
 * @param heapBytes for records and filters of all stores together
 * @param nativeBytes for RocksDB
 * @param stepBytes what a batch adds to a base image under way, if it is not large itself
 */
record StoreLimits(long heapBytes, long nativeBytes, long stepBytes) {
  private static final long STEP_BYTES = 256 << 10;

  /** A quarter goes to RocksDB: most reads it gets are for what was not used for long. */
  static StoreLimits of(long memoryBytes) {
    return new StoreLimits(memoryBytes - memoryBytes / 4, memoryBytes / 4, STEP_BYTES);
  }
}
