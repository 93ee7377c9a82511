package dev.tidemark.report;

import com.google.common.collect.ImmutableSet;
import dev.tidemark.eventtime.EventTimeSketch;
import dev.tidemark.finalization.CommitFacts;
import dev.tidemark.sensor.FinalizationTimeline;
import dev.tidemark.sensor.TimelineCommit;
import dev.tidemark.sensor.TimelinePoint;
import java.util.ArrayList;
import java.util.List;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The commits of a timeline that state facts, each with the watermark that it met. */
final class Commits {
  private static final int LOW = 50;
  private static final int HIGH = 950;

  private Commits() {}

  /**
   * A commit.
   *
   * @param point its place in the timeline
   * @param metLow the watermark that it met, at least; null if none
   * @param metHigh and at most
   * @param lost whether the branch does not hold it any more
   */
  record Met(
      int point,
      TimelineCommit commit,
      @Nullable Long metLow,
      @Nullable Long metHigh,
      boolean lost) {
    LateCount late() {
      return Lateness.between(commit, metLow, metHigh);
    }
  }

  static List<Met> of(FinalizationTimeline timeline, Bounds actual) {
    ImmutableSet<Long> lost =
        timeline.points().isEmpty()
            ? ImmutableSet.of()
            : timeline.points().get(timeline.points().size() - 1).lost();
    List<Met> all = new ArrayList<>();
    for (int i = 0; i < timeline.points().size(); i++) {
      TimelineCommit commit = timeline.points().get(i).commit();
      if (commit == null || commit.facts() == null) {
        continue;
      }
      // Writers note the watermark they meet; without a note there was none.
      Long met = Hours.millis(commit.met());
      all.add(new Met(i, commit, met, met, lost.contains(commit.snapshotId())));
    }
    return all;
  }

  /** The commits as they would have met another watermark. */
  static List<Met> under(List<Met> commits, Bounds watermark) {
    List<Met> all = new ArrayList<>();
    for (Met met : commits) {
      Bounds.Step before = met.point() == 0 ? null : watermark.steps().get(met.point() - 1);
      Long low = before == null ? null : before.low();
      Long high = before == null ? firstHigh(watermark) : before.high();
      all.add(new Met(met.point(), met.commit(), low, high, met.lost()));
    }
    return all;
  }

  private static @Nullable Long firstHigh(Bounds watermark) {
    return watermark.cut() ? watermark.steps().get(0).high() : null;
  }

  static CommitSpan span(Met met, TimelinePoint point) {
    CommitFacts facts = met.commit().facts();
    if (facts == null) {
      throw new IllegalArgumentException("Cannot draw snapshot without facts");
    }
    return CommitSpan.builder()
        .setAt(point.at())
        .setSnapshotId(facts.snapshotId())
        .setWriter(facts.writer())
        .setRecords(facts.count())
        .setMin(Hours.instant(facts.minMillis()))
        .setLow(Hours.instant(quantile(facts, LOW)))
        .setHigh(Hours.instant(quantile(facts, HIGH)))
        .setMax(Hours.instant(facts.maxMillis()))
        .setMet(Hours.instant(met.metLow()))
        .setLate(met.late())
        .setLost(met.lost())
        .build();
  }

  private static @Nullable Long quantile(CommitFacts facts, int perMille) {
    Long recorded = facts.quantilesMillis().get(perMille);
    EventTimeSketch sketch = facts.sketch();
    if (recorded != null || sketch == null || sketch.count() == 0) {
      return recorded;
    }
    return sketch.quantileMillis(perMille / 1000.0);
  }
}
