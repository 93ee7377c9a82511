package dev.tidemark.peers;

import dev.tidemark.candidates.CandidateStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A scenario run by the released operator and by Tidemark's.
 *
 * <p>FLINK-39740 explains what differs in a changelog only if {@link SequenceModel} gives, with
 * that defect, what the released operator emitted, and without it, what Tidemark emitted: all of
 * it, exceptions included.
 */
final class Comparison {
  private final Scenario scenario;
  private final List<@Nullable Outcome> released;
  private final SortedSet<Integer> different = new TreeSet<>();
  private final SortedMap<Integer, String> unexplained = new TreeMap<>();

  private Comparison(Scenario scenario) throws Exception {
    this.scenario = scenario;
    this.released = runReleased(scenario);
  }

  static Comparison of(
      Scenario scenario, Collection<Supplier<CandidateStore>> stores, Coverage coverage)
      throws Exception {
    Comparison comparison = new Comparison(scenario);
    for (Supplier<CandidateStore> store : stores) {
      comparison.compare(TidemarkUnderTest.run(scenario, store, coverage));
    }
    return comparison;
  }

  /** The changelogs that do not come out the same, explained or not. */
  SortedSet<Integer> different() {
    return different;
  }

  /** The changelogs whose difference has no explanation, and the first change that differs. */
  SortedMap<Integer, String> unexplained() {
    return unexplained;
  }

  /** The changelogs in which the released operator threw an exception. */
  Set<Integer> failed() {
    Set<Integer> failed = new HashSet<>();
    for (int i = 0; i < released.size(); i++) {
      Outcome outcome = released.get(i);
      if (outcome != null
          && outcome.error() != null
          && scenario.events().get(i) instanceof Event.Change change) {
        failed.add(change.changelog());
      }
    }
    return failed;
  }

  private void compare(List<Outcome> ours) {
    SortedMap<Integer, Integer> firstDifferences = new TreeMap<>();
    for (int i = 0; i < ours.size(); i++) {
      Outcome theirs = released.get(i);
      if (theirs != null
          && !theirs.equals(ours.get(i))
          && scenario.events().get(i) instanceof Event.Change change) {
        firstDifferences.putIfAbsent(change.changelog(), i);
      }
    }
    different.addAll(firstDifferences.keySet());
    if (firstDifferences.isEmpty()) {
      return;
    }
    Set<Integer> explained = explained(ours);
    firstDifferences.forEach(
        (changelog, i) -> {
          if (!explained.contains(changelog)) {
            unexplained.put(
                changelog,
                String.format(
                    "at %d, %s: released %s, Tidemark %s",
                    i, scenario.events().get(i), released.get(i), ours.get(i)));
          }
        });
  }

  /** The changelogs that both sets of rules describe. */
  private Set<Integer> explained(List<Outcome> ours) {
    Set<Integer> explained = new HashSet<>();
    if (!scenario.setting().mayHaveDefect()) {
      return explained;
    }
    SequenceModel defective = SequenceModel.released(scenario.setting());
    SequenceModel repaired = SequenceModel.repaired(scenario.setting());
    Set<Integer> otherwise = new HashSet<>();
    for (int i = 0; i < ours.size(); i++) {
      if (scenario.events().get(i) instanceof Event.Change change) {
        Outcome theirs = released.get(i);
        // After a failure neither the operator nor the rules are asked any more.
        boolean asReleased =
            theirs == null || theirs.equals(defective.process(change.kind(), change.row()));
        boolean asRepaired =
            Objects.equals(ours.get(i), repaired.process(change.kind(), change.row()));
        explained.add(change.changelog());
        if (!asReleased || !asRepaired) {
          otherwise.add(change.changelog());
        }
      }
    }
    explained.removeAll(otherwise);
    return explained;
  }

  /**
   * What the released operator makes of each event; null from the change on that follows a failure
   * on the same sink key.
   */
  private static List<@Nullable Outcome> runReleased(Scenario scenario) throws Exception {
    List<@Nullable Outcome> outcomes = new ArrayList<>();
    Set<Cells> broken = new HashSet<>();
    try (ReleasedMaterializer materializer = ReleasedMaterializer.open(scenario.setting())) {
      for (Event event : scenario.events()) {
        if (event instanceof Event.Change change) {
          Cells key = change.row().project(scenario.setting().sinkKey());
          Outcome outcome =
              broken.contains(key) ? null : materializer.process(change.kind(), change.row());
          if (outcome != null && outcome.error() != null) {
            broken.add(key);
          }
          outcomes.add(outcome);
        } else {
          if (event instanceof Event.Time time) {
            materializer.setMillis(time.millis());
          } else {
            materializer.restore();
          }
          outcomes.add(Outcome.NOTHING);
        }
      }
    }
    return outcomes;
  }
}
