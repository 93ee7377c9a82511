package dev.tidemark.examples.benchmarks.doriswrite;

import com.google.common.collect.ImmutableMap;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import dev.tidemark.examples.benchmarks.load.EmulatorProcess;
import dev.tidemark.examples.benchmarks.load.EmulatorProcess.Received;
import dev.tidemark.examples.benchmarks.load.LoadRow;
import dev.tidemark.examples.benchmarks.load.Peer;
import dev.tidemark.examples.benchmarks.load.PeerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Predicate;

/** Runs a peer against a new table, and takes its figures. */
final class PeerRun {
  private static final String DATABASE = "bench";
  private static final String HEAP = "2g";
  private static final String SMALL_HEAP = "512m";
  private static final int WARM_UP_LOADS = 3;
  private static final Duration WARM_UP_PATIENCE = Duration.ofMinutes(5);
  private static final Duration REGION_PATIENCE = Duration.ofMinutes(15);
  private static final Duration LOAD_PATIENCE = Duration.ofMinutes(2);

  private final Path directory;
  private final EmulatorProcess emulator;
  private final long rows;
  private final long intervalMillis;
  private int runs;

  PeerRun(Path directory, EmulatorProcess emulator, long rows, long intervalMillis) {
    this.directory = directory;
    this.emulator = emulator;
    this.rows = rows;
    this.intervalMillis = intervalMillis;
  }

  /** What a stream took that is longer than the heap. */
  record Memory(Received received, long peakResidentBytes) {}

  /**
   * Runs it once.
   *
   * @throws IllegalStateException when it ends early, or its rows do not arrive in the table in
   *     time
   */
  RunFigures run(Peer peer) throws IOException, InterruptedException {
    String name = "run" + runs++;
    Path checkpoints = empty(directory.resolve(name + "-checkpoints"));
    createTable(name);
    try (PeerProcess process = start(peer, name, checkpoints, HEAP)) {
      boolean loads = !peer.options().contains(Peers.SOURCE_ONLY);
      if (loads) {
        await(process, name, WARM_UP_PATIENCE, received -> received.loads() >= WARM_UP_LOADS);
      }
      Files.createFile(warmUpMark(checkpoints));
      ImmutableMap<String, Long> region = process.awaitRegion(REGION_PATIENCE);
      if (loads) {
        await(process, name, LOAD_PATIENCE, received -> received.rows() >= region.get("rowsSoFar"));
      }
      return figures(emulator.received(DATABASE, name), region);
    } finally {
      MoreFiles.deleteRecursively(checkpoints, RecursiveDeleteOption.ALLOW_INSECURE);
    }
  }

  /** Runs a peer in a small heap until its loads have had so many bytes. */
  Memory runInSmallHeap(Peer peer, long bytes) throws IOException, InterruptedException {
    String name = "run" + runs++;
    Path checkpoints = empty(directory.resolve(name + "-checkpoints"));
    createTable(name);
    try (PeerProcess process = start(peer, name, checkpoints, SMALL_HEAP)) {
      await(process, name, REGION_PATIENCE, received -> received.bytes() >= bytes);
      return new Memory(emulator.received(DATABASE, name), process.peakResidentBytes());
    } finally {
      MoreFiles.deleteRecursively(checkpoints, RecursiveDeleteOption.ALLOW_INSECURE);
    }
  }

  private PeerProcess start(Peer peer, String name, Path checkpoints, String heap)
      throws IOException {
    ImmutableMap<String, String> settings =
        ImmutableMap.<String, String>builder()
            .put("frontend", emulator.frontend())
            .put("user", EmulatorProcess.USER)
            .put("password", EmulatorProcess.PASSWORD)
            .put("table", DATABASE + "." + name)
            .put("checkpoints", checkpoints.toString())
            .put("intervalMillis", Long.toString(intervalMillis))
            .put("rows", Long.toString(rows))
            .put("warmUpMark", warmUpMark(checkpoints).toString())
            .buildOrThrow();
    return PeerProcess.start(peer, settings, heap, directory.resolve(name + ".log"));
  }

  private static Path warmUpMark(Path checkpoints) {
    return checkpoints.resolve("warm");
  }

  /** A suite that was stopped leaves what it wrote. */
  private static Path empty(Path path) throws IOException {
    if (Files.exists(path)) {
      MoreFiles.deleteRecursively(path, RecursiveDeleteOption.ALLOW_INSECURE);
    }
    return Files.createDirectories(path);
  }

  private void await(
      PeerProcess process, String table, Duration patience, Predicate<Received> condition)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!condition.test(emulator.received(DATABASE, table))) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "Cannot use run: what the peer wrote was not loaded within " + patience + ".");
      }
      process.checkAlive();
    }
  }

  /** Makes an empty table for {@link LoadRow}s. */
  private void createTable(String name) throws IOException, InterruptedException {
    emulator.run(
        DATABASE,
        String.format(
            "CREATE TABLE %s.%s (id BIGINT NOT NULL, quantity INT NULL, customer VARCHAR(20) NULL,"
                + " device VARCHAR(20) NULL, price DOUBLE NULL, event_time DATETIME(6) NULL,"
                + " amount DECIMAL(%d, %d) NULL, express BOOLEAN NULL) UNIQUE KEY(id)"
                + " DISTRIBUTED BY HASH(id) BUCKETS 1",
            DATABASE, name, LoadRow.AMOUNT_PRECISION, LoadRow.AMOUNT_SCALE));
  }

  private static RunFigures figures(Received received, ImmutableMap<String, Long> region) {
    double rows = region.get("rows");
    return new RunFigures(
        region.get("cpuNanos") / rows / 1_000,
        region.get("wallNanos") / rows / 1_000,
        (double) received.bytes() / received.rows(),
        (double) received.rows() / received.loads());
  }
}
