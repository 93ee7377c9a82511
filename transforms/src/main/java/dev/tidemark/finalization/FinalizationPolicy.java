package dev.tidemark.finalization;

import java.io.Serializable;

/**
 * Turns the evidence of one writer into a candidate for the watermark: a time before which no
 * record is expected any more.
 *
 * <p>A policy is a pure function. It must wait where the evidence is not enough, and must never
 * take missing evidence for "nothing was late". Rounding, the cap at the present, the minimum over
 * writers and monotony are not its business, see {@link WatermarkRule}.
 *
 * <p>A policy of one's own that finalizes a fixed time behind the newest event:
 *
 * <pre>{@code
 * final class BehindTheNewest implements FinalizationPolicy {
 *   public Decision decide(WriterEvidence evidence) {
 *     Decision lacking = evidence.lacking(lookback());
 *     if (lacking != null) {
 *       return lacking;
 *     }
 *     long newest = Long.MIN_VALUE;
 *     for (CommitFacts facts : evidence.recent(lookback())) {
 *       if (facts.maxMillis() == null) {
 *         return Decision.waitFor(WaitCode.MISSING_FACTS, "The largest event time is not known");
 *       }
 *       newest = Math.max(newest, facts.maxMillis());
 *     }
 *     return Decision.candidate(newest - 3_600_000, "an hour behind the newest event");
 *   }
 *
 *   public String describe() {
 *     return "behindTheNewest()";
 *   }
 *
 *   public Lookback lookback() {
 *     return Lookback.standard();
 *   }
 * }
 * }</pre>
 */
public interface FinalizationPolicy extends Serializable {

  /** The candidate, or to wait. */
  Decision decide(WriterEvidence evidence);

  /**
   * The policy as text, for instance {@code minOfMins(6, PT30M)}; canonical, stored with the table.
   * {@link Policies#parse} reads back the policies of this package.
   */
  String describe();

  /** The facts the policy looks at: windows have to keep at least these. */
  Lookback lookback();

  /**
   * Whether windows have to keep sketches for this policy; counts per bucket they keep in any case.
   */
  default boolean needsSketch() {
    return false;
  }

  /**
   * How far behind an input watermark records may still come; 0 where the policy knows nothing of
   * it.
   */
  default long holdbackMillis() {
    return 0;
  }

  /**
   * Whether an attestation without a commit can change the decision, so that heartbeats are worth a
   * look at the table. Where a policy does not say, they are.
   */
  default boolean needsAttestation() {
    return true;
  }
}
