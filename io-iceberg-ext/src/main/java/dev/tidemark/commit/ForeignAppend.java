package dev.tidemark.commit;

import com.google.auto.value.AutoValue;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Rows that a foreign writer added with an event time that lies, or may lie, below the watermark.
 */
@AutoValue
public abstract class ForeignAppend {
  /** The snapshot that added them. */
  public abstract long snapshotId();

  /** Files that hold or may hold such rows. */
  public abstract int files();

  /** All rows of these files: at most this many lie below the watermark. */
  public abstract long maxRecords();

  /**
   * A bound no event time in these files lies below, in epoch milliseconds; null if a file gives
   * none.
   */
  public abstract @Nullable Long earliestMillis();

  /**
   * Whether some of the files say nothing about their event time, so that they are only suspected.
   */
  public abstract boolean suspected();

  static ForeignAppend of(
      long snapshotId,
      int files,
      long maxRecords,
      @Nullable Long earliestMillis,
      boolean suspected) {
    return new AutoValue_ForeignAppend(snapshotId, files, maxRecords, earliestMillis, suspected);
  }
}
