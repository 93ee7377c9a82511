package dev.tidemark.examples.benchmarks.materializer;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The figures of all rounds, and what is told of them. */
final class Results {
  private final Map<Load, Map<Peer, List<Figures>>> runs = new LinkedHashMap<>();

  /**
   * Adds the figures of the next round.
   *
   * @throws IllegalStateException if another materializer emitted another number of rows for the
   *     same changes
   */
  void add(Load load, Peer peer, Figures figures) {
    Map<Peer, List<Figures>> ofLoad = runs.computeIfAbsent(load, l -> new EnumMap<>(Peer.class));
    for (Map.Entry<Peer, List<Figures>> others : ofLoad.entrySet()) {
      if (!others.getKey().materializes()) {
        continue;
      }
      for (Figures other : others.getValue()) {
        if (peer.materializes()
            && other.rows() == figures.rows()
            && other.emitted() != figures.emitted()) {
          throw new IllegalStateException(
              String.format(
                  "Cannot compare peers on %s: %s emitted %d rows, another %d.",
                  load, peer.label(), figures.emitted(), other.emitted()));
        }
      }
    }
    ofLoad.computeIfAbsent(peer, p -> new ArrayList<>()).add(figures);
  }

  void print(PrintStream out) {
    out.printf(
        "%-15s %-14s %28s %8s %10s %9s %9s%n",
        "workload", "peer", "CPU us/row median (min-max)", "ratio", "rows/s", "state MB", "rows");
    runs.forEach(
        (load, peers) ->
            peers.forEach(
                (peer, figures) -> {
                  double[] cpu =
                      figures.stream().mapToDouble(Figures::cpuMicros).sorted().toArray();
                  out.printf(
                      Locale.ROOT,
                      "%-15s %-14s %28s %8s %10.0f %9.1f %9.0f%n",
                      load,
                      peer.label(),
                      String.format(
                          Locale.ROOT,
                          "%.2f (%.2f-%.2f)",
                          median(cpu),
                          cpu[0],
                          cpu[cpu.length - 1]),
                      ratioText(load, peer),
                      median(figures, Figures::rowsPerSecond),
                      median(figures, Figures::stateBytes) / 1e6,
                      median(figures, Figures::rows));
                }));
  }

  /** CPU of Tidemark against this peer, on the worst of the loads. */
  double worstRatioTo(Peer peer) {
    return runs.keySet().stream().mapToDouble(load -> ratio(load, peer)).max().orElse(Double.NaN);
  }

  /** CPU of Tidemark against the best released peer of each load, on the worst of the loads. */
  double worstRatioToBest() {
    return runs.keySet().stream()
        .mapToDouble(load -> ratio(load, best(load)))
        .max()
        .orElse(Double.NaN);
  }

  /**
   * CPU that the transform adds to a pipeline against that of Tidemark, on the worst of the loads.
   *
   * @param core which Tidemark
   */
  double worstRatioOfTransform(Peer core) {
    return runs.keySet().stream()
        .mapToDouble(load -> addedRatio(load, Peer.PIPELINE_WITH, core))
        .max()
        .orElse(Double.NaN);
  }

  /** What is told of a peer: of a released one our CPU by its, of a pipeline its by ours. */
  private String ratioText(Load load, Peer peer) {
    if (peer.released()) {
      return String.format(Locale.ROOT, "%.3f", ratio(load, peer));
    }
    return peer.isPipeline() && peer != Peer.PIPELINE_WITHOUT
        ? String.format(Locale.ROOT, "x %.3f", addedRatio(load, peer, Peer.TIDEMARK))
        : "";
  }

  /** CPU that something adds to a pipeline against that of the bare materializer. */
  private double addedRatio(Load load, Peer pipeline, Peer bare) {
    List<Figures> core = runs(load, bare);
    List<Figures> with = runs(load, pipeline);
    List<Figures> without = runs(load, Peer.PIPELINE_WITHOUT);
    double[] ratios = new double[Math.min(core.size(), Math.min(with.size(), without.size()))];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = (with.get(i).cpuMicros() - without.get(i).cpuMicros()) / core.get(i).cpuMicros();
    }
    Arrays.sort(ratios);
    return median(ratios);
  }

  private List<Figures> runs(Load load, Peer peer) {
    return runs.get(load).getOrDefault(peer, List.of());
  }

  private Peer best(Load load) {
    return Stream.of(Peer.values())
        .filter(Peer::released)
        .min(Comparator.comparingDouble(peer -> median(runs(load, peer), Figures::cpuMicros)))
        .orElseThrow();
  }

  /**
   * Runs of the same round are compared, and the median is taken: other load on the machine changes
   * from round to round.
   */
  private double ratio(Load load, Peer peer) {
    List<Figures> ours = runs(load, Peer.TIDEMARK);
    List<Figures> theirs = runs(load, peer);
    double[] ratios = new double[Math.min(ours.size(), theirs.size())];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = ours.get(i).cpuMicros() / theirs.get(i).cpuMicros();
    }
    Arrays.sort(ratios);
    return median(ratios);
  }

  private static double median(List<Figures> figures, ToDoubleFunction<Figures> figure) {
    return median(figures.stream().mapToDouble(figure).sorted().toArray());
  }

  private static double median(double[] sorted) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
