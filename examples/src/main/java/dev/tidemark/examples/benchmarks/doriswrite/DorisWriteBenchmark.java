package dev.tidemark.examples.benchmarks.doriswrite;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import dev.tidemark.examples.benchmarks.load.EmulatorProcess;
import dev.tidemark.examples.benchmarks.load.Peer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Compares the CPU that a row costs on its way into a Doris table: DorisIO from Rows and from
 * ChangeBatches, and the released Flink connector with Arrow and with JSON.
 *
 * <p>Each peer runs in a process of its own, on an embedded Flink with one task, and writes the
 * same rows from a source that never waits. The emulator is another process, whose CPU does not
 * count. Runs take turns, after a round that is thrown away. See {@code RegionMeter} for what is
 * measured. Everything that the process does is counted, making the rows too; what that alone takes
 * is measured beside it. The environment has the parameters:
 *
 * <ul>
 *   <li>{@code ROUNDS}: measured rounds, default 5
 *   <li>{@code ROWS}: rows to measure in a run, and at least three checkpoints, default 4,000,000
 *   <li>{@code INTERVAL_MILLIS}: the checkpoint interval, default 2,000
 *   <li>{@code PEERS}: regular expression for {@code name: input, format} of the peers to run,
 *       default all
 *   <li>{@code MEMORY_MIB}: length of the stream that goes through a heap of 512 MiB in the end,
 *       default 2,048; 0 leaves it out. With two-phase commit, as labels keep in state what came
 *       since the last checkpoint
 *   <li>{@code PEER_JVM}: further options for the processes
 * </ul>
 *
 * <p>The last line tells the CPU per row from Rows and from ChangeBatches, and bytes per row from
 * Rows, each against the released connector with Arrow, and all with two-phase commit. The line
 * before is of the mode that holds rows in state and loads them by labels.
 */
final class DorisWriteBenchmark {
  private DorisWriteBenchmark() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    int rounds = (int) number("ROUNDS", 5);
    long rows = number("ROWS", 4_000_000);
    long intervalMillis = number("INTERVAL_MILLIS", 2_000);
    long memoryBytes = number("MEMORY_MIB", 2_048) << 20;
    Path directory = Files.createDirectories(Path.of(args[1]).toAbsolutePath());

    try (EmulatorProcess emulator =
        EmulatorProcess.start(args[0], directory.resolve("emulator.log"), "4g", "--discard-rows")) {
      PeerRun run = new PeerRun(directory, emulator, rows, intervalMillis);
      Results results = new Results();
      for (int round = 0; round <= rounds; round++) {
        for (Peer peer : inTurn(round)) {
          RunFigures figures = run.run(peer);
          report(round == 0 ? "warm-up" : "round " + round, peer, figures);
          if (round > 0) {
            results.add(peer, figures);
          }
        }
      }
      results.print(System.out);
      if (memoryBytes > 0) {
        for (Peer peer : ImmutableList.of(Peers.ROWS_TWO_PHASE, Peers.BATCHES_TWO_PHASE)) {
          report(peer, run.runInSmallHeap(peer, memoryBytes));
        }
      }
      report(results);
    }
  }

  private static void report(Results results) {
    System.out.printf(
        Locale.ROOT,
        "without sources ratio_rows=%.3f ratio_arrow=%.3f%n",
        results.ratioWithoutSources(
            Peers.ROWS_TWO_PHASE, Peers.ROWS_SOURCE, Peers.RELEASED_ARROW, Peers.RELEASED_SOURCE),
        results.ratioWithoutSources(
            Peers.BATCHES_TWO_PHASE,
            Peers.BATCHES_SOURCE,
            Peers.RELEASED_ARROW,
            Peers.RELEASED_SOURCE));
    System.out.printf(
        Locale.ROOT,
        "labels ratio_rows=%.3f ratio_arrow=%.3f%n",
        results.ratio(Peers.ROWS, Peers.RELEASED_ARROW, RunFigures::cpuMicros),
        results.ratio(Peers.BATCHES, Peers.RELEASED_ARROW, RunFigures::cpuMicros));
    System.out.printf(
        Locale.ROOT,
        "doris-write ratio_rows=%.3f ratio_arrow=%.3f ratio_bytes=%.3f%n",
        results.ratio(Peers.ROWS_TWO_PHASE, Peers.RELEASED_ARROW, RunFigures::cpuMicros),
        results.ratio(Peers.BATCHES_TWO_PHASE, Peers.RELEASED_ARROW, RunFigures::cpuMicros),
        results.ratio(Peers.ROWS_TWO_PHASE, Peers.RELEASED_ARROW, RunFigures::bytesPerRow));
  }

  private static void report(Peer peer, PeerRun.Memory memory) {
    System.out.printf(
        Locale.ROOT,
        "%s, %s: %d MiB of bodies in %d loads with a heap of 512 MiB, at most %d MiB resident%n",
        peer.name(),
        peer.label(),
        memory.received().bytes() >> 20,
        memory.received().loads(),
        memory.peakResidentBytes() >> 20);
  }

  private static void report(String round, Peer peer, RunFigures figures) {
    System.err.printf(
        Locale.ROOT,
        "%s %s, %s: CPU %.3f us/row, %.0f rows/s, %.1f bytes/row, %.0f rows/load%n",
        round,
        peer.name(),
        peer.label(),
        figures.cpuMicros(),
        figures.rowsPerSecond(),
        figures.bytesPerRow(),
        figures.rowsPerLoad());
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

  private static long number(String name, long byDefault) {
    String value = System.getenv(name);
    if (value == null) {
      return byDefault;
    }
    long number = Long.parseLong(value);
    if (number < 0) {
      throw new IllegalArgumentException(
          String.format("Invalid %s: %s (must be at least 0)", name, value));
    }
    return number;
  }
}
