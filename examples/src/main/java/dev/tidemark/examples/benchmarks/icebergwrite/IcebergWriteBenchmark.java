package dev.tidemark.examples.benchmarks.icebergwrite;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Compares the CPU that a row costs on its way into an Iceberg table on Flink: Tidemark, Beam's own
 * IcebergIO, and Iceberg's FlinkSink without Beam.
 *
 * <p>Each peer runs in a process of its own, with one task, and writes the same rows from a source
 * that never waits. Runs take turns; the first round is thrown away. See {@link RegionMeter} for
 * what is measured. The environment of the process has the parameters:
 *
 * <ul>
 *   <li>{@code ROUNDS}: measured rounds, default 5
 *   <li>{@code ROWS}: rows to measure in a run at least, default 2,000,000
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
  private static final Pattern ALL = Pattern.compile("");

  private IcebergWriteBenchmark() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    int rounds = (int) number("ROUNDS", 5);
    long rows = number("ROWS", 2_000_000);
    long intervalMillis = number("INTERVAL_MILLIS", 5_000);
    String peers = System.getenv("PEERS");
    Pattern wanted = peers == null ? ALL : Pattern.compile(peers);
    Path directory = Files.createDirectories(Path.of(args[0]).toAbsolutePath());

    PeerRun run = new PeerRun(directory, rows, intervalMillis);
    Results results = new Results();
    for (int round = 0; round <= rounds; round++) {
      ImmutableList<Peer> turn =
          ImmutableList.copyOf(round % 2 == 0 ? Peer.ALL : Lists.reverse(Peer.ALL));
      for (BenchmarkTable.Layout layout : BenchmarkTable.Layout.values()) {
        for (Peer peer : turn) {
          if (wanted.matcher(peer.name() + ": " + peer.label()).find()) {
            RunFigures figures = run.run(peer, layout);
            report(round, peer, layout, figures);
            if (round > 0) {
              results.add(peer, layout, figures);
            }
          }
        }
      }
    }
    results.print(System.out);
    System.out.printf(
        Locale.ROOT,
        "iceberg-write ratio_stock=%.3f ratio_native=%.3f ratio_facts=%.3f files=%.2f"
            + " native_files=%.2f%n",
        results.cpuRatio(Peer.TIDEMARK, Peer.STOCK),
        results.cpuRatio(Peer.TIDEMARK, Peer.NATIVE),
        results.cpuRatio(Peer.TIDEMARK_FACTS, Peer.TIDEMARK),
        results.filesPerCommit(Peer.TIDEMARK),
        results.filesPerCommit(Peer.NATIVE));
  }

  private static void report(
      int round, Peer peer, BenchmarkTable.Layout layout, RunFigures figures) {
    System.err.printf(
        Locale.ROOT,
        "%s %s, %s, %s: CPU %.2f us/row, wall %.2f us/row, %d files, %d commits%n",
        round == 0 ? "warm-up" : "round " + round,
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
          String.format("Invalid %s: %s (must be at least 1)", name, Arrays.asList(value)));
    }
    return number;
  }
}
