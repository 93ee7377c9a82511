package dev.tidemark.report;

import com.google.common.collect.ImmutableList;
import dev.tidemark.sensor.FinalizationTimeline;
import dev.tidemark.sensor.TimelinePoint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Where a watermark stood at the points of a timeline: at least here, at most there. Where it is
 * known both are the same.
 *
 * @param steps one for each point
 * @param cut whether the watermark may have been as high before the first point
 */
record Bounds(ImmutableList<Step> steps, boolean cut) {
  /** The bounds at one point; null is no watermark. */
  record Step(Instant at, @Nullable Long low, @Nullable Long high) {}

  /** The watermark that the table had: it never moves back, so gaps are bounded by their ends. */
  static Bounds actual(FinalizationTimeline timeline) {
    List<TimelinePoint> points = timeline.points();
    Long[] high = new Long[points.size()];
    Long next = Hours.millis(timeline.report().finalizedUntil());
    for (int i = points.size() - 1; i >= 0; i--) {
      if (points.get(i).watermarkKnown()) {
        next = Hours.millis(points.get(i).watermark());
      }
      high[i] = next;
    }
    List<Step> steps = new ArrayList<>();
    Long low = null;
    for (int i = 0; i < points.size(); i++) {
      TimelinePoint point = points.get(i);
      low = point.watermarkKnown() ? Hours.millis(point.watermark()) : low;
      // Where an operator moved it back the next one that is known may be lower.
      boolean lower = low != null && (high[i] == null || high[i] < low);
      steps.add(new Step(point.at(), low, lower ? low : high[i]));
    }
    return new Bounds(ImmutableList.copyOf(steps), timeline.cut());
  }

  /** When everything before {@code endMillis} was final. */
  FinalTime reached(long endMillis) {
    Instant notBefore = null;
    boolean before = false;
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      if (notBefore == null && !before && step.high() != null && step.high() >= endMillis) {
        before = i == 0 && cut;
        notBefore = before ? null : step.at();
      }
      if (step.low() != null && step.low() >= endMillis) {
        return new FinalTime(notBefore, step.at());
      }
    }
    return new FinalTime(notBefore, null);
  }

  @Nullable Long last() {
    return steps.isEmpty() ? null : steps.get(steps.size() - 1).low();
  }

  @Nullable Long lastHigh() {
    return steps.isEmpty() ? null : steps.get(steps.size() - 1).high();
  }

  /** The moves of the lower bound. */
  ImmutableList<WatermarkStep> moves() {
    ImmutableList.Builder<WatermarkStep> moves = ImmutableList.builder();
    Long before = null;
    for (Step step : steps) {
      Long low = step.low();
      if (low != null && !low.equals(before)) {
        moves.add(new WatermarkStep(step.at(), Instant.ofEpochMilli(low)));
        before = low;
      }
    }
    return moves.build();
  }
}
