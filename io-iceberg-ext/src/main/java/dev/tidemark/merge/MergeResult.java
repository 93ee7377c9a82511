package dev.tidemark.merge;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableList;
import java.io.Serializable;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What a merge did. */
@AutoValue
public abstract class MergeResult implements Serializable {
  /** How a merge ended. */
  public enum Status {
    /** Changes were merged in a new snapshot. */
    MERGED,
    /** There was nothing to merge; watermark or place in the source were carried over. */
    CARRIED,
    /** The base table held everything already. */
    NOTHING
  }

  /** How it ended. */
  public abstract Status status();

  /** The base table. */
  public abstract String table();

  /** The snapshot with the merged changes; null unless {@link Status#MERGED}. */
  public abstract @Nullable Long snapshotId();

  /** The sources, in the order they were named. */
  public abstract ImmutableList<MergedSource> sources();

  /** The base's watermark afterwards, in epoch milliseconds; null if it has none. */
  public abstract @Nullable Long finalizedUntilMillis();

  /** Keys whose changes were merged. */
  public abstract long keys();

  /**
   * Keys left as they are: changes that were merged before come after theirs, by the order columns.
   */
  public abstract long keysSuperseded();

  /** Rows added; an update adds one and removes one. */
  public abstract long rowsInserted();

  /** Rows removed; -1 where equality deletes or whole files removed them, uncounted. */
  public abstract long rowsDeleted();

  /** Data files of change tables that were opened for what was appended since the last merge. */
  public abstract int changeFilesRead();

  /**
   * Data files of change tables that were opened for what was merged before, since it may come
   * after what was appended since; one is counted for each part of the keys that opened it.
   */
  public abstract int mergedFilesRead();

  /** Data files of the base table that were opened to look rows up. */
  public abstract int baseFilesRead();

  /** Data files of the base table that are live. */
  public abstract int baseFilesLive();

  /** Bytes read from data and delete files. */
  public abstract long bytesRead();

  /** How often another commit to the base made the merge start over. */
  public abstract int replans();

  static Builder builder() {
    return new AutoValue_MergeResult.Builder()
        .setStatus(Status.NOTHING)
        .setKeys(0)
        .setKeysSuperseded(0)
        .setMergedFilesRead(0)
        .setRowsInserted(0)
        .setRowsDeleted(0)
        .setChangeFilesRead(0)
        .setBaseFilesRead(0)
        .setBaseFilesLive(0)
        .setBytesRead(0)
        .setReplans(0);
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setStatus(Status status);

    abstract Builder setTable(String table);

    abstract Builder setSnapshotId(@Nullable Long id);

    abstract Builder setSources(ImmutableList<MergedSource> sources);

    abstract Builder setFinalizedUntilMillis(@Nullable Long millis);

    abstract Builder setKeys(long keys);

    abstract Builder setKeysSuperseded(long keys);

    abstract Builder setMergedFilesRead(int files);

    abstract Builder setRowsInserted(long rows);

    abstract Builder setRowsDeleted(long rows);

    abstract Builder setChangeFilesRead(int files);

    abstract Builder setBaseFilesRead(int files);

    abstract Builder setBaseFilesLive(int files);

    abstract Builder setBytesRead(long bytes);

    abstract Builder setReplans(int replans);

    abstract MergeResult build();
  }
}
