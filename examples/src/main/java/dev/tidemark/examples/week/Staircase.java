package dev.tidemark.examples.week;

import dev.tidemark.examples.week.TableHistory.Version;
import dev.tidemark.finalization.CommitFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What is to be drawn: the event times of each commit and the watermark, against commit time. */
final class Staircase {
  private final List<Commit> commits;
  private final List<Step> steps;

  private Staircase(List<Commit> commits, List<Step> steps) {
    this.commits = commits;
    this.steps = steps;
  }

  /**
   * A commit.
   *
   * @param hour the simulated hour that ended when it was made
   * @param lateByHour its rows below the watermark, by event-time hour
   */
  record Commit(
      int hour, String writer, long minMillis, long maxMillis, SortedMap<Long, Long> lateByHour) {}

  /** From the end of an hour on the watermark stood here. */
  record Step(int hour, long watermarkMillis) {}

  /** A change of properties happened when the commits before it did. */
  static Staircase of(List<Version> history, Map<Long, SortedMap<Long, Long>> lateBySnapshot) {
    List<Commit> commits = new ArrayList<>();
    List<Step> steps = new ArrayList<>();
    int hour = 0;
    Long watermark = null;
    for (Version version : history) {
      CommitFacts facts = version.facts();
      if (facts != null && facts.isKnown()) {
        // A clock that is wrong by less than an hour is in the right hour all the same.
        int own = Scenario.hourAt(facts.committedAtMillis());
        hour = Math.max(hour, own);
        commits.add(
            new Commit(
                own,
                facts.writer(),
                facts.minMillis(),
                facts.maxMillis(),
                lateBySnapshot.getOrDefault(facts.snapshotId(), new TreeMap<>())));
      }
      Long next = version.watermarkMillis();
      if (next != null && !next.equals(watermark)) {
        watermark = next;
        steps.add(new Step(hour, next));
      }
    }
    return new Staircase(commits, steps);
  }

  List<Commit> commits() {
    return commits;
  }

  List<Step> steps() {
    return steps;
  }

  /** The watermark at the end of an hour; null if there was none yet. */
  Long watermarkAt(int hour) {
    Long watermark = null;
    for (Step step : steps) {
      if (step.hour() <= hour) {
        watermark = step.watermarkMillis();
      }
    }
    return watermark;
  }
}
