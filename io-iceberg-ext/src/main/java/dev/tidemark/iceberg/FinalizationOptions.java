package dev.tidemark.iceberg;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedSet;
import dev.tidemark.action.AdvanceListener;
import dev.tidemark.commit.TidemarkKeys;
import dev.tidemark.finalization.FinalizationPolicy;
import dev.tidemark.finalization.IdleHandling;
import dev.tidemark.finalization.IdlePolicy;
import dev.tidemark.finalization.LateAlertOptions;
import dev.tidemark.finalization.Policies;
import java.io.Serializable;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.apache.beam.sdk.transforms.display.HasDisplayData;
import org.joda.time.Duration;

/**
 * By which rule the finalization watermark of a table moves, and how late data is reported.
 *
 * <p>The default policy, the minimum of the minima of recent commits, cannot see a source that
 * delivers nothing at all, such as a paused partition of a topic. Combine it with the input
 * watermark where that can happen: {@code Policies.allOf(Policies.minOfMins(),
 * Policies.inputWatermark(...))}.
 */
@AutoValue
public abstract class FinalizationOptions implements Serializable, HasDisplayData {
  private static final Duration HOUR = Duration.standardHours(1);
  private static final Duration LEAST_GRANULARITY = Duration.standardMinutes(15);
  private static final Duration MOST_GRANULARITY = Duration.standardDays(31);

  FinalizationOptions() {}

  abstract FinalizationPolicy policy();

  abstract IdleHandling idle();

  abstract ImmutableMap<String, IdleHandling> writerIdle();

  abstract Duration granularity();

  abstract ImmutableSet<String> requiredWriters();

  abstract LateAlertOptions alerts();

  abstract ImmutableSet<LateDataListener> listeners();

  abstract ImmutableSet<AdvanceListener> advanceListeners();

  abstract Builder toBuilder();

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder policy(FinalizationPolicy policy);

    abstract Builder idle(IdleHandling idle);

    abstract Builder writerIdle(ImmutableMap<String, IdleHandling> idle);

    abstract Builder granularity(Duration granularity);

    abstract Builder requiredWriters(ImmutableSet<String> writers);

    abstract Builder alerts(LateAlertOptions alerts);

    abstract Builder listeners(ImmutableSet<LateDataListener> listeners);

    abstract Builder advanceListeners(ImmutableSet<AdvanceListener> listeners);

