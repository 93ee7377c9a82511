package dev.tidemark.candidates;

/**
 * Finds stores on the class path, through {@link java.util.ServiceLoader}. Module {@code
 * state-backend} has the one on RocksDB.
 */
public interface CandidateStoreProvider {
  /** Whether records stay in the memory of the process, which decides the default thresholds. */
  boolean inMemory();

  /** Opens a store for one worker instance. */
  CandidateStore open(CandidateStoreOptions options);

  /** Images of the shards that its stores keep. */
  ShardImages images();
}
