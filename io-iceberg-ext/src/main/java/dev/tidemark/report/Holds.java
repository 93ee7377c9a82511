package dev.tidemark.report;

import com.google.common.collect.ImmutableList;
import dev.tidemark.finalization.Policies;
import dev.tidemark.sensor.FinalizationTimeline;
import dev.tidemark.sensor.TimelineCommit;
import dev.tidemark.sensor.TimelinePoint;
import java.time.Instant;
import java.util.List;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Finds where commits went on and the watermark did not, and what held it. */
final class Holds {
  private final FinalizationTimeline timeline;
  private final Bounds actual;
  private final @Nullable List<String> reasons;

  Holds(FinalizationTimeline timeline, Bounds actual) {
    this.timeline = timeline;
    this.actual = actual;
    this.reasons = reasons();
  }

  /** What the recorded policy made of the evidence; the handling of idle writers is not stored. */
  private @Nullable List<String> reasons() {
    String policy = timeline.report().policy();
    try {
      return policy == null
          ? null
          : new Replay(timeline, SimulationRules.of(Policies.parse(policy))).reasons(actual);
    } catch (IllegalArgumentException e) {
      // A policy of the user's own.
      return null;
    }
  }

  ImmutableList<WatermarkHold> longerThanTwoSteps() {
    List<Bounds.Step> steps = actual.steps();
    long longest = 2 * stepMillis();
    ImmutableList.Builder<WatermarkHold> holds = ImmutableList.builder();
    int from = -1;
    for (int i = 0; i < steps.size(); i++) {
      Long before = i == 0 ? null : steps.get(i - 1).low();
      Long now = steps.get(i).low();
      boolean moved = now != null && !now.equals(before);
      if (from >= 0 && (moved || i == steps.size() - 1)) {
        addHold(from, i, moved, longest, holds);
      }
      from = moved ? i : from;
    }
    return holds.build();
  }

  private void addHold(
      int from, int to, boolean moved, long longest, ImmutableList.Builder<WatermarkHold> holds) {
    Bounds.Step start = actual.steps().get(from);
    Instant end = actual.steps().get(to).at();
    int last = moved ? to - 1 : to;
    Long watermark = start.low();
    if (watermark != null
        && end.toEpochMilli() - start.at().toEpochMilli() > longest
        && hasCommits(from + 1, last)) {
      holds.add(
          new WatermarkHold(
              start.at(),
              end,
              Instant.ofEpochMilli(watermark),
              reasons == null ? null : reasons.get((from + 1 + last) / 2),
              !moved));
    }
  }

  private boolean hasCommits(int first, int last) {
    for (TimelinePoint point : timeline.points().subList(first, last + 1)) {
      TimelineCommit commit = point.commit();
      if (commit != null && commit.facts() != null && commit.facts().count() > 0) {
        return true;
      }
    }
    return false;
  }

  /** The smallest move is what the watermark is rounded to, or a multiple of it. */
  private long stepMillis() {
    long smallest = Long.MAX_VALUE;
    List<WatermarkStep> moves = actual.moves();
    for (int i = 1; i < moves.size(); i++) {
      long move =
          moves.get(i).watermark().toEpochMilli() - moves.get(i - 1).watermark().toEpochMilli();
      smallest = move > 0 ? Math.min(smallest, move) : smallest;
    }
    return smallest == Long.MAX_VALUE ? Hours.MILLIS : smallest;
  }
}
