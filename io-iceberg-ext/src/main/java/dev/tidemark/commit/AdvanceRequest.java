package dev.tidemark.commit;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.tidemark.finalization.Attestation;
import dev.tidemark.finalization.FinalizationPolicy;
import dev.tidemark.finalization.IdleHandling;
import java.util.Map;
import java.util.Set;
import org.checkerframework.checker.nullness.qual.Nullable;

/** By which rule the watermark of a table may move, and what the asking writer attests. */
@AutoValue
public abstract class AdvanceRequest {
  private static final long HOUR_MILLIS = 3_600_000L;
  private static final long MINUTE_MILLIS = 60_000L;

  /** The asking writer. */
  public abstract String writerId();

  /** The policy. */
  public abstract FinalizationPolicy policy();

  /** What to do about writers that commit nothing; wait by default. */
  public abstract IdleHandling idle();

  /** What follows for single writers where it is not {@link #idle}. */
  public abstract ImmutableMap<String, IdleHandling> writerIdle();

  /** What the watermark is rounded down to; an hour by default. */
  public abstract long granularityMillis();

  /** The branch; {@code main} by default. */
  public abstract String branch();

  /**
   * The required writers, where the table does not list any; the asking writer alone by default.
   * The table's own list counts before this one.
   */
  public abstract ImmutableSet<String> requiredWriters();

  /** The newest input watermark the writer attests; null if it attests none. */
  public abstract @Nullable Attestation attestation();

  /**
   * How old a stored attestation may grow before it is written again without a move of the
   * watermark, where another writer is required; one minute by default.
   */
  public abstract long attestEveryMillis();

  /**
   * Whether the writer has committed to the table before it attests anything; false by default. Its
   * attestation then counts only where the table has a record of that.
   */
  public abstract boolean committedBefore();

  /** The table the writer knows; null to take any. */
  public abstract @Nullable String tableUuid();

  /** Where to find event time in files of foreign writers; null not to look at those. */
  public abstract @Nullable EventTimeColumn eventTimeColumn();

  /**
   * The newest snapshot whose foreign appends were reported already; null to start at the
   * watermark's own snapshot.
   */
  public abstract @Nullable Long seenSnapshotId();

  abstract Builder toBuilder();

  /**
   * A request with defaults.
   *
   * @throws IllegalArgumentException if the writer id is invalid
   */
  public static AdvanceRequest of(String writerId, FinalizationPolicy policy) {
    return new AutoValue_AdvanceRequest.Builder()
        .setWriterId(TidemarkKeys.checkWriterId(writerId))
        .setPolicy(policy)
        .setIdle(IdleHandling.waiting())
        .setWriterIdle(ImmutableMap.of())
        .setGranularityMillis(HOUR_MILLIS)
        .setBranch(TidemarkKeys.MAIN)
        .setRequiredWriters(ImmutableSet.of(writerId))
        .setAttestEveryMillis(MINUTE_MILLIS)
        .setCommittedBefore(false)
        .build();
  }

  /** This request with another handling of idle writers. */
  public AdvanceRequest withIdle(IdleHandling idle) {
    return toBuilder().setIdle(idle).build();
  }

  /** This request with another handling of single idle writers; replaces what was set. */
  public AdvanceRequest withWriterIdle(Map<String, IdleHandling> idle) {
    return toBuilder().setWriterIdle(ImmutableMap.copyOf(idle)).build();
  }

  /** This request with another granularity, one that divides a day or is whole days. */
  public AdvanceRequest withGranularityMillis(long millis) {
    return toBuilder().setGranularityMillis(millis).build();
  }

  /** This request about another branch. */
  public AdvanceRequest withBranch(String branch) {
    return toBuilder().setBranch(TidemarkKeys.forBranch(branch).branch()).build();
  }

  /**
   * This request with other required writers.
   *
   * @throws IllegalArgumentException if there are none, or one is no writer id
   */
  public AdvanceRequest withRequiredWriters(Set<String> writers) {
    if (writers.isEmpty()) {
      throw new IllegalArgumentException("Invalid required writers: none (must be at least one)");
    }
    writers.forEach(TidemarkKeys::checkWriterId);
    return toBuilder().setRequiredWriters(ImmutableSet.copyOf(writers)).build();
  }

  /** This request with what the writer attests. */
  public AdvanceRequest withAttestation(@Nullable Attestation attestation) {
    return toBuilder().setAttestation(attestation).build();
  }

  /**
   * This request with another age at which attestations are renewed.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public AdvanceRequest withAttestEveryMillis(long millis) {
    if (millis < 0) {
      throw new IllegalArgumentException(
          "Invalid attestation interval: %d ms (must be >= 0)".formatted(millis));
    }
    return toBuilder().setAttestEveryMillis(millis).build();
  }

  /**
   * This request of a writer that attests nothing before its first commit. A table without a record
   * of the writer was dropped and created again, or restored from before that commit: what the
   * attestation vouches for is not in it.
   */
  public AdvanceRequest withCommittedBefore() {
    return toBuilder().setCommittedBefore(true).build();
  }

  /** This request about this very table. */
  public AdvanceRequest withTableUuid(String uuid) {
    return toBuilder().setTableUuid(uuid).build();
  }

  /** This request with a look at foreign appends after a snapshot; null for the watermark's own. */
  public AdvanceRequest withForeignAppends(EventTimeColumn column, @Nullable Long seenSnapshotId) {
    return toBuilder().setEventTimeColumn(column).setSeenSnapshotId(seenSnapshotId).build();
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setWriterId(String writerId);

    abstract Builder setPolicy(FinalizationPolicy policy);

    abstract Builder setIdle(IdleHandling idle);

    abstract Builder setWriterIdle(ImmutableMap<String, IdleHandling> idle);

    abstract Builder setGranularityMillis(long millis);

    abstract Builder setBranch(String branch);

    abstract Builder setRequiredWriters(ImmutableSet<String> writers);

    abstract Builder setAttestation(@Nullable Attestation attestation);

    abstract Builder setAttestEveryMillis(long millis);

    abstract Builder setCommittedBefore(boolean committed);

    abstract Builder setTableUuid(@Nullable String uuid);

    abstract Builder setEventTimeColumn(@Nullable EventTimeColumn column);

    abstract Builder setSeenSnapshotId(@Nullable Long snapshotId);

    abstract AdvanceRequest build();
  }
}
