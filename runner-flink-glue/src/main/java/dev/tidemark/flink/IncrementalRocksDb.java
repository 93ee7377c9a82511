package dev.tidemark.flink;

import java.io.IOException;
import org.apache.beam.runners.flink.FlinkPipelineOptions;
import org.apache.beam.runners.flink.FlinkStateBackendFactory;
import org.apache.flink.contrib.streaming.state.EmbeddedRocksDBStateBackend;
import org.apache.flink.contrib.streaming.state.RocksDBStateBackend;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.util.TernaryBoolean;

/**
 * Keeps the runner's state in RocksDB, and writes with each checkpoint only what has changed since
 * the one before. {@code --stateBackend=rocksdb} writes all of it.
 *
 * <pre>{@code
 * --stateBackendFactory=dev.tidemark.flink.IncrementalRocksDb
 * }</pre>
 *
 * <p>Checkpoints go where {@code --stateBackendStoragePath} says, or else the cluster's {@code
 * state.checkpoints.dir}. Files are tuned for Tidemark's state: few entries, of kilobytes to
 * megabytes, that are appended to and seldom read: larger blocks, Bloom filters and dynamic levels,
 * each unless the cluster's configuration sets it ({@code block.blocksize}, {@code
 * use-bloom-filter}, {@code compaction.level.use-dynamic-size} of {@code state.backend.rocksdb}).
 * An options factory of the cluster is not used.
 *
 * <h2>Memory</h2>
 *
 * This RocksDB works within Flink's managed memory ({@code taskmanager.memory.managed.size}), by
 * equal parts per slot. Stores of candidates are beside it: they take {@link
 * TidemarkFlinkOptions#getCandidateStoreMemoryMb} per process and job, three quarters from the heap
 * of tasks ({@code taskmanager.memory.task.heap.size}), one quarter off it ({@code
 * taskmanager.memory.task.off-heap.size}).
 */
public final class IncrementalRocksDb implements FlinkStateBackendFactory {
  /** For the runner. */
  public IncrementalRocksDb() {}

  @Override
  public StateBackend createStateBackend(FlinkPipelineOptions options) {
    String folder = options.getStateBackendStoragePath();
    return folder == null ? embedded() : withFolder(folder);
  }

  private static EmbeddedRocksDBStateBackend embedded() {
    EmbeddedRocksDBStateBackend backend = new EmbeddedRocksDBStateBackend(TernaryBoolean.TRUE);
    backend.setRocksDBOptions(new ShardStateTuning());
    return backend;
  }

  /** The only kind that a folder of checkpoints can be said with, where nothing else can be. */
  @SuppressWarnings("deprecation") // Beam's option takes a state backend and no storage
  private static StateBackend withFolder(String folder) {
    try {
      RocksDBStateBackend backend = new RocksDBStateBackend(folder, true);
      backend.setRocksDBOptions(new ShardStateTuning());
      return backend;
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot keep checkpoints: option stateBackendStoragePath is %s: %s. Set it to the URI of a"
                  + " folder that all of the cluster reach",
              folder, e.getMessage()),
          e);
    }
  }
}
