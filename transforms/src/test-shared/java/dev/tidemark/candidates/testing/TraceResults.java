package dev.tidemark.candidates.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How many traces ran and what came of them, by strategy and recorded state backend. */
public final class TraceResults {
  private final Map<String, Counts> groups = new TreeMap<>();
  private final List<String> failures = new ArrayList<>();
  private final Counts total = new Counts();

  TraceResults() {}

  void addPassed(RecordedTrace trace) {
    total.passed++;
    group(trace).passed++;
  }

  void addRefused(RecordedTrace trace) {
    total.refused++;
    group(trace).refused++;
  }

  void addFailed(RecordedTrace trace, String failure) {
    total.failed++;
    group(trace).failed++;
    failures.add(failure);
  }

  private Counts group(RecordedTrace trace) {
    return groups.computeIfAbsent(
        trace.strategy() + (trace.onHeap() ? " heap" : " rocksdb"), group -> new Counts());
  }

  /** How many traces emitted what they should. */
  public int passed() {
    return total.passed;
  }

  /** How many traces were not run since their upsert key is refused. */
  public int refused() {
    return total.refused;
  }

  /** What went wrong, an entry per trace: trace, step, what was expected and what came. */
  public List<String> failures() {
    return failures;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(total.line("all"));
    groups.forEach((group, counts) -> text.append('\n').append(counts.line(group)));
    return text.toString();
  }

  private static final class Counts {
    private int passed;
    private int failed;
    private int refused;

    String line(String group) {
      return String.format(
          "%-16s ran %d, passed %d, failed %d, refused %d",
          group, passed + failed, passed, failed, refused);
    }
  }
}
