package dev.tidemark.report;

import java.time.Duration;
import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A time in which commits went on and the watermark did not.
 *
 * @param from the move before it
 * @param until the move after it, or the newest point where it still goes on
 * @param watermark where it stood
 * @param reason what the policy that the table records made of the evidence in the middle of it;
 *     null if the table records none that can be read
 * @param goesOn whether it had not ended
 */
public record WatermarkHold(
    Instant from, Instant until, Instant watermark, @Nullable String reason, boolean goesOn) {
  /** How long it took. */
  public Duration length() {
    return Duration.between(from, until);
  }
}
