package dev.tidemark.commit;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.tidemark.finalization.Decision;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What became of the watermark. */
@AutoValue
public abstract class AdvanceOutcome {
  /** What became of the watermark. */
  public enum Status {
    /** It moved. */
    MOVED,
    /** The evidence allows no more than what is stored. */
    UNCHANGED,
    /** Evidence of a required writer is missing, or the table is paused. */
    WAITING,
    /** It should have moved, and the catalog refuses property writes. Data commits go on. */
    FAILING
  }

  /** What became of it. */
  public abstract Status status();

  /** The watermark before, in epoch milliseconds; null if there was none. */
  public abstract @Nullable Long beforeMillis();

  /** The watermark now, in epoch milliseconds; null if there is none. */
  public abstract @Nullable Long afterMillis();

  /** Why, for people. */
  public abstract String reason();

  /** What the policy says of each required writer. */
  public abstract ImmutableMap<String, Decision> perWriter();

  /** Whether an attestation was stored. */
  public abstract boolean attested();

  /**
   * The head of the branch that was looked at; null if it has none. To be handed in as seen next
   * time.
   */
  public abstract @Nullable Long headSnapshotId();

  /** The UUID of the table that was looked at. */
  public abstract String tableUuid();

  /** The snapshot that the watermark of {@link #afterMillis} is declared of; null if unknown. */
  public abstract @Nullable Long watermarkSnapshotId();

  /** From when on event time is covered, in epoch milliseconds; null where nothing says it. */
  public abstract @Nullable Long sinceMillis();

  /** Appends of foreign writers that lie, or may lie, below the watermark. */
  public abstract ImmutableList<ForeignAppend> foreignBelow();

  static Builder builder() {
    return new AutoValue_AdvanceOutcome.Builder()
        .setStatus(Status.UNCHANGED)
        .setReason("")
        .setPerWriter(ImmutableMap.of())
        .setAttested(false)
        .setForeignBelow(ImmutableList.of());
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setStatus(Status status);

    abstract Builder setBeforeMillis(@Nullable Long epochMillis);

    abstract Builder setAfterMillis(@Nullable Long epochMillis);

    abstract Builder setReason(String reason);

    abstract Builder setPerWriter(ImmutableMap<String, Decision> decisions);

    abstract Builder setAttested(boolean attested);

    abstract Builder setHeadSnapshotId(@Nullable Long snapshotId);

    abstract Builder setTableUuid(String uuid);

    abstract Builder setWatermarkSnapshotId(@Nullable Long snapshotId);

    abstract Builder setSinceMillis(@Nullable Long epochMillis);

    abstract Builder setForeignBelow(ImmutableList<ForeignAppend> appends);

    abstract AdvanceOutcome build();
  }
}
