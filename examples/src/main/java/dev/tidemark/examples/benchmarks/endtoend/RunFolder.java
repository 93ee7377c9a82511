package dev.tidemark.examples.benchmarks.endtoend;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import dev.tidemark.examples.benchmarks.load.EmulatorProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The folder of a run: what the job is told by files, and what it stores. */
final class RunFolder implements AutoCloseable {
  private final Path folder;

  private RunFolder(Path folder) {
    this.folder = folder;
  }

  /** Makes it, without what may be there. */
  static RunFolder create(Path folder) throws IOException {
    RunFolder run = new RunFolder(empty(folder));
    for (Path inside :
        new Path[] {run.warehouse(), run.checkpoints(), run.stores(), run.flinkConfiguration()}) {
      Files.createDirectories(inside);
    }
    Files.writeString(run.passwordFile(), EmulatorProcess.PASSWORD);
    return run;
  }

  /** Empties a folder: a suite that was stopped leaves what it wrote. */
  static Path empty(Path folder) throws IOException {
    if (Files.exists(folder)) {
      MoreFiles.deleteRecursively(folder, RecursiveDeleteOption.ALLOW_INSECURE);
    }
    return Files.createDirectories(folder);
  }

  /**
   * Writes what both sides' Flink is told.
   *
   * @param managedMemoryMb for RocksDB of the state backend
   */
  void writeFlinkConfiguration(int managedMemoryMb) throws IOException {
    Files.writeString(
        flinkConfiguration().resolve("flink-conf.yaml"),
        String.format(
            """
            state.backend.type: rocksdb
            state.backend.incremental: true
            state.checkpoint-storage: filesystem
            state.checkpoints.dir: file://%s
            execution.checkpointing.min-pause: 500
            restart-strategy.type: none
            taskmanager.memory.managed.size: %dm
            taskmanager.memory.network.min: 128m
            taskmanager.memory.network.max: 128m
            io.tmp.dirs: %s
            """,
            checkpoints(), managedMemoryMb, stores()));
  }

  /** Writes the declaration of the table. */
  void writeTables(String topic) throws IOException {
    Files.writeString(
        tables(),
        String.format(
            """
            {"connector": {"decimal.handling.mode": "string"},
             "tables": [{"name": "%s", "topic": "%s", "key": ["order_id"],
             "replicaIdentityFull": true, "columns": %s}]}
            """,
            ServedTable.NAME, topic, OrderRow.COLUMNS));
  }

  Path warehouse() {
    return folder.resolve("warehouse");
  }

  Path checkpoints() {
    return folder.resolve("checkpoints");
  }

  Path stores() {
    return folder.resolve("stores");
  }

  Path flinkConfiguration() {
    return folder.resolve("conf");
  }

  Path tables() {
    return folder.resolve("tables.json");
  }

  Path passwordFile() {
    return folder.resolve("password");
  }

  Path deadLetters() {
    return folder.resolve("dead-letters");
  }

  @Override
  public void close() throws IOException {
    MoreFiles.deleteRecursively(folder, RecursiveDeleteOption.ALLOW_INSECURE);
  }
}
