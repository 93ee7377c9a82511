package dev.tidemark.sensor;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What a table holds of one writer: the window of its recent commits that the watermark rests on,
 * what it attested, and what it brought late.
 */
@AutoValue
public abstract class WriterReport {
  /** The writer. */
  public abstract String writer();

  /** Whether the table lists it as required. */
  public abstract boolean required();

  /** Why its window or attestation cannot be read; null if they can. */
  public abstract @Nullable String problem();

  /** Commits in the window that the branch holds. */
  public abstract long commits();

  /** When the oldest of them was made; null if there are none. */
  public abstract @Nullable Instant oldestCommit();

  /** When the newest of them was made; null if there are none. */
  public abstract @Nullable Instant newestCommit();

  /** Records with a usable event time in the window. */
  public abstract long records();

  /** The smallest event time in the window; null if it is not known. */
  public abstract @Nullable Instant minEventTime();

  /** The largest event time in the window; null if it is not known. */
  public abstract @Nullable Instant maxEventTime();

  /** Records in the window whose event time lies outside the sane range. */
  public abstract long outOfRange();

  /** Records in the window whose event time is missing or cannot be read. */
  public abstract long withoutEventTime();

  /** Records that came below the watermark, in all retained snapshots of the branch. */
  public abstract long lateRecords();

  /** Whether that is an exact count rather than an upper bound. */
  public abstract boolean lateExact();

  /** The newest input watermark that the writer attested; null if there is none. */
  public abstract @Nullable Instant inputWatermark();

  /** When it did; null if it did not. */
  public abstract @Nullable Instant attestedAt();

  static Builder builder() {
    return new AutoValue_WriterReport.Builder()
        .setCommits(0)
        .setRecords(0)
        .setOutOfRange(0)
        .setWithoutEventTime(0)
        .setLateRecords(0)
        .setLateExact(true);
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setWriter(String writer);

    abstract Builder setRequired(boolean required);

    abstract Builder setProblem(@Nullable String problem);

    abstract Builder setCommits(long commits);

    abstract Builder setOldestCommit(@Nullable Instant at);

    abstract Builder setNewestCommit(@Nullable Instant at);

    abstract Builder setRecords(long records);

    abstract Builder setMinEventTime(@Nullable Instant at);

    abstract Builder setMaxEventTime(@Nullable Instant at);

    abstract Builder setOutOfRange(long records);

    abstract Builder setWithoutEventTime(long records);

    abstract Builder setLateRecords(long records);

    abstract Builder setLateExact(boolean exact);

    abstract Builder setInputWatermark(@Nullable Instant watermark);

    abstract Builder setAttestedAt(@Nullable Instant at);

    abstract WriterReport build();
  }
}
