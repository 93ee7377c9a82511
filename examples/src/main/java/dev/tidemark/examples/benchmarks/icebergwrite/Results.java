package dev.tidemark.examples.benchmarks.icebergwrite;

import com.google.common.collect.HashBasedTable;
import com.google.common.collect.Table;
import dev.tidemark.examples.benchmarks.load.Peer;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The figures of all rounds, and what is told of them. */
final class Results {
  private static final String LINE = "%-18s %-32s %-14s %28s %9s %6s %8s%n";

  private final Table<Peer, BenchmarkTable.Layout, List<RunFigures>> runs = HashBasedTable.create();

  /** Adds the figures of the next round. */
  void add(Peer peer, BenchmarkTable.Layout layout, RunFigures figures) {
    if (!runs.contains(peer, layout)) {
      runs.put(peer, layout, new ArrayList<>());
    }
    runs.get(peer, layout).add(figures);
  }

  void print(PrintStream out) {
    out.printf(
        LINE,
        "peer",
        "options",
        "table",
        "CPU us/row median (min-max)",
        "wall us",
        "files",
        "commits");
    for (BenchmarkTable.Layout layout : BenchmarkTable.Layout.values()) {
      for (Peer peer : Peers.ALL) {
        if (runs.contains(peer, layout)) {
          print(out, peer, layout, runs.get(peer, layout));
        }
      }
    }
  }

  private static void print(
      PrintStream out, Peer peer, BenchmarkTable.Layout layout, List<RunFigures> figures) {
    double[] cpu = sorted(figures, RunFigures::cpuMicros);
    out.printf(
        LINE,
        peer.name(),
        peer.label(),
        layout.label(),
        String.format("%.2f (%.2f-%.2f)", median(cpu), cpu[0], cpu[cpu.length - 1]),
        String.format("%.2f", median(sorted(figures, RunFigures::wallMicros))),
        String.format("%.0f", median(sorted(figures, RunFigures::files))),
        String.format("%.0f", median(sorted(figures, RunFigures::commits))));
  }

  /**
   * CPU of a peer against that of another, in the worse of the tables. Runs of the same round are
   * compared, and the median is taken: other load on the machine changes from round to round.
   */
  double cpuRatio(Peer peer, Peer other) {
    double worst = Double.NaN;
    for (BenchmarkTable.Layout layout : BenchmarkTable.Layout.values()) {
      if (!runs.contains(peer, layout) || !runs.contains(other, layout)) {
        continue;
      }
      List<RunFigures> mine = runs.get(peer, layout);
      List<RunFigures> theirs = runs.get(other, layout);
      double[] ratios = new double[Math.min(mine.size(), theirs.size())];
      for (int i = 0; i < ratios.length; i++) {
        ratios[i] = mine.get(i).cpuMicros() / theirs.get(i).cpuMicros();
      }
      Arrays.sort(ratios);
      double ratio = median(ratios);
      worst = Double.isNaN(worst) ? ratio : Math.max(worst, ratio);
    }
    return worst;
  }

  /** Files per commit, the median of all runs, summed up over the tables. */
  double filesPerCommit(Peer peer) {
    double sum = 0;
    for (BenchmarkTable.Layout layout : BenchmarkTable.Layout.values()) {
      if (runs.contains(peer, layout)) {
        sum += median(sorted(runs.get(peer, layout), RunFigures::filesPerCommit));
      }
    }
    return sum;
  }

  private static double[] sorted(List<RunFigures> figures, ToDoubleFunction<RunFigures> figure) {
    return figures.stream().mapToDouble(figure).sorted().toArray();
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
