package dev.tidemark.examples.benchmarks.icebergwrite;

import com.google.common.collect.ImmutableMap;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Runs a peer against a new table, and takes its figures. */
final class PeerRun {
  /** Checkpoints are fewer than commits at worst by the one whose commit is still cold. */
  private static final int WARM_UP_CHECKPOINTS = 4;

  private static final int WARM_UP_COMMITS = 3;
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
   * @throws IllegalStateException when the run shows that it cannot be compared: too few commits
   *     came before the region, or rows of the region did not arrive in the table
   */
  RunFigures run(Peer peer, BenchmarkTable.Layout layout) throws IOException, InterruptedException {
    String name = "run" + runs++;
    Path warehouse = Files.createDirectories(directory.resolve(name + "-warehouse"));
    Path checkpoints = Files.createDirectories(directory.resolve(name + "-checkpoints"));
    BenchmarkTable table = BenchmarkTable.create(warehouse, name, layout);
    ImmutableMap<String, String> settings =
        ImmutableMap.of(
            "warehouse", warehouse.toString(),
            "table", name,
            "checkpoints", checkpoints.toString(),
            "intervalMillis", Long.toString(intervalMillis),
            "rows", Long.toString(rows),
            "warmUpCheckpoints", Integer.toString(WARM_UP_CHECKPOINTS));
    try (PeerProcess process =
        PeerProcess.start(peer, settings, directory.resolve(name + ".log"))) {
      ImmutableMap<String, Long> region = process.awaitRegion(REGION_PATIENCE);
      awaitRows(process, table, region.get("rowsSoFar"));
      return figures(table, region);
    } finally {
      MoreFiles.deleteRecursively(warehouse, RecursiveDeleteOption.ALLOW_INSECURE);
      MoreFiles.deleteRecursively(checkpoints, RecursiveDeleteOption.ALLOW_INSECURE);
    }
  }

  private static void awaitRows(PeerProcess process, BenchmarkTable table, long expected)
      throws InterruptedException {
    long deadline = System.nanoTime() + COMMIT_PATIENCE.toNanos();
    while (table.rows() < expected) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "Cannot use run: the table has "
                + table.rows()
                + " rows long after "
                + expected
                + " were written.");
      }
      process.checkAlive();
    }
  }

  private static RunFigures figures(BenchmarkTable table, ImmutableMap<String, Long> region) {
    int warmUp = table.commits(0, region.get("startMillis")).commits();
    if (warmUp < WARM_UP_COMMITS) {
      throw new IllegalStateException(
          "Cannot use run: only "
              + warmUp
              + " commits came before the measured region. Raise INTERVAL_MILLIS.");
    }
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
