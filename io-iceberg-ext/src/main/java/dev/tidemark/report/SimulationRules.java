package dev.tidemark.report;

import com.google.auto.value.AutoValue;
import dev.tidemark.finalization.Evidence;
import dev.tidemark.finalization.FinalizationPolicy;
import dev.tidemark.finalization.IdleHandling;
import java.time.Duration;

/** By which rules a table's past is replayed. A table stores none of them but its policy. */
@AutoValue
public abstract class SimulationRules {
  /** The policy. */
  public abstract FinalizationPolicy policy();

  /** What to do about writers that commit nothing; wait by default. */
  public abstract IdleHandling idle();

  /** What the watermark is rounded down to; an hour by default. */
  public abstract Duration granularity();

  /** Rules with defaults. */
  public static SimulationRules of(FinalizationPolicy policy) {
    return new AutoValue_SimulationRules(policy, IdleHandling.waiting(), Duration.ofHours(1));
  }

  /** These rules with another handling of idle writers. */
  public final SimulationRules withIdle(IdleHandling idle) {
    return new AutoValue_SimulationRules(policy(), idle, granularity());
  }

  /**
   * These rules with another granularity.
   *
   * @throws IllegalArgumentException unless it divides a day, or is whole days up to 31
   */
  public final SimulationRules withGranularity(Duration granularity) {
    Evidence.at(0).withGranularityMillis(granularity.toMillis());
    return new AutoValue_SimulationRules(policy(), idle(), granularity);
  }
}
