package dev.tidemark.report;

import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A stretch of commit time that a report is about.
 *
 * @param from the first time; null for everything that is stored
 * @param until the time that it ends before; null for everything
 */
public record Span(@Nullable Instant from, @Nullable Instant until) {
  /** Everything that is stored. */
  public static final Span ALL = new Span(null, null);

  /**
   * A stretch.
   *
   * @throws IllegalArgumentException if it does not end after its start
   */
  public Span {
    if (from != null && until != null && !from.isBefore(until)) {
      throw new IllegalArgumentException(
          "Invalid stretch of commit time: %s to %s (must end after its start)"
              .formatted(from, until));
    }
  }

  boolean contains(Instant at) {
    return (from == null || !at.isBefore(from)) && (until == null || at.isBefore(until));
  }
}
