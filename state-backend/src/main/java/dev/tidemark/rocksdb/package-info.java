/**
 * A store of candidates on RocksDB.
 *
 * <p>The runner's state is the truth: per shard a header with a fence, a base image and a journal
 * of all batches since. Memory, and local files for what does not fit, are the working set. A shard
 * whose local fence is not the one of the header (after a restart, a failed bundle, a move to
 * another worker) is rebuilt from the state before it is used. State that cannot be read whole is
 * refused.
 *
 * <p>Stores of one process share one budget and one database, which is in a directory of its own
 * below {@link dev.tidemark.candidates.CandidateStoreOptions#directory}. The directory goes when
 * the last store closes; one left by a process that was killed is deleted by the next to come.
 *
 * <p>In {@link dev.tidemark.candidates.CandidateStoreStatistics}: {@code rebuilds} that go on
 * rising in a running job mean failing bundles or a failing local disk, see the log; {@code misses}
 * that outnumber {@code hits} mean a budget that is small for the keys in use; {@code
 * largestShardBytes} over 32 MiB means shards that the runner reads slowly, and takes much memory
 * for, when it rebuilds them: export the state, re-shard the {@linkplain
 * dev.tidemark.rocksdb.ShardImage images} with {@link dev.tidemark.candidates.Resharding}, and
 * begin with those.
 *
 * <p>The native library has to be one that fits: {@code rocksdbjni} 10.10 or Flink's {@code
 * frocksdbjni} 6.20, whichever is on the class path; with both there, Flink's has to be the first.
 */
package dev.tidemark.rocksdb;
