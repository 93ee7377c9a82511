package dev.tidemark.examples.benchmarks.icebergwrite;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import dev.tidemark.examples.benchmarks.icebergwrite.BenchmarkTable.Layout;
import dev.tidemark.examples.benchmarks.load.Peer;
import dev.tidemark.examples.benchmarks.load.RegionMeter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Compares the CPU that a row costs on its way into an Iceberg table on Flink: Tidemark, Beam's own
 * IcebergIO, and Iceberg's FlinkSink without Beam.
 *
 * <p>Each peer runs in a process of its own, with one task, and writes the same rows from a source
 * that never waits. Runs take turns, after a round that is thrown away. See {@link RegionMeter} for
 * what is measured. The environment of the process has the parameters:
 *
 * <ul>
 *   <li>{@code ROUNDS}: measured rounds, default 5
 *   <li>{@code ROWS}: rows to measure in a run, and at least three checkpoints, default 2,000,000
 *   <li>{@code INTERVAL_MILLIS}: the checkpoint interval, default 5,000
 *   <li>{@code PEERS}: regular expression for {@code name: options} of the peers to run, default
 *       all
 *   <li>{@code PEER_JVM}: further options for the processes
 * </ul>
 *
 * <p>The last line tells the CPU ratios of Tidemark as recommended to the defaults of the others,
 * and of event-time facts to none, each of the worse of two tables; and files per commit, summed up
 * over both tables.
 */
final class IcebergWriteBenchmark {
  private IcebergWriteBenchmark() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    int rounds = (int) number("ROUNDS", 5);
    long rows = number("ROWS", 2_000_000);
    long intervalMillis = number("INTERVAL_MILLIS", 5_000);
    Path directory = Files.createDirectories(Path.of(args[0]).toAbsolutePath());

    PeerRun run = new PeerRun(directory, rows, intervalMillis);
    for (Peer peer : inTurn(0)) {
      report("warm-up", peer, Layout.UNPARTITIONED, run.run(peer, Layout.UNPARTITIONED));
    }
    Results results = new Results();
    for (int round = 1; round <= rounds; round++) {
      for (Layout layout : Layout.values()) {
        for (Peer peer : inTurn(round)) {
          RunFigures figures = run.run(peer, layout);
          report("round " + round, peer, layout, figures);
          results.add(peer, layout, figures);
        }
      }
    }
    results.print(System.out);
    System.out.printf(
        Locale.ROOT,
        "iceberg-write ratio_stock=%.3f ratio_native=%.3f ratio_facts=%.3f files=%.2f"
            + " native_files=%.2f%n",
        results.cpuRatio(Peers.TIDEMARK, Peers.STOCK),
        results.cpuRatio(Peers.TIDEMARK, Peers.NATIVE),
        results.cpuRatio(Peers.TIDEMARK_FACTS, Peers.TIDEMARK),
        results.filesPerCommit(Peers.TIDEMARK),
        results.filesPerCommit(Peers.NATIVE));
  }

  /** The peers of a round: back and forth, so that a trend of the machine favours none. */
  private static ImmutableList<Peer> inTurn(int round) {
    Pattern wanted = Pattern.compile(Strings.nullToEmpty(System.getenv("PEERS")));
    ImmutableList<Peer> peers =
        Peers.ALL.stream()
            .filter(peer -> wanted.matcher(peer.name() + ": " + peer.label()).find())
            .collect(ImmutableList.toImmutableList());
    return round % 2 == 0 ? peers : peers.reverse();
  }

  private static void report(String round, Peer peer, Layout layout, RunFigures figures) {
    System.err.printf(
        Locale.ROOT,
        "%s %s, %s, %s: CPU %.2f us/row, wall %.2f us/row, %d files, %d commits%n",
        round,
        peer.name(),
        peer.label(),
        layout.label(),
        figures.cpuMicros(),
        figures.wallMicros(),
        figures.files(),
        figures.commits());
  }

  private static long number(String name, long byDefault) {
    String value = System.getenv(name);
    if (value == null) {
      return byDefault;
    }
    long number = Long.parseLong(value);
    if (number < 1) {
      throw new IllegalArgumentException(
          String.format("Invalid %s: %s (must be at least 1)", name, value));
    }
    return number;
  }
}
