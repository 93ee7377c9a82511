package dev.tidemark.examples.benchmarks.materializer;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Compares the CPU that a row costs in Tidemark's materializer and in the ones that Flink has
 * released, all on RocksDB with the same memory.
 *
 * <p>Each runs in a process of its own, with the same options and the same build of RocksDB. Runs
 * take turns. See {@link Measurement} for what is measured, and {@link TidemarkMaterializer} for
 * what the rows go through. Parameters, in the environment:
 *
 * <ul>
 *   <li>{@code ROUNDS}: rounds, default 3
 *   <li>{@code ROWS}: factor of rows and keys, default 1.0
 *   <li>{@code WORKLOADS}: regular expression for {@code name bytes} of workloads, default all
 *   <li>{@code MEMORY_MIB}: for records, caches and write buffers, default 256
 *   <li>{@code PEERS}: regular expression for the labels of those to run, default all
 *   <li>{@code PEER_JVM}: further options for the processes
 * </ul>
 *
 * <p>A pipeline on embedded Flink runs each workload with the transform and without. What the two
 * differ by is the cost of the transform, told in the line before the last on the worst of the
 * workloads: {@code ratio_core} as a multiple of the bare materializer's, which begins and ends
 * with bytes; {@code ratio_rows} as a multiple of its cost with rows brought into bytes and back,
 * which a transform has to do as well. In the table, {@code x} is before such multiples of a
 * pipeline. The empty one has batches of the same changes and the same exchange, with Beam's own
 * coders, and does nothing: what it adds is Beam's and Flink's part.
 *
 * <p>The last line tells how CPU per row compares in the worst of the workloads: {@code ratio_best}
 * with the best of the released strategies on the same workload, {@code ratio_map} with MAP.
 */
final class MaterializerBenchmark {
  private MaterializerBenchmark() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    int rounds = Integer.parseInt(parameter("ROUNDS", "3"));
    PeerRun run =
        new PeerRun(
            Files.createDirectories(Path.of(args[0]).toAbsolutePath()),
            parameter("ROWS", "1.0"),
            parameter("MEMORY_MIB", "256"));
    ImmutableList<Load> loads = Load.matching(Pattern.compile(parameter("WORKLOADS", "")));

    Results results = new Results();
    for (int round = 1; round <= rounds; round++) {
      for (Load load : loads) {
        for (Peer peer : inTurn(round)) {
          Figures figures = run.run(peer, load);
          System.err.printf(
              Locale.ROOT,
              "round %d %s, %s: CPU %.2f us/row, %d rows/s, %d rows%n",
              round,
              load,
              peer.label(),
              figures.cpuMicros(),
              figures.rowsPerSecond(),
              figures.rows());
          results.add(load, peer, figures);
        }
      }
    }
    results.print(System.out);
    System.out.printf(
        Locale.ROOT,
        "transform ratio_core=%.3f ratio_rows=%.3f%n",
        results.worstRatioOfTransform(Peer.TIDEMARK),
        results.worstRatioOfTransform(Peer.TIDEMARK_ROWS));
    System.out.printf(
        Locale.ROOT,
        "materializer ratio_best=%.3f ratio_map=%.3f%n",
        results.worstRatioToBest(),
        results.worstRatioTo(Peer.MAP));
  }

  /** The peers of a round: back and forth, so that a trend of the machine favours none. */
  private static ImmutableList<Peer> inTurn(int round) {
    Pattern wanted = Pattern.compile(parameter("PEERS", ""));
    ImmutableList<Peer> peers =
        Stream.of(Peer.values())
            .filter(peer -> wanted.matcher(peer.label()).find())
            .collect(ImmutableList.toImmutableList());
    return round % 2 == 0 ? peers.reverse() : peers;
  }

  private static String parameter(String name, String byDefault) {
    String value = System.getenv(name);
    return Strings.isNullOrEmpty(value) ? byDefault : value;
  }
}
