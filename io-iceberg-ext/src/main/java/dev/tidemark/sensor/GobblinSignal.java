package dev.tidemark.sensor;

import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Gobblin's property: the end, in epoch milliseconds, of the newest hour or day whose audit counts
 * matched; it never moves back. Hours before that one are not looked at.
 */
final class GobblinSignal extends Signal {
  static final String NAME = "gobblin";
  private static final String COMPLETION_WATERMARK = "completionWatermark";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String caveat() {
    return "it says that the counts of the newest hour before it matched within a threshold; earlier"
        + " hours are taken for complete without being counted";
  }

  @Override
  @Nullable Instant until(TableSource.Version version, String branch) {
    String text = version.metadata().properties().get(COMPLETION_WATERMARK);
    if (text == null) {
      return null;
    }
    try {
      long millis = Long.parseLong(text);
      // -1 until there is one.
      return millis <= 0 ? null : Instant.ofEpochMilli(millis);
    } catch (NumberFormatException e) {
      throw new FinalizationException(
          FinalizationException.Kind.UNREADABLE,
          "Cannot read property %s: %s is no time in milliseconds. Ask by another signal."
              .formatted(COMPLETION_WATERMARK, text),
          e);
    }
  }
}
