package dev.tidemark.sensor;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.tidemark.finalization.Attestation;
import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;

/** One state of a branch: after a snapshot, or after a change of properties alone. */
@AutoValue
public abstract class TimelinePoint {
  /**
   * When it came about, by the clock of the writer that committed. What has no writer came as long
   * after the point before as the table's own clock says.
   */
  public abstract Instant at();

  /** The snapshot that it came about by; null for a change of properties, or a rollback. */
  public abstract @Nullable TimelineCommit commit();

  /** Whether the metadata version is left: watermark, attestations and writers are its own. */
  public abstract boolean stored();

  /** Whether the watermark is known. */
  public abstract boolean watermarkKnown();

  /** The watermark; null if there was none, or it is not known. */
  public abstract @Nullable Instant watermark();

  /** The writers whose evidence the watermark needs; empty if the table does not list any. */
  public abstract ImmutableSet<String> requiredWriters();

  /** What writers had attested, as far as it counts; empty unless {@link #stored()}. */
  public abstract ImmutableMap<String, Attestation> attestations();

  /** Why the watermark was not to move; null if it was, or that is not known. */
  public abstract @Nullable String pausedReason();

  /** Snapshots of earlier points that the branch does not hold any more. */
  public abstract ImmutableSet<Long> lost();

  abstract Builder toBuilder();

  static Builder builder() {
    return new AutoValue_TimelinePoint.Builder()
        .setRequiredWriters(ImmutableSet.of())
        .setAttestations(ImmutableMap.of())
        .setWatermarkKnown(false)
        .setStored(false);
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setAt(Instant at);

    abstract Builder setCommit(@Nullable TimelineCommit commit);

    abstract Builder setStored(boolean stored);

    abstract Builder setWatermarkKnown(boolean known);

    abstract Builder setWatermark(@Nullable Instant watermark);

    abstract Builder setRequiredWriters(ImmutableSet<String> writers);

    abstract Builder setAttestations(ImmutableMap<String, Attestation> attestations);

    abstract Builder setPausedReason(@Nullable String reason);

    abstract Builder setLost(ImmutableSet<Long> snapshotIds);

    abstract TimelinePoint build();
  }
}
