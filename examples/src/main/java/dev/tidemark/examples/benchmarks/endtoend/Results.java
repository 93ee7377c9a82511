package dev.tidemark.examples.benchmarks.endtoend;

import com.google.common.collect.ImmutableList;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The figures of all rounds, and what is told of them. */
final class Results {
  private static final String LINE = "%-10s %-18s %11s %9s %30s %12s %10s %9s %9s%n";

  private final Map<Trial, List<RunFigures>> runs = new LinkedHashMap<>();

  /** Adds the figures of the next round. */
  void add(Trial trial, RunFigures figures) {
    runs.computeIfAbsent(trial, key -> new ArrayList<>()).add(figures);
  }

  void print(PrintStream out) {
    out.printf(
        LINE,
        "job",
        "kind",
        "parallelism",
        "keys",
        "CPU us/event median (min-max)",
        "with start",
        "events/s",
        "files/cp",
        "loads/cp");
    runs.keySet().forEach(trial -> print(out, trial));
  }

  private void print(PrintStream out, Trial trial) {
    double[] cpu = sorted(trial, RunFigures::cpuMicros);
    out.printf(
        LINE,
        trial.peer().name(),
        trial.peer().label(),
        trial.parallelism(),
        trial.keys(),
        String.format(Locale.ROOT, "%.2f (%.2f-%.2f)", middle(cpu), cpu[0], cpu[cpu.length - 1]),
        format("%.2f", trial, RunFigures::cpuMicrosInAll),
        format("%.0f", trial, RunFigures::eventsPerSecond),
        format("%.1f", trial, RunFigures::filesPerCommit),
        format("%.1f", trial, RunFigures::loadsPerCommit));
  }

  private String format(String format, Trial trial, ToDoubleFunction<RunFigures> figure) {
    return String.format(Locale.ROOT, format, middle(sorted(trial, figure)));
  }

  /**
   * The CPU of a job against that of another. Runs of the same round are compared, and the median
   * is taken: other load on the machine changes from round to round.
   */
  double ratio(Trial trial, Trial other) {
    List<RunFigures> mine = runs.getOrDefault(trial, List.of());
    List<RunFigures> theirs = runs.getOrDefault(other, List.of());
    double[] ratios = new double[Math.min(mine.size(), theirs.size())];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = mine.get(i).cpuMicros() / theirs.get(i).cpuMicros();
    }
    Arrays.sort(ratios);
    return middle(ratios);
  }

  /** How the CPU of trials grows with what sets them apart. */
  double growth(ImmutableList<Trial> trials, Function<Trial, Integer> by) {
    Map<Integer, Double> costs = new TreeMap<>();
    for (Trial trial : trials) {
      if (runs.containsKey(trial)) {
        costs.put(by.apply(trial), middle(sorted(trial, RunFigures::cpuMicros)));
      }
    }
    return Growth.exponent(costs);
  }

  private double[] sorted(Trial trial, ToDoubleFunction<RunFigures> figure) {
    return runs.getOrDefault(trial, List.of()).stream().mapToDouble(figure).sorted().toArray();
  }

  private static double middle(double[] sorted) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
