package dev.tidemark.examples.benchmarks.icebergwrite;

import com.google.common.collect.ImmutableMap;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import dev.tidemark.examples.benchmarks.load.Peer;
import dev.tidemark.examples.benchmarks.load.PeerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Runs a peer against a new table, and takes its figures. */
final class PeerRun {
  private static final String HEAP = "2g";
  private static final int WARM_UP_COMMITS = 3;
  private static final Duration WARM_UP_PATIENCE = Duration.ofMinutes(5);
  private static final Duration REGION_PATIENCE = Duration.ofMinutes(15);
  private static final Duration COMMIT_PATIENCE = Duration.ofMinutes(2);

  private final Path directory;
  private final long rows;
  private final long intervalMillis;
  private int runs;

  PeerRun(Path directory, long rows, long intervalMillis) {
    this.directory = directory;
    this.rows = rows;
    this.intervalMillis = intervalMillis;
  }

  /**
   * Runs it once.
   *
   * @throws IllegalStateException when it ends early, or its rows do not arrive in the table in
   *     time
   */
  RunFigures run(Peer peer, BenchmarkTable.Layout layout) throws IOException, InterruptedException {
    String name = "run" + runs++;
    Path warehouse = empty(directory.resolve(name + "-warehouse"));
    Path checkpoints = empty(directory.resolve(name + "-checkpoints"));
    Path warmUpMark = checkpoints.resolve("warm");
    BenchmarkTable table = BenchmarkTable.create(warehouse, name, layout);
    ImmutableMap<String, String> settings =
        ImmutableMap.of(
            "warehouse", warehouse.toString(),
            "table", name,
            "checkpoints", checkpoints.toString(),
            "intervalMillis", Long.toString(intervalMillis),
            "rows", Long.toString(rows),
            "warmUpMark", warmUpMark.toString());
    try (PeerProcess process =
        PeerProcess.start(peer, settings, HEAP, directory.resolve(name + ".log"))) {
      await(process, WARM_UP_PATIENCE, () -> table.commits() >= WARM_UP_COMMITS);
      Files.createFile(warmUpMark);
      ImmutableMap<String, Long> region = process.awaitRegion(REGION_PATIENCE);
      await(process, COMMIT_PATIENCE, () -> table.rows() >= region.get("rowsSoFar"));
      return figures(table, region);
    } finally {
      MoreFiles.deleteRecursively(warehouse, RecursiveDeleteOption.ALLOW_INSECURE);
      MoreFiles.deleteRecursively(checkpoints, RecursiveDeleteOption.ALLOW_INSECURE);
    }
  }

  /** A suite that was stopped leaves what it wrote. */
  private static Path empty(Path path) throws IOException {
    if (Files.exists(path)) {
      MoreFiles.deleteRecursively(path, RecursiveDeleteOption.ALLOW_INSECURE);
    }
    return Files.createDirectories(path);
  }

  private static void await(PeerProcess process, Duration patience, BooleanSupplier condition)
      throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "Cannot use run: what the peer wrote was not committed within " + patience + ".");
      }
      process.checkAlive();
    }
  }

  private static RunFigures figures(BenchmarkTable table, ImmutableMap<String, Long> region) {
    BenchmarkTable.Commits commits =
        table.commits(region.get("startMillis"), region.get("stopMillis"));
    double rows = region.get("rows");
    return new RunFigures(
        region.get("cpuNanos") / rows / 1_000,
        region.get("wallNanos") / rows / 1_000,
        commits.files(),
        commits.commits());
  }
}
