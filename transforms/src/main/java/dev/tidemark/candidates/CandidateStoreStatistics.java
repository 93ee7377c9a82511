package dev.tidemark.candidates;

/** Counts of what a store did since it was opened. Not thread-safe; read between batches. */
public final class CandidateStoreStatistics {
  /** Shards rebuilt from the runner's state. */
  public long rebuilds;

  /** Bytes of base images and journals read by rebuilds. */
  public long rebuiltBytes;

  /** Records found in memory, or known without a read to be absent. */
  public long hits;

  /** Records that were read from files. */
  public long misses;

  /** Bytes added to journals. */
  public long journalBytes;

  /** Bytes added to base images. */
  public long baseBytes;

  /** Base images finished. */
  public long bases;

  /** Bytes moved from memory to files. */
  public long spilledBytes;

  /** The largest shard seen, base image and journals together, in bytes. */
  public long largestShardBytes;
}
