package dev.tidemark.examples.benchmarks.doriswrite;

import dev.tidemark.examples.benchmarks.load.Peer;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The figures of all rounds, and what is told of them. */
final class Results {
  private static final String LINE = "%-20s %-24s %28s %12s %10s %10s%n";

  private final Map<Peer, List<RunFigures>> runs = new HashMap<>();

  /** Adds the figures of the next round. */
  void add(Peer peer, RunFigures figures) {
    runs.computeIfAbsent(peer, key -> new ArrayList<>()).add(figures);
  }

  void print(PrintStream out) {
    out.printf(
        LINE,
        "peer",
        "input, format",
        "CPU us/row median (min-max)",
        "rows/s",
        "bytes/row",
        "rows/load");
    for (Peer peer : Peers.ALL) {
      if (runs.containsKey(peer)) {
        print(out, peer);
      }
    }
  }

  private void print(PrintStream out, Peer peer) {
    double[] cpu = sorted(peer, RunFigures::cpuMicros);
    out.printf(
        LINE,
        peer.name(),
        peer.label(),
        String.format(Locale.ROOT, "%.3f (%.3f-%.3f)", middle(cpu), cpu[0], cpu[cpu.length - 1]),
        String.format(Locale.ROOT, "%.0f", median(peer, RunFigures::rowsPerSecond)),
        String.format(Locale.ROOT, "%.1f", median(peer, RunFigures::bytesPerRow)),
        String.format(Locale.ROOT, "%.0f", median(peer, RunFigures::rowsPerLoad)));
  }

  /**
   * A figure of a peer against that of another. Runs of the same round are compared, and the median
   * is taken: other load on the machine changes from round to round.
   */
  double ratio(Peer peer, Peer other, ToDoubleFunction<RunFigures> figure) {
    List<RunFigures> mine = runs.getOrDefault(peer, List.of());
    List<RunFigures> theirs = runs.getOrDefault(other, List.of());
    double[] ratios = new double[Math.min(mine.size(), theirs.size())];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = figure.applyAsDouble(mine.get(i)) / figure.applyAsDouble(theirs.get(i));
    }
    Arrays.sort(ratios);
    return middle(ratios);
  }

  /** The CPU of a peer without that of making its input, against another's, of the medians. */
  double ratioWithoutSources(Peer peer, Peer source, Peer other, Peer otherSource) {
    return (median(peer, RunFigures::cpuMicros) - median(source, RunFigures::cpuMicros))
        / (median(other, RunFigures::cpuMicros) - median(otherSource, RunFigures::cpuMicros));
  }

  private double median(Peer peer, ToDoubleFunction<RunFigures> figure) {
    return middle(sorted(peer, figure));
  }

  private double[] sorted(Peer peer, ToDoubleFunction<RunFigures> figure) {
    return runs.getOrDefault(peer, List.of()).stream().mapToDouble(figure).sorted().toArray();
  }

  private static double middle(double[] sorted) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
