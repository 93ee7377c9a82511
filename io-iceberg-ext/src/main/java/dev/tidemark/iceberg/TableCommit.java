package dev.tidemark.iceberg;

import com.google.auto.value.AutoValue;
import dev.tidemark.finalization.CommitFacts;
import dev.tidemark.finalization.LatenessReport;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A snapshot that holds rows of this write. Emitted at least once for each: after a failure it may
 * come again, as {@link #replayed}.
 */
@AutoValue
public abstract class TableCommit {
  TableCommit() {}

  /** The table's name. */
  public abstract String table();

  /** The snapshot; it may have expired since. */
  public abstract long snapshotId();

  /** Whether an earlier attempt made the snapshot. */
  public abstract boolean replayed();

  /** Rows of this write in the snapshot. */
  public abstract long rows();

  /** Data files of this write in the snapshot. */
  public abstract int files();

  /** What the commit says about event time; null if that is not collected or no longer known. */
  public abstract @Nullable CommitFacts facts();

  /**
   * The watermark the commit met, in epoch milliseconds; null if there was none or it is not known.
   */
  public abstract @Nullable Long watermarkBeforeMillis();

  /** What lateness is counted by. */
  abstract long granularityMillis();

  /** The rows below the watermark that the commit met; null if there are none. */
  public final @Nullable LatenessReport lateness() {
    CommitFacts facts = facts();
    Long watermark = watermarkBeforeMillis();
    return facts == null || watermark == null
        ? null
        : LatenessReport.of(facts, watermark, granularityMillis());
  }

  static TableCommit of(
      String table,
      long snapshotId,
      boolean replayed,
      long rows,
      int files,
      @Nullable CommitFacts facts,
      @Nullable Long watermarkBeforeMillis,
      long granularityMillis) {
    return new AutoValue_TableCommit(
        table, snapshotId, replayed, rows, files, facts, watermarkBeforeMillis, granularityMillis);
  }
}
