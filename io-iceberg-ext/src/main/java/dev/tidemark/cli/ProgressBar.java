package dev.tidemark.cli;

import dev.tidemark.sensor.FinalizationStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * How far the watermark of the slowest table is on its way to the end of what is asked about, from
 * where it was at the beginning of the wait.
 */
final class ProgressBar {
  /** Goes to the start of the line and erases it. */
  static final String ERASE = "\r\u001b[K";

  private static final int CELLS = 20;

  private record Way(FinalizationStatus status, double part) {}

  private final Map<String, Instant> began = new HashMap<>();
  private final Map<String, Way> ways = new HashMap<>();

  /** The bar after an answer that was not final yet, in place of the one before. */
  String drawn(FinalizationStatus status, Duration left) {
    ways.put(status.table(), new Way(status, part(status)));
    Way slowest = null;
    for (Way way : ways.values()) {
      slowest = slowest == null || way.part() < slowest.part() ? way : slowest;
    }
    if (slowest == null) {
      return ERASE;
    }
    int full = (int) (slowest.part() * CELLS);
    Instant until = slowest.status().finalizedUntil();
    return "%s[%s%s] %3d%% %s: %s of %s, %s left"
        .formatted(
            ERASE,
            "#".repeat(full),
            "-".repeat(CELLS - full),
            (int) (slowest.part() * 100),
            Errors.line(slowest.status().table()),
            until == null ? "no watermark" : until,
            slowest.status().range().end(),
            Times.text(left));
  }

  private double part(FinalizationStatus status) {
    Instant until = status.finalizedUntil();
    if (until == null) {
      return 0;
    }
    Instant first = began.merge(status.table(), until, (known, now) -> known);
    Duration whole = Duration.between(first, status.range().end());
    Duration done = Duration.between(first, until);
    return whole.isZero() || whole.isNegative()
        ? 0
        : Math.max(0, Math.min(1, (double) done.toMillis() / Math.max(1, whole.toMillis())));
  }
}
