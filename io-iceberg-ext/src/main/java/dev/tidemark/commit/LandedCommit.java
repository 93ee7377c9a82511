package dev.tidemark.commit;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableSortedSet;
import dev.tidemark.finalization.CommitFacts;
import dev.tidemark.finalization.LatenessReport;
import org.checkerframework.checker.nullness.qual.Nullable;

/** One snapshot that holds results of a request. */
@AutoValue
public abstract class LandedCommit {
  /** The snapshot; it may have expired since. */
  public abstract long snapshotId();

  /** The sequences of the request that it holds. */
  public abstract ImmutableSortedSet<Long> sequences();

  /** Whether an earlier request made it, so that this report of it is a repetition. */
  public abstract boolean replayed();

  /** What it says about event time; null where that is not collected, or was not kept. */
  public abstract @Nullable CommitFacts facts();

  /**
   * The watermark the commit met, in epoch milliseconds; null if there was none, or it is not known
   * any more.
   */
  public abstract @Nullable Long watermarkBeforeMillis();

  /** Its records below that watermark; null if there are none. */
  public abstract @Nullable LatenessReport lateness();

  static LandedCommit of(
      long snapshotId,
      ImmutableSortedSet<Long> sequences,
      boolean replayed,
      @Nullable CommitFacts facts,
      @Nullable Long watermarkBeforeMillis,
      @Nullable LatenessReport lateness) {
    return new AutoValue_LandedCommit(
        snapshotId, sequences, replayed, facts, watermarkBeforeMillis, lateness);
  }
}
