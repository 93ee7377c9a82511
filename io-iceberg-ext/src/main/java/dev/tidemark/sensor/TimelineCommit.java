package dev.tidemark.sensor;

import com.google.auto.value.AutoValue;
import dev.tidemark.finalization.CommitFacts;
import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;

/** A snapshot of a timeline, with what is still known of its rows. */
@AutoValue
public abstract class TimelineCommit {
  /** The snapshot. */
  public abstract long snapshotId();

  /** Its writer; null if it is a foreign one, or wrote nothing but properties. */
  public abstract @Nullable String writer();

  /** Iceberg's name of what it did, such as {@code append}; null if it is not recorded. */
  public abstract @Nullable String operation();

  /** Rows that it added; null if that is not recorded. */
  public abstract @Nullable Long rows();

  /** The facts that its writer stated; null if there are none that can be read. */
  public abstract @Nullable CommitFacts facts();

  /**
   * Whether less is stored of the facts than their writer knew: their extremes, without counts per
   * hour.
   */
  public abstract boolean reduced();

  /** Records before the sane range, which are in none of the facts' statistics. */
  public abstract long pastRecords();

  /** The watermark that it met, as its writer noted it; null if there was none or no note. */
  public abstract @Nullable Instant met();

  /** Whether it is an empty snapshot that only fences a change of properties. */
  public abstract boolean fence();

  static Builder builder() {
    return new AutoValue_TimelineCommit.Builder();
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setSnapshotId(long snapshotId);

    abstract Builder setWriter(@Nullable String writer);

    abstract Builder setOperation(@Nullable String operation);

    abstract Builder setRows(@Nullable Long rows);

    abstract Builder setFacts(@Nullable CommitFacts facts);

    abstract Builder setReduced(boolean reduced);

    abstract Builder setPastRecords(long records);

    abstract Builder setMet(@Nullable Instant watermark);

    abstract Builder setFence(boolean fence);

    abstract TimelineCommit build();
  }
}
