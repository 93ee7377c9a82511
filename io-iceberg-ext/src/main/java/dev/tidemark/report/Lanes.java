package dev.tidemark.report;

import com.google.common.collect.ImmutableList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gives each writer a colour, those with the most commits first; the others share the last. */
final class Lanes {
  private static final int COLORS = 6;

  private final ImmutableList<String> writers;

  private Lanes(ImmutableList<String> writers) {
    this.writers = writers;
  }

  static Lanes of(List<CommitSpan> commits) {
    Map<String, Integer> counts = new HashMap<>();
    commits.forEach(commit -> counts.merge(commit.writer(), 1, Integer::sum));
    return new Lanes(
        counts.keySet().stream()
            .sorted(
                Comparator.<String>comparingInt(writer -> -counts.get(writer))
                    .thenComparing(Comparator.naturalOrder()))
            .collect(ImmutableList.toImmutableList()));
  }

  /** The writers with a colour of their own. */
  ImmutableList<String> named() {
    return writers.subList(0, Math.min(COLORS, writers.size()));
  }

  /** How many writers share the last colour. */
  int others() {
    return writers.size() - named().size();
  }

  /** How many colours there are. */
  int count() {
    return named().size() + (others() > 0 ? 1 : 0);
  }

  int of(String writer) {
    return Math.min(COLORS, writers.indexOf(writer));
  }
}
