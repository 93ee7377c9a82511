package dev.tidemark.sensor;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;

/** One snapshot of a branch: its facts and the watermark after it. */
@AutoValue
public abstract class HistoryEntry {
  /** The snapshot. */
  public abstract long snapshotId();

  /** When it was committed. */
  public abstract Instant committedAt();

  /** Iceberg's name of what it did, such as {@code append}; null if it is not recorded. */
  public abstract @Nullable String operation();

  /** Its writer; null if it is a foreign one, or wrote nothing but the watermark. */
  public abstract @Nullable String writer();

  /** Which results of the writer it holds; null if it holds none. */
  public abstract @Nullable String committed();

  /** Records with a usable event time; null if it has no facts. */
  public abstract @Nullable Long records();

  /** The smallest event time; null if it is not known. */
  public abstract @Nullable Instant minEventTime();

  /** The largest event time; null if it is not known. */
  public abstract @Nullable Instant maxEventTime();

  /** Records whose event time lies outside the sane range; null if it has no facts. */
  public abstract @Nullable Long outOfRange();

  /** What it brought below the watermark; null if nothing. */
  public abstract @Nullable LateCommit late();

  /** Whether the watermark after it is known. */
  public abstract boolean watermarkKnown();

  /** The watermark in force before the next snapshot; null if there was none, or not known. */
  public abstract @Nullable Instant watermarkAfter();

  static Builder builder() {
    return new AutoValue_HistoryEntry.Builder();
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setSnapshotId(long snapshotId);

    abstract Builder setCommittedAt(Instant at);

    abstract Builder setOperation(@Nullable String operation);

    abstract Builder setWriter(@Nullable String writer);

    abstract Builder setCommitted(@Nullable String committed);

    abstract Builder setRecords(@Nullable Long records);

    abstract Builder setMinEventTime(@Nullable Instant at);

    abstract Builder setMaxEventTime(@Nullable Instant at);

    abstract Builder setOutOfRange(@Nullable Long records);

    abstract Builder setLate(@Nullable LateCommit late);

    abstract Builder setWatermarkKnown(boolean known);

    abstract Builder setWatermarkAfter(@Nullable Instant watermark);

    abstract HistoryEntry build();
  }
}