    abstract FinalizationOptions build();
  }

  /** The defaults that each setter names. */
  public static FinalizationOptions defaults() {
    return new AutoValue_FinalizationOptions.Builder()
        .policy(Policies.minOfMins())
        .idle(IdleHandling.waiting())
        .writerIdle(ImmutableMap.of())
        .granularity(HOUR)
        .requiredWriters(ImmutableSet.of())
        .alerts(LateAlertOptions.standard())
        .listeners(ImmutableSet.of(LateDataListener.logging()))
        .advanceListeners(ImmutableSet.of(AdvanceListener.logging()))
        .build();
  }

  /** The policy. Default: {@link Policies#minOfMins()}. */
  public FinalizationOptions withPolicy(FinalizationPolicy policy) {
    return toBuilder().policy(policy).build();
  }

  /** What to do while a writer commits nothing. Default: wait. */
  public FinalizationOptions withIdle(IdleHandling idle) {
    return toBuilder().idle(idle).build();
  }

  /**
   * What to do while this one of the required writers commits nothing, instead of what {@link
   * #withIdle(IdleHandling)} says. Whoever advances the watermark applies its own options: give all
   * pipelines of a table the same.
   *
   * @throws IllegalArgumentException if it is no writer id
   */
  public FinalizationOptions withIdle(String writer, IdleHandling idle) {
    Map<String, IdleHandling> all = new TreeMap<>(writerIdle());
    all.put(TidemarkKeys.checkWriterId(writer), idle);
    return toBuilder().writerIdle(ImmutableMap.copyOf(all)).build();
  }

  /**
   * What the watermark is rounded down to: a divisor of a day of at least 15 minutes, or whole days
   * up to 31. Default: an hour. Below an hour, sketches count at 15-minute boundaries.
   *
   * @throws IllegalArgumentException if it is neither
   */
  public FinalizationOptions withGranularity(Duration granularity) {
    long millis = granularity.getMillis();
    long day = Duration.standardDays(1).getMillis();
    if (granularity.isShorterThan(LEAST_GRANULARITY)
        || granularity.isLongerThan(MOST_GRANULARITY)
        || (day % millis != 0 && millis % day != 0)) {
      throw new IllegalArgumentException(
          String.format(
              "Invalid granularity: %s (must be at least 15 minutes and divide a day, or be 1 to 31"
                  + " whole days)",
              granularity));
    }
    return toBuilder().granularity(granularity).build();
  }

  /**
   * The writers whose evidence the watermark needs, where the table's property does not list them.
   * Default: the writer of this pipeline alone.
   */
  public FinalizationOptions withRequiredWriters(Set<String> writers) {
    writers.forEach(TidemarkKeys::checkWriterId);
    return toBuilder().requiredWriters(ImmutableSet.copyOf(writers)).build();
  }

  /**
   * When late data alerts: threshold, window, backfill. Default: {@link LateAlertOptions#standard}.
   */
  public FinalizationOptions withLateAlerts(LateAlertOptions alerts) {
    return toBuilder().alerts(alerts).build();
  }

  /** Who is told of late data. Default: the log. Replaces what was set. */
  public FinalizationOptions withLateDataListeners(LateDataListener... listeners) {
    return toBuilder().listeners(ImmutableSet.copyOf(listeners)).build();
  }

  /**
   * Who is told of moves of the watermark, beside the pipeline: the log, a {@link
   * AdvanceListener#webhook webhook}, {@link dev.tidemark.action.TagFinalPartitions tags}, {@link
   * dev.tidemark.action.MarkFinalPartitions marker files}, or your own. Default: the log. Replaces
   * what was set.
   */
  public FinalizationOptions withAdvanceListeners(AdvanceListener... listeners) {
    return toBuilder().advanceListeners(ImmutableSet.copyOf(listeners)).build();
  }

  /** Whether an input watermark, or a sign of life, can move the watermark without a commit. */
  boolean needsHeartbeats(String writerId) {
    return idle().policy() != IdlePolicy.WAIT
        || writerIdle().values().stream().anyMatch(idle -> idle.policy() != IdlePolicy.WAIT)
        || policy().needsAttestation()
        || requiredWriters().stream().anyMatch(writer -> !writer.equals(writerId));
  }

  @Override
  public void populateDisplayData(DisplayData.Builder builder) {
    LateAlertOptions late = alerts();
    builder
        .add(DisplayData.item("policy", policy().describe()).withLabel("Finalization policy"))
        .add(DisplayData.item("idle", idle().policy().name()).withLabel("Idle tables"))
        .add(
            DisplayData.item(
                    "writerIdle",
                    writerIdle().entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue().policy())
                        .collect(Collectors.joining(",")))
                .withLabel("Idle writers that are handled otherwise"))
        .add(
            DisplayData.item("granularity", granularity())
                .withLabel("What the watermark is rounded down to"))
        .add(
            DisplayData.item(
                    "requiredWriters",
                    String.join(",", ImmutableSortedSet.copyOf(requiredWriters())))
                .withLabel("Required writers"))
        .add(
            DisplayData.item("lateThreshold", late.threshold())
                .withLabel("Late records of an hour that alert nobody"))
        .add(
            DisplayData.item("lateWindow", Duration.millis(late.windowMillis()))
                .withLabel("Time in which an hour alerts at most once"))
        .add(DisplayData.item("backfill", late.backfill()).withLabel("Backfill, without alerts"))
        .add(DisplayData.item("lateListeners", listeners().size()).withLabel("Listeners"))
        .add(
            DisplayData.item("advanceListeners", advanceListeners().size())
                .withLabel("Listeners of advances"));
  }
}
