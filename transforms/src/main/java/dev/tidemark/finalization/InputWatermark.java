package dev.tidemark.finalization;

import static com.google.common.base.Preconditions.checkArgument;

import org.joda.time.Duration;

/** The attested input watermark, held back. */
final class InputWatermark implements FinalizationPolicy {

  private final long holdbackMillis;

  InputWatermark(Duration holdback) {
    checkArgument(
        holdback.getMillis() >= 0 && !holdback.isLongerThan(Lookback.MAX_DURATION),
        "Invalid holdback: %s ms (must be 0 to 31 days)",
        holdback.getMillis());
    this.holdbackMillis = holdback.getMillis();
  }

  @Override
  public Decision decide(WriterEvidence evidence) {
    Long watermark = evidence.inputWatermarkMillis();
    if (watermark == null || WatermarkRule.isUnset(watermark)) {
      return evidence.staleAttestation()
          ? Decision.waitFor(
              WaitCode.STALE_ATTESTATION,
              "The latest proof of life of writer " + evidence.writer() + " is too old")
          : Decision.waitFor(
              WaitCode.NO_INPUT_WATERMARK,
              "Writer " + evidence.writer() + " has attested no input watermark");
    }
    return Decision.candidate(
        Boundaries.minus(watermark, holdbackMillis), "the attested input watermark, held back");
  }

  @Override
  public Lookback lookback() {
    return Lookback.of(1, Duration.ZERO);
  }

  @Override
  public long holdbackMillis() {
    return holdbackMillis;
  }

  @Override
  public String describe() {
    return "inputWatermark(" + java.time.Duration.ofMillis(holdbackMillis) + ")";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof InputWatermark that && that.holdbackMillis == holdbackMillis;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(holdbackMillis);
  }

  @Override
  public String toString() {
    return describe();
  }
}
