package dev.tidemark.report;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableList;
import dev.tidemark.sensor.FinalizationReport;
import dev.tidemark.sensor.FinalizationTimeline;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A table's past by other rules: what the watermark would have been after each commit, when each
 * hour would have been final, and what would have been late.
 *
 * <p>The rules run as they do in a pipeline, on the facts that are stored. Where those do not
 * suffice, times and counts are bounds, and say so.
 */
@AutoValue
public abstract class Simulation {
  /** The table as it is. */
  public abstract FinalizationReport table();

  /** The rules. */
  public abstract SimulationRules rules();

  /** The commits with facts, oldest first, and what of each was late. */
  public abstract ImmutableList<CommitSpan> commits();

  /** The moves of the watermark that the table had. */
  public abstract ImmutableList<WatermarkStep> actual();

  /** The moves that it would have made at the latest. */
  public abstract ImmutableList<WatermarkStep> simulated();

  /** Points at which it may have been higher than {@link #simulated()} by so much. */
  public abstract ImmutableList<WatermarkStep> simulatedAtMost();

  /** The hours that either of them finalized, and those open in both, oldest first. */
  public abstract ImmutableList<SimulatedHour> hours();

  /** What was late. */
  public abstract LateCount actualLate();

  /** What would have been late. */
  public abstract LateCount simulatedLate();

  /** Commits that brought something late. */
  public abstract int actualLateCommits();

  /** Commits that would have, or may have. */
  public abstract int simulatedLateCommits();

  /** Decisions that what is stored does not suffice to repeat. */
  public abstract int unsurePoints();

  /** What is not known, for people. */
  public abstract ImmutableList<String> notices();

  /** When this was put together. */
  public abstract Instant madeAt();

  /**
   * Replays a timeline.
   *
   * @throws IllegalArgumentException if there is nothing in it to replay
   */
  public static Simulation of(FinalizationTimeline timeline, SimulationRules rules, Instant now) {
    return new Simulating(timeline, rules, now).simulation();
  }

  /** A page of its own, with times in a zone. */
  public final String toHtml(ZoneId zone) {
    return SimulationPage.of(this, zone);
  }

  /** By how much later each hour would have been final, where both times are known, ascending. */
  public final ImmutableList<Duration> deltas() {
    return hours().stream()
        .map(SimulatedHour::delta)
        .filter(Objects::nonNull)
        .sorted()
        .collect(ImmutableList.toImmutableList());
  }

  /** The middle one of {@link #deltas()}; null if there are none. */
  public final @Nullable Duration medianDelta() {
    List<Duration> deltas = deltas();
    return deltas.isEmpty() ? null : deltas.get(deltas.size() / 2);
  }

  static Builder builder() {
    return new AutoValue_Simulation.Builder();
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setTable(FinalizationReport table);

    abstract Builder setRules(SimulationRules rules);

    abstract Builder setCommits(ImmutableList<CommitSpan> commits);

    abstract Builder setActual(ImmutableList<WatermarkStep> moves);

    abstract Builder setSimulated(ImmutableList<WatermarkStep> moves);

    abstract Builder setSimulatedAtMost(ImmutableList<WatermarkStep> points);

    abstract Builder setHours(ImmutableList<SimulatedHour> hours);

    abstract Builder setActualLate(LateCount late);

    abstract Builder setSimulatedLate(LateCount late);

    abstract Builder setActualLateCommits(int commits);

    abstract Builder setSimulatedLateCommits(int commits);

    abstract Builder setUnsurePoints(int points);

    abstract Builder setNotices(ImmutableList<String> notices);

    abstract Builder setMadeAt(Instant at);

    abstract Simulation build();
  }
}
