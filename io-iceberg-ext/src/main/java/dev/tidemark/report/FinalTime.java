package dev.tidemark.report;

import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * When an hour became final.
 *
 * @param notBefore the first time at which it may have been; null where it may have been before
 *     everything that is stored
 * @param notAfter the time from which on it was; null where it is still open
 */
public record FinalTime(@Nullable Instant notBefore, @Nullable Instant notAfter) {
  static final FinalTime OPEN = new FinalTime(null, null);

  /** The time, where it is known exactly; null otherwise. */
  public @Nullable Instant exact() {
    return notAfter != null && notAfter.equals(notBefore) ? notAfter : null;
  }

  /** Whether the hour is not known to be final. */
  public boolean open() {
    return notAfter == null;
  }
}
