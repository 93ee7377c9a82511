package dev.tidemark.examples.benchmarks.basemerge;

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
  private static final String LINE = "%-22s %-9s %-14s %28s %9s %9s %7s %9s%n";

  private final Table<Peer, Shape, List<RunFigures>> runs = HashBasedTable.create();

  /** Adds the figures of the next round. */
  void add(Peer peer, Shape shape, RunFigures figures) {
    if (!runs.contains(peer, shape)) {
      runs.put(peer, shape, new ArrayList<>());
    }
    runs.get(peer, shape).add(figures);
  }

  void print(PrintStream out) {
    out.printf(
        LINE,
        "changes",
        "peer",
        "options",
        "CPU us/row median (min-max)",
        "wall us",
        "cold CPU",
        "files",
        "MB read");
    for (Shape shape : Shape.values()) {
      for (Peer peer : Peers.ALL) {
        if (runs.contains(peer, shape)) {
          print(out, peer, shape, runs.get(peer, shape));
        }
      }
    }
  }

  private static void print(PrintStream out, Peer peer, Shape shape, List<RunFigures> figures) {
    double[] cpu = sorted(figures, RunFigures::cpuMicros);
    out.printf(
        LINE,
        shape.label(),
        peer.name(),
        peer.label(),
        String.format("%.1f (%.1f-%.1f)", median(cpu), cpu[0], cpu[cpu.length - 1]),
        String.format("%.1f", median(sorted(figures, RunFigures::wallMicros))),
        String.format("%.1f s", median(sorted(figures, RunFigures::coldCpuSeconds))),
        String.format("%.0f", median(sorted(figures, RunFigures::filesOpened))),
        String.format("%.2f", median(sorted(figures, run -> run.bytesRead() / 1e6))));
  }

  /**
   * CPU of Tidemark against that of another, in the worst of the shapes. Runs of the same round are
   * compared, and the median is taken.
   */
  double worstRatio(Peer other) {
    double worst = Double.NaN;
    for (Shape shape : Shape.values()) {
      if (!runs.contains(Peers.TIDEMARK, shape) || !runs.contains(other, shape)) {
        continue;
      }
      List<RunFigures> mine = runs.get(Peers.TIDEMARK, shape);
      List<RunFigures> theirs = runs.get(other, shape);
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

  private static double[] sorted(List<RunFigures> figures, ToDoubleFunction<RunFigures> figure) {
    return figures.stream().mapToDouble(figure).sorted().toArray();
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
