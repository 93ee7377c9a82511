package dev.tidemark.finalization;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedSet;
import java.util.Map;
import java.util.function.Function;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * The rule that turns the policy's candidates into a table's watermark:
 *
 * <ol>
 *   <li>the policy decides for each required writer; an idle one may go further, see {@link
 *       IdleHandling};
 *   <li>if one of them waits, the watermark stays;
 *   <li>each candidate is capped at now and rounded down to the granularity, or to the width of the
 *       counts it was read from where that is wider;
 *   <li>the smallest one counts;
 *   <li>and the watermark never moves back.
 * </ol>
 *
 * <p>A pure function of the evidence: repeating it, or evaluating it in several places, does no
 * harm.
 */
public final class WatermarkRule {

  /** 0001-01-01T00:00Z. Runners use times far before it for watermarks that are not known yet. */
  private static final long EARLIEST_MILLIS = -62_135_596_800_000L;

  private WatermarkRule() {}

  /** What becomes of the watermark by {@code evidence}. */
  public static Advance next(FinalizationPolicy policy, IdleHandling idle, Evidence evidence) {
    return next(policy, writer -> idle, evidence);
  }

  /** What becomes of the watermark by {@code evidence}, with idle writers handled each its way. */
  public static Advance next(
      FinalizationPolicy policy, Function<String, IdleHandling> idle, Evidence evidence) {
    ImmutableMap.Builder<String, Decision> decisions = ImmutableMap.builder();
    for (String writer : ImmutableSortedSet.copyOf(evidence.requiredWriters())) {
      decisions.put(writer, decide(writer, policy, idle.apply(writer), evidence));
    }
    ImmutableMap<String, Decision> perWriter = decisions.buildOrThrow();
    if (perWriter.isEmpty()) {
      return held(evidence, "Waiting: no writer is required", perWriter);
    }
    String slowest = null;
    long lowest = Long.MAX_VALUE;
    for (Map.Entry<String, Decision> entry : perWriter.entrySet()) {
      if (entry.getValue().isWait()) {
        return held(evidence, "Waiting: " + entry.getValue().reason(), perWriter);
      }
      long rounded = entry.getValue().roundedMillis(evidence.granularityMillis());
      if (slowest == null || rounded < lowest) {
        slowest = entry.getKey();
        lowest = rounded;
      }
    }
    return advanced(evidence, lowest, requireNonNull(slowest), perWriter);
  }

  /** Whether an input watermark means that none is known yet. */
  static boolean isUnset(long watermarkMillis) {
    return watermarkMillis < EARLIEST_MILLIS;
  }

  private static Decision decide(
      String writer, FinalizationPolicy policy, IdleHandling idle, Evidence evidence) {
    WriterWindow window = evidence.windows().get(writer);
    Attestation attestation = evidence.attestations().get(writer);
    boolean stale = attestation != null && !idle.isFresh(attestation, evidence.nowMillis());
    // Withheld rather than judged by each policy, so that no policy can advance by it.
    WriterEvidence known =
        WriterEvidence.of(
            window == null ? WriterWindow.empty(writer) : window,
            stale ? null : attestation,
            stale,
            evidence.nowMillis());
    Decision decision = policy.decide(known);
    Decision whenIdle = idle.decide(known, policy.holdbackMillis());
    if (whenIdle != null
        && (decision.isWait() || whenIdle.candidateMillis() > decision.candidateMillis())) {
      decision = whenIdle;
    } else if (stale && idle.policy() != IdlePolicy.WAIT) {
      decision = decision.because("the latest proof of life of writer " + writer + " is too old");
    }
    return inRange(decision, writer, evidence.nowMillis());
  }

  private static Decision inRange(Decision decision, String writer, long nowMillis) {
    if (decision.isWait()) {
      return decision;
    }
    if (decision.candidateMillis() < EARLIEST_MILLIS) {
      return Decision.waitFor(
          WaitCode.OUT_OF_RANGE, "The candidate of writer " + writer + " lies before the year 1");
    }
    return decision.candidateMillis() <= nowMillis
        ? decision
        : Decision.candidate(
            nowMillis, decision.widthMillis(), decision.reason() + "; capped at now");
  }

  private static Advance held(
      Evidence evidence, String reason, ImmutableMap<String, Decision> perWriter) {
    return Advance.of(
        evidence.storedMillis(),
        evidence.storedMillis(),
        evidence.sinceMillis(),
        reason,
        perWriter);
  }

  private static Advance advanced(
      Evidence evidence, long lowest, String slowest, ImmutableMap<String, Decision> perWriter) {
    Long stored = evidence.storedMillis();
    String why = "writer " + slowest + ": " + requireNonNull(perWriter.get(slowest)).reason();
    if (stored != null && lowest <= stored) {
      return held(
          evidence,
          "Held at "
              + Boundaries.iso(stored)
              + ": the evidence reaches "
              + Boundaries.iso(lowest)
              + " ("
              + why
              + ")",
          perWriter);
    }
    return Advance.of(
        stored,
        lowest,
        since(evidence.sinceMillis(), stored, lowest),
        "Moved to " + Boundaries.iso(lowest) + " (" + why + ")",
        perWriter);
  }

  /** Without a record of it, only what is finalized from here on is covered. */
  private static long since(@Nullable Long since, @Nullable Long stored, long lowest) {
    if (since != null) {
      return since;
    }
    return stored != null ? stored : lowest;
  }
}
