package dev.tidemark.finalization;

import static com.google.common.base.Preconditions.checkState;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableList;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What is known about one writer when a policy decides. */
@AutoValue
public abstract class WriterEvidence {

  /** The writer's recent facts; empty where it has not committed yet. */
  public abstract WriterWindow window();

  /** The writer's latest proof of life; null where there is none or it is stale. */
  public abstract @Nullable Attestation attestation();

  /** Whether a proof of life is known and withheld because it is too old. */
  public abstract boolean staleAttestation();

  /** The time of the decision. */
  public abstract long nowMillis();

  static WriterEvidence of(
      WriterWindow window,
      @Nullable Attestation attestation,
      boolean staleAttestation,
      long nowMillis) {
    return new AutoValue_WriterEvidence(window, attestation, staleAttestation, nowMillis);
  }

  /** The writer. */
  public final String writer() {
    return window().writer();
  }

  /** A decision to wait where the facts do not cover {@code lookback}; null where they do. */
  public final @Nullable Decision lacking(Lookback lookback) {
    if (window().commits() < lookback.minCommits()) {
      return Decision.waitFor(
          WaitCode.TOO_FEW_COMMITS,
          String.format(
              "%d commits are known of writer %s, %d are needed",
              window().commits(), writer(), lookback.minCommits()));
    }
    if (!window().reaches(lookback, nowMillis())) {
      return Decision.waitFor(
          WaitCode.TOO_SHORT_HISTORY,
          String.format(
              "The commits known of writer %s reach back less than %s",
              writer(), java.time.Duration.ofMillis(lookback.durationMillis())));
    }
    return null;
  }

  /**
   * The newest facts that cover {@code lookback}, no more than needed, oldest first; never empty.
   *
   * @throws IllegalStateException where they do not cover it, see {@link #lacking}
   */
  public final ImmutableList<CommitFacts> recent(Lookback lookback) {
    checkState(
        lacking(lookback) == null,
        "Cannot look back: the facts of writer %s do not reach (ask lacking first)",
        writer());
    int start = window().start(lookback, nowMillis());
    return window().facts().subList(Math.max(start, 0), window().facts().size());
  }

  /**
   * The input watermark that was attested last, with a commit or without; null where there is none.
   */
  public final @Nullable Long inputWatermarkMillis() {
    Attestation attestation = attestation();
    CommitFacts newest = window().newest();
    Long committed = newest == null ? null : newest.inputWatermarkMillis();
    if (attestation == null || attestation.inputWatermarkMillis() == null) {
      return committed;
    }
    boolean commitIsNewer = newest != null && newest.committedAtMillis() > attestation.atMillis();
    return commitIsNewer && committed != null ? committed : attestation.inputWatermarkMillis();
  }
}
