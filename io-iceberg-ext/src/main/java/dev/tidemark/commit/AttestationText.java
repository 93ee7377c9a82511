package dev.tidemark.commit;

import dev.tidemark.finalization.Attestation;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An attestation as property text: {@code a1:<input watermark in ms, or nothing>:<when, in ms>}.
 */
final class AttestationText {
  private static final Pattern TEXT = Pattern.compile("a1:(-?\\d{1,18})?:(-?\\d{1,18})");

  private AttestationText() {}

  static String toText(Attestation attestation) {
    Long watermark = attestation.inputWatermarkMillis();
    return "a1:" + (watermark == null ? "" : watermark) + ":" + attestation.atMillis();
  }

  /**
   * Reads an attestation.
   *
   * @throws IllegalArgumentException if the text is none
   */
  static Attestation fromText(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "Invalid attestation: %s (must match %s)".formatted(text, TEXT.pattern()));
    }
    String watermark = matcher.group(1);
    return Attestation.of(
        watermark == null ? null : Long.valueOf(watermark), Long.parseLong(matcher.group(2)));
  }
}
