package dev.tidemark.rocksdb;

import dev.tidemark.candidates.CorruptStateException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * What lies beside the files of a checkpoint: which store wrote them, and the fence of each shard
 * in them.
 */
record CheckpointFences(int session, Map<Integer, Fence> fences) {
  private static final int VERSION = 1;
  private static final String FILE = "fences";
  private static final String DATABASE = "db";

  static Path databasePath(Path checkpoint) {
    return checkpoint.resolve(DATABASE);
  }

  byte[] encode() {
    StoredOutput out = new StoredOutput().begin(VERSION).writeInt(session);
    fences.forEach(
        (shard, fence) ->
            out.writeInt(shard)
                .writeLong(fence.attemptHigh())
                .writeLong(fence.attemptLow())
                .writeLong(fence.version()));
    return out.finish();
  }

  static CheckpointFences decode(byte[] bytes) {
    StoredInput in = new StoredInput(bytes, VERSION, "the fences", StoredInput.NO_SHARD);
    int session = in.readInt();
    Map<Integer, Fence> fences = new TreeMap<>();
    while (in.hasMore()) {
      int shard = in.readInt();
      Fence fence = new Fence(in.readLong(), in.readLong(), in.readCount());
      if (fences.put(shard, fence) != null) {
        throw in.corrupt("shard " + shard + " is there twice");
      }
    }
    return new CheckpointFences(session, fences);
  }

  void write(Path checkpoint) throws IOException {
    Files.write(checkpoint.resolve(FILE), encode());
  }

  /**
   * Reads the fences of a checkpoint.
   *
   * @throws CorruptStateException if they cannot be read, in which case the checkpoint is of no use
   */
  static CheckpointFences read(Path checkpoint) throws IOException {
    return decode(Files.readAllBytes(checkpoint.resolve(FILE)));
  }
}
