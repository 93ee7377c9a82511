package dev.tidemark.finalization;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * A policy over the facts of a lookback: waits until they cover it and each of them has its
 * extremes.
 */
abstract class LookbackPolicy implements FinalizationPolicy {

  private final Lookback lookback;

  LookbackPolicy(Lookback lookback) {
    this.lookback = requireNonNull(lookback, "lookback");
  }

  abstract Decision decide(List<CommitFacts> recent);

  @Override
  public final Decision decide(WriterEvidence evidence) {
    Decision lacking = evidence.lacking(lookback);
    if (lacking != null) {
      return lacking;
    }
    List<CommitFacts> recent = evidence.recent(lookback);
    for (CommitFacts facts : recent) {
      if (!facts.isKnown()) {
        return missing(facts, "extremes");
      }
    }
    return decide(recent);
  }

  static Decision missing(CommitFacts facts, String what) {
    return Decision.waitFor(
        WaitCode.MISSING_FACTS,
        String.format(
            "Snapshot %d of writer %s has no %s of event time",
            facts.snapshotId(), facts.writer(), what));
  }

  static String over(List<CommitFacts> recent) {
    return "over " + recent.stream().mapToLong(CommitFacts::commits).sum() + " commits";
  }

  @Override
  public final Lookback lookback() {
    return lookback;
  }

  /** Facts of commits are all that counts. */
  @Override
  public final boolean needsAttestation() {
    return false;
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof LookbackPolicy that && that.describe().equals(describe());
  }

  @Override
  public final int hashCode() {
    return describe().hashCode();
  }

  @Override
  public final String toString() {
    return describe();
  }
}
