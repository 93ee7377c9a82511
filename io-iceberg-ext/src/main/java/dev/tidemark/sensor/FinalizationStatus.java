package dev.tidemark.sensor;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The answer to whether a range is finalized, made from one metadata version of the table. */
@AutoValue
public abstract class FinalizationStatus {
  /** The answers. */
  public enum State {
    /** No record of the range is expected any more. */
    FINALIZED,
    /** The range ends after the watermark, or there is no watermark yet. */
    NOT_YET,
    /** The range begins before the table's facts do. Waiting does not help. */
    NOT_COVERED,
    /** The watermark rests on a snapshot that the branch does not hold any more. */
    INVALIDATED
  }

  /** The table. */
  public abstract String table();

  /** What the answer is read from, see {@link Signal#name()}. */
  public abstract String signal();

  /** What a foreign signal does not promise; null for Tidemark's own watermark. */
  public abstract @Nullable String caveat();

  /** The answer. */
  public abstract State state();

  /** Why, in one sentence for people. */
  public abstract String reason();

  /** What was asked about. */
  public abstract EventTimeRange range();

  /** The stored watermark, exclusive; null if there is none. It may be invalidated. */
  public abstract @Nullable Instant finalizedUntil();

  /** From where on the table's facts cover it; null if that is not recorded. */
  public abstract @Nullable Instant finalizedSince();

  /**
   * The snapshot to read: the head of the branch in the version that the answer was made from; null
   * if the branch is empty. That version retains it, so it can be read ({@code VERSION AS OF})
   * until it expires, and it holds every record that the answer speaks of.
   */
  public abstract @Nullable Long snapshotId();

  /** When that snapshot was committed; null if the branch is empty. */
  public abstract @Nullable Instant snapshotCommittedAt();

  /** The table, so that one dropped and created again is told apart. */
  public abstract String tableUuid();

  /**
   * Whether the branch is known to hold the snapshot that moved the watermark. Otherwise expiry
   * removed what would tell, or none was recorded.
   */
  public abstract boolean verified();

  /** Whether the answer is {@link State#FINALIZED}. */
  public final boolean isFinalized() {
    return state() == State.FINALIZED;
  }

  /** Whether waiting cannot change the answer. */
  public final boolean isSettled() {
    return state() == State.FINALIZED || state() == State.NOT_COVERED;
  }

  /** An answer of Tidemark's own watermark, unless said otherwise. */
  static Builder builder() {
    return new AutoValue_FinalizationStatus.Builder().setSignal(Signal.tidemark().name());
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setTable(String table);

    abstract Builder setSignal(String signal);

    abstract Builder setCaveat(@Nullable String caveat);

    abstract Builder setState(State state);

    abstract Builder setReason(String reason);

    abstract Builder setRange(EventTimeRange range);

    abstract Builder setFinalizedUntil(@Nullable Instant until);

    abstract Builder setFinalizedSince(@Nullable Instant since);

    abstract Builder setSnapshotId(@Nullable Long snapshotId);

    abstract Builder setSnapshotCommittedAt(@Nullable Instant at);

    abstract Builder setTableUuid(String uuid);

    abstract Builder setVerified(boolean verified);

    abstract FinalizationStatus build();
  }
}
