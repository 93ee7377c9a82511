package dev.tidemark.report;

import java.time.Duration;
import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * An hour of event time as it was, and as it would have been.
 *
 * @param start its start
 * @param actual when it became final
 * @param simulated when it would have become final
 * @param actualLate its records that came below the watermark
 * @param simulatedLate its records that would have
 */
public record SimulatedHour(
    Instant start,
    FinalTime actual,
    FinalTime simulated,
    LateCount actualLate,
    LateCount simulatedLate) {
  /** By how much later it would have become final, negative if earlier; null if not known. */
  public @Nullable Duration delta() {
    Instant was = actual.exact();
    Instant would = simulated.exact();
    return was == null || would == null ? null : Duration.between(was, would);
  }
}
