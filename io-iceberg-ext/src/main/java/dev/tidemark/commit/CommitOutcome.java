package dev.tidemark.commit;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import dev.tidemark.finalization.CommitFacts;
import dev.tidemark.finalization.LatenessReport;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What became of a request. All of its results are in the table, but for those in {@link
 * #refusedFiles()}.
 */
@AutoValue
public abstract class CommitOutcome {
  /** Metadata files above this many bytes are reported. */
  public static final long METADATA_WARN_BYTES = 8L << 20;

  /** How the results came to be in the table. */
  public enum Status {
    /** At least one result was committed by this request. */
    COMMITTED,
    /** All of them were there already. */
    ALREADY_COMMITTED,
    /** There was nothing to commit. */
    NOTHING
  }

  /** How the results came to be in the table. */
  public abstract Status status();

  /** The snapshots that hold them, in the order they were made. Empty if there was nothing. */
  public abstract ImmutableList<LandedCommit> commits();

  /** Data files this request added. */
  public abstract int files();

  /** Rows in them. */
  public abstract long rows();

  /**
   * The watermark in force, as this request found it, in epoch milliseconds; null if there is none.
   */
  public abstract @Nullable Long storedWatermarkBefore();

  /**
   * Files of a batch that lost against an earlier attempt of it, and are in no snapshot of that
   * attempt.
   */
  public abstract ImmutableList<String> orphanFiles();

  /**
   * Whether such files are there but cannot be told, as the snapshot of the earlier attempt
   * expired.
   */
  public abstract boolean orphansUnknown();

  /**
   * Files of results that were written for another table of this name, left out under {@link
   * RewindPolicy#ACCEPT}.
   */
  public abstract ImmutableList<String> refusedFiles();

  /** Whether results were accepted that the table should not have needed. */
  public abstract boolean acceptedRewind();

  /** Summary entries left out because of the limit of facts. */
  public abstract int droppedFacts();

  /**
   * Whether the table took the rows but no properties: there is no evidence for a watermark, and
   * replays are recognised by snapshots that have not expired only.
   */
  public abstract boolean propertiesRefused();

  /** How many commits were tried; more than one means conflicts or failures. */
  public abstract int attempts();

  /** How many of them had no known outcome when they ended. */
  public abstract int unknownOutcomes();

  /**
   * Whether a window of facts could not be read and was started anew, so that the watermark waits.
   */
  public abstract boolean windowReset();

  /** Size of the metadata file the request found; -1 if it is not known. */
  public abstract long metadataBytes();

  /** What hooks threw after the commit. */
  public abstract ImmutableList<Exception> hookFailures();

  abstract Builder toBuilder();

  /**
   * Whether the metadata file has outgrown {@link #METADATA_WARN_BYTES}: expire snapshots, and keep
   * it compressed.
   */
  public boolean metadataTooLarge() {
    return metadataBytes() > METADATA_WARN_BYTES;
  }

  /**
   * The newest snapshot that holds results of the request.
   *
   * @throws IllegalStateException if there was nothing to commit
   */
  public long snapshotId() {
    return newest().snapshotId();
  }

  /** Facts of the newest snapshot that holds results of the request. */
  public @Nullable CommitFacts facts() {
    return commits().isEmpty() ? null : newest().facts();
  }

  /** Lateness of the newest snapshot that holds results of the request. */
  public @Nullable LatenessReport lateness() {
    return commits().isEmpty() ? null : newest().lateness();
  }

  private LandedCommit newest() {
    if (commits().isEmpty()) {
      throw new IllegalStateException("Cannot name a snapshot: the request held no results");
    }
    return Iterables.getLast(commits());
  }

  static Builder builder() {
    return new AutoValue_CommitOutcome.Builder()
        .setStatus(Status.NOTHING)
        .setCommits(ImmutableList.of())
        .setFiles(0)
        .setRows(0)
        .setOrphanFiles(ImmutableList.of())
        .setOrphansUnknown(false)
        .setRefusedFiles(ImmutableList.of())
        .setAcceptedRewind(false)
        .setDroppedFacts(0)
        .setPropertiesRefused(false)
        .setAttempts(0)
        .setUnknownOutcomes(0)
        .setWindowReset(false)
        .setMetadataBytes(-1)
        .setHookFailures(ImmutableList.of());
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setStatus(Status status);

    abstract Builder setCommits(ImmutableList<LandedCommit> commits);

    abstract Builder setFiles(int files);

    abstract Builder setRows(long rows);

    abstract Builder setStoredWatermarkBefore(@Nullable Long epochMillis);

    abstract Builder setOrphanFiles(ImmutableList<String> paths);

    abstract Builder setOrphansUnknown(boolean unknown);

    abstract Builder setRefusedFiles(ImmutableList<String> paths);

    abstract Builder setAcceptedRewind(boolean accepted);

    abstract Builder setDroppedFacts(int entries);

    abstract Builder setPropertiesRefused(boolean refused);

    abstract Builder setAttempts(int attempts);

    abstract Builder setUnknownOutcomes(int outcomes);

    abstract Builder setWindowReset(boolean reset);

    abstract Builder setMetadataBytes(long bytes);

    abstract Builder setHookFailures(ImmutableList<Exception> failures);

    abstract CommitOutcome build();
  }
}
