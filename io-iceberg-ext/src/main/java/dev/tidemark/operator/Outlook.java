package dev.tidemark.operator;

import dev.tidemark.finalization.Advance;
import dev.tidemark.finalization.Attestation;
import dev.tidemark.finalization.Evidence;
import dev.tidemark.finalization.FinalizationPolicy;
import dev.tidemark.finalization.IdleHandling;
import dev.tidemark.finalization.Policies;
import dev.tidemark.finalization.WatermarkRule;
import dev.tidemark.finalization.WriterWindow;
import java.util.Set;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What the next advance would make of the stored evidence, by the policy that moved the watermark
 * last. The pipeline may know more than what is stored: its granularity, how it handles idle
 * writers, and what it has not attested yet.
 */
final class Outlook {
  private Outlook() {}

  /** One sentence. */
  static String of(Base base, Set<String> required, long nowMillis) {
    FinalizationPolicy policy = policy(base);
    if (policy == null) {
      return "No policy has moved the watermark yet, so what comes next is not known.";
    }
    Evidence evidence = Evidence.at(nowMillis).withRequiredWriters(required);
    if (!base.isClone()) {
      evidence =
          evidence.withStored(
              base.watermark().finalizedUntilMillis(), base.watermark().finalizedSinceMillis());
    }
    for (String writer : required) {
      try {
        WriterWindow window = base.evidence().window(writer);
        if (window != null) {
          evidence = evidence.withWindow(window);
        }
        Attestation attestation = base.evidence().attestation(writer);
        if (attestation != null) {
          evidence = evidence.withAttestation(writer, attestation);
        }
      } catch (IllegalArgumentException e) {
        return "The evidence of writer %s cannot be read, so the watermark waits for new one."
            .formatted(writer);
      }
    }
    Advance next = WatermarkRule.next(policy, IdleHandling.waiting(), evidence);
    return "By %s and what is stored, next: %s.".formatted(policy.describe(), next.reason());
  }

  private static @Nullable FinalizationPolicy policy(Base base) {
    String text = base.watermark().policy();
    try {
      return text == null ? null : Policies.parse(text);
    } catch (IllegalArgumentException e) {
      // A policy of the user's own.
      return null;
    }
  }
}
