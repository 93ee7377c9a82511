package dev.tidemark.report;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The event times of one commit. */
@AutoValue
public abstract class CommitSpan {
  /** When it was made, by its writer's clock. */
  public abstract Instant at();

  /** Its snapshot. */
  public abstract long snapshotId();

  /** Its writer. */
  public abstract String writer();

  /** Records with a usable event time. */
  public abstract long records();

  /** The smallest event time; null if it is not known, or there is none. */
  public abstract @Nullable Instant min();

  /** The estimated event time that 5 % of the records are below; null if it is not stored. */
  public abstract @Nullable Instant low();

  /** The estimated event time that 95 % of the records are below; null if it is not stored. */
  public abstract @Nullable Instant high();

  /** The largest event time; null if it is not known, or there is none. */
  public abstract @Nullable Instant max();

  /** The watermark that it met; null if there was none, or it is not known. */
  public abstract @Nullable Instant met();

  /** Its records below that watermark. */
  public abstract LateCount late();

  /** Whether the branch does not hold it any more, as after a rollback. */
  public abstract boolean lost();

  static Builder builder() {
    return new AutoValue_CommitSpan.Builder();
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setAt(Instant at);

    abstract Builder setSnapshotId(long snapshotId);

    abstract Builder setWriter(String writer);

    abstract Builder setRecords(long records);

    abstract Builder setMin(@Nullable Instant at);

    abstract Builder setLow(@Nullable Instant at);

    abstract Builder setHigh(@Nullable Instant at);

    abstract Builder setMax(@Nullable Instant at);

    abstract Builder setMet(@Nullable Instant watermark);

    abstract Builder setLate(LateCount late);

    abstract Builder setLost(boolean lost);

    abstract CommitSpan build();
  }
}
