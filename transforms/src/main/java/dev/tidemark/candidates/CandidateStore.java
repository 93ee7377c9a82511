package dev.tidemark.candidates;

/**
 * Keeps the records of shards for one worker instance, close to it and fast. The truth is what the
 * runner keeps in a {@link ShardState}: a store that does not have exactly that state rebuilds it
 * first.
 *
 * <p>A store belongs to one thread. Stores of one process share memory and files, see {@link
 * CandidateStoreOptions}.
 */
public interface CandidateStore extends AutoCloseable {
  /**
   * Begins one batch of changes to a shard. If the fence of the local records is not the one in
   * {@code state}, the records are rebuilt from it. From here to {@link ShardRecords#commit} the
   * local records are invalid: a batch that never commits, for whatever reason, is undone by a
   * rebuild when the shard is used again.
   *
   * @param shard the number of the shard, from 0
   * @param state what the runner keeps for this shard; used until the batch commits
   * @throws CorruptStateException if the state of the runner cannot be read: it is truncated,
   *     altered, incomplete, or of an unknown version. Nothing is repaired by guessing
   */
  ShardRecords begin(int shard, ShardState state);

  /** What this store did so far. */
  CandidateStoreStatistics statistics();

  /** Frees all memory and files of this store. The runner's state stays. */
  @Override
  void close();
}
