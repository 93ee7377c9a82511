package dev.tidemark.finalization;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import java.io.Serializable;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;

/**
 * When a required writer counts as idle, and what follows.
 *
 * <p>A writer is idle where its latest proof of life is at least {@link #idleAfterMillis()} younger
 * than its newest commit with rows. Only a <em>fresh</em> proof of life counts (see {@link
 * #withProofValidFor}): a job that died advances nothing, however long it has been silent.
 */
@AutoValue
public abstract class IdleHandling implements Serializable {

  private static final Duration PROOF_VALID_FOR = Duration.standardMinutes(10);

  /** What to do. */
  public abstract IdlePolicy policy();

  /** After how much time without rows a writer is idle. */
  public abstract long idleAfterMillis();

  /** How old a proof of life may be; applies to active writers too. */
  public abstract long proofValidForMillis();

  /** The default: idle writers hold the watermark. */
  public static IdleHandling waiting() {
    return of(IdlePolicy.WAIT, Duration.ZERO);
  }

  /**
   * Idle writers advance to the input watermark they attest, minus the policy's own holdback.
   * Assumes that no record comes further behind the input watermark than that.
   */
  public static IdleHandling inputWatermark(Duration idleAfter) {
    return of(IdlePolicy.INPUT_WATERMARK, idleAfter);
  }

  /**
   * Idle writers advance to their latest proof of life minus {@code idleAfter} (or the policy's
   * holdback, if longer). Assumes that every record is committed within that time of its event
   * time; a source that is cut off looks the same as one that has nothing to say. A writer that
   * never committed rows stays where it is.
   */
  public static IdleHandling wallClock(Duration idleAfter) {
    return of(IdlePolicy.WALL_CLOCK, idleAfter);
  }

  /**
   * The handling that {@code policy} names.
   *
   * @throws IllegalArgumentException unless {@code idleAfter} is 0 to 31 days, and positive where
   *     the clock is trusted
   */
  public static IdleHandling of(IdlePolicy policy, Duration idleAfter) {
    checkArgument(
        idleAfter.getMillis() >= 0 && !idleAfter.isLongerThan(Lookback.MAX_DURATION),
        "Invalid idle time: %s ms (must be 0 to 31 days)",
        idleAfter.getMillis());
    checkArgument(
        policy == IdlePolicy.WAIT || idleAfter.getMillis() > 0,
        "Invalid idle time: 0 ms (must be positive where idle writers advance)");
    return new AutoValue_IdleHandling(policy, idleAfter.getMillis(), PROOF_VALID_FOR.getMillis());
  }

  /**
   * How old a proof of life may be to count; 10 minutes by default. Should exceed a few checkpoint
   * intervals.
   *
   * @throws IllegalArgumentException unless it is positive and at most 31 days
   */
  public final IdleHandling withProofValidFor(Duration validFor) {
    checkArgument(
        validFor.getMillis() > 0 && !validFor.isLongerThan(Lookback.MAX_DURATION),
        "Invalid validity of a proof of life: %s ms (must be positive and at most 31 days)",
        validFor.getMillis());
    return new AutoValue_IdleHandling(policy(), idleAfterMillis(), validFor.getMillis());
  }

  /**
   * A proof of the far future is as worthless as one of the far past: one of the two clocks is
   * wrong.
   */
  final boolean isFresh(Attestation attestation, long nowMillis) {
    long age = Boundaries.minus(nowMillis, attestation.atMillis());
    return age <= proofValidForMillis() && age >= -proofValidForMillis();
  }

  /** What idleness alone allows; null where the writer is not idle, or nothing is allowed. */
  final @Nullable Decision decide(WriterEvidence evidence, long holdbackMillis) {
    Attestation attestation = evidence.attestation();
    if (policy() == IdlePolicy.WAIT || attestation == null) {
      return null;
    }
    CommitFacts newest = evidence.window().newest();
    long at = Math.min(attestation.atMillis(), evidence.nowMillis());
    if (newest != null && Boundaries.minus(at, newest.committedAtMillis()) < idleAfterMillis()) {
      return null;
    }
    if (policy() == IdlePolicy.WALL_CLOCK) {
      return newest == null
          ? null
          : Decision.candidate(
              Boundaries.minus(at, Math.max(idleAfterMillis(), holdbackMillis)),
              "idle, by the clock up to the latest proof of life");
    }
    Long watermark = attestation.inputWatermarkMillis();
    return watermark == null || WatermarkRule.isUnset(watermark)
        ? null
        : Decision.candidate(
            Boundaries.minus(watermark, holdbackMillis), "idle, by the attested input watermark");
  }
}
