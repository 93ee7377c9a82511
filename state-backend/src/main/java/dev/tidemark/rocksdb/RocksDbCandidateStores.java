package dev.tidemark.rocksdb;

import dev.tidemark.candidates.CandidateStore;
import dev.tidemark.candidates.CandidateStoreOptions;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Checkpoints of the local files of a store, which spare a restarted worker the rebuild of its
 * shards. They are a copy of what the runner has, never a replacement: a shard in them is used only
 * if it is exactly what the runner has, and is rebuilt otherwise.
 */
public final class RocksDbCandidateStores {
  private RocksDbCandidateStores() {}

  /**
   * Writes all shards of a store that are up to date to a new directory. To be called by the thread
   * of the store between two batches; a batch that is open is undone.
   *
   * @param directory does not exist yet; on the file system of the local files it costs little,
   *     since files are linked
   * @throws IllegalArgumentException if the store is not one of this module
   * @throws IOException if the directory cannot be written
   */
  public static void checkpoint(CandidateStore store, Path directory) throws IOException {
    if (!(store instanceof RocksDbCandidateStore rocksDb)) {
      throw new IllegalArgumentException(
          "Cannot write a checkpoint of a %s: it has no local files. Open the store with %s."
              .formatted(
                  store.getClass().getName(), RocksDbCandidateStoreProvider.class.getSimpleName()));
    }
    rocksDb.checkpoint(directory);
  }

  /**
   * Opens a store that begins with the shards of a checkpoint, which stays as it is. A checkpoint
   * that cannot be read is ignored with a warning; the store then begins with nothing, as any
   * other.
   */
  public static CandidateStore openFromCheckpoint(CandidateStoreOptions options, Path checkpoint) {
    return RocksDbCandidateStore.openFromCheckpoint(
        StoreLimits.of(options.memoryBytes()),
        RocksDbCandidateStoreProvider.directory(options),
        checkpoint);
  }
}
