package dev.tidemark.sensor;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.tidemark.commit.OperatorAct;
import java.time.Duration;
import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Everything that one metadata version says about a branch's watermark and its evidence. */
@AutoValue
public abstract class FinalizationReport {
  /** How the watermark relates to what the branch holds. */
  public enum SnapshotState {
    /** There is no watermark. */
    NO_WATERMARK,
    /** The branch holds the snapshot that moved the watermark. */
    HELD,
    /** No snapshot is recorded: the watermark was moved while the branch was empty. */
    NOT_RECORDED,
    /** Expiry removed what would tell. The watermark counts. */
    EXPIRED,
    /** The branch does not hold the snapshot any more. The watermark does not count. */
    ROLLED_BACK,
    /** The watermark was copied from another table. It does not count. */
    CLONE
  }

  /** The table. */
  public abstract String table();

  /** Its UUID. */
  public abstract String tableUuid();

  /** The branch. */
  public abstract String branch();

  /** The head of the branch; null if it is empty. */
  public abstract @Nullable Long headSnapshotId();

  /** When the head was committed; null if the branch is empty. */
  public abstract @Nullable Instant headCommittedAt();

  /** The stored watermark; null if there is none. */
  public abstract @Nullable Instant finalizedUntil();

  /** From where on the table's facts cover it; null if that is not recorded. */
  public abstract @Nullable Instant finalizedSince();

  /** How far the watermark is behind now; null if there is none. */
  public abstract @Nullable Duration lag();

  /** The snapshot that moved the watermark; null if none is recorded. */
  public abstract @Nullable Long watermarkSnapshotId();

  /** How the watermark relates to what the branch holds. */
  public abstract SnapshotState snapshotState();

  /** The policy that moved the watermark last; null if there is none. */
  public abstract @Nullable String policy();

  /** Why the watermark must not move; null if it may. */
  public abstract @Nullable String pausedReason();

  /** Why the table has no opinions of Tidemark any more; null if it may have. */
  public abstract @Nullable String disabledReason();

  /** What operators did to the watermark, oldest first. */
  public abstract ImmutableList<OperatorAct> operations();

  /** Why the record of that cannot be read; null if it can. */
  public abstract @Nullable String operationsProblem();

  /** Path of the event-time column; null if it is not recorded. */
  public abstract @Nullable String eventTimeColumn();

  /** The zone it is read in; null if it is not recorded. */
  public abstract @Nullable String eventTimeZone();

  /** The writers the table lists as required; empty if it lists none. */
  public abstract ImmutableSet<String> requiredWriters();

  /** The known writers, by name. */
  public abstract ImmutableList<WriterReport> writers();

  static Builder builder() {
    return new AutoValue_FinalizationReport.Builder();
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setTable(String table);

    abstract Builder setTableUuid(String uuid);

    abstract Builder setBranch(String branch);

    abstract Builder setHeadSnapshotId(@Nullable Long snapshotId);

    abstract Builder setHeadCommittedAt(@Nullable Instant at);

    abstract Builder setFinalizedUntil(@Nullable Instant until);

    abstract Builder setFinalizedSince(@Nullable Instant since);

    abstract Builder setLag(@Nullable Duration lag);

    abstract Builder setWatermarkSnapshotId(@Nullable Long snapshotId);

    abstract Builder setSnapshotState(SnapshotState state);

    abstract Builder setPolicy(@Nullable String policy);

    abstract Builder setPausedReason(@Nullable String reason);

    abstract Builder setDisabledReason(@Nullable String reason);

    abstract Builder setOperations(ImmutableList<OperatorAct> acts);

    abstract Builder setOperationsProblem(@Nullable String problem);

    abstract Builder setEventTimeColumn(@Nullable String path);

    abstract Builder setEventTimeZone(@Nullable String zone);

    abstract Builder setRequiredWriters(ImmutableSet<String> writers);

    abstract Builder setWriters(ImmutableList<WriterReport> writers);

    abstract FinalizationReport build();
  }
}
