package dev.tidemark.sensor;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableSortedMap;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.checkerframework.checker.nullness.qual.Nullable;

/** A commit that brought records below the watermark it met. */
@AutoValue
public abstract class LateCommit {
  /** The commit. */
  public abstract long snapshotId();

  /** Its writer. */
  public abstract String writer();

  /** When it was made, by the clock of its writer. */
  public abstract Instant committedAt();

  /** The watermark that the records are below. */
  public abstract Instant watermark();

  /** Start of a stretch of {@link #width()} to the late records in it. */
  public abstract ImmutableSortedMap<Instant, Long> lateByHour();

  /** The width of {@link #lateByHour()}, an hour in general. */
  public abstract Duration width();

  /** At most so many further records are late; where below the watermark is not known. */
  public abstract long unplacedRecords();

  /** How many records lie before the sane range; they are in no hour. */
  public abstract long pastRecords();

  /** The smallest event time where that is late; null where it is not known. */
  public abstract @Nullable Instant earliest();

  /** Whether all counts are exact rather than upper bounds. */
  public abstract boolean exact();

  /** All late records. */
  public final long records() {
    return lateByHour().values().stream().mapToLong(Long::longValue).sum()
        + unplacedRecords()
        + pastRecords();
  }

  /**
   * The late records that lie, or may lie, in a range: those of every hour it touches, and those
   * whose hour is not known. Records before the sane range are in ranges without a start only.
   */
  public final long recordsIn(EventTimeRange range) {
    long records = range.start() == null ? pastRecords() : 0;
    for (Map.Entry<Instant, Long> hour : lateByHour().entrySet()) {
      if (range.overlaps(hour.getKey(), hour.getKey().plus(width()))) {
        records += hour.getValue();
      }
    }
    Instant earliest = earliest();
    if (unplacedRecords() > 0
        && range.overlaps(earliest == null ? Instant.MIN : earliest, watermark())) {
      records += unplacedRecords();
    }
    return records;
  }

  static Builder builder() {
    return new AutoValue_LateCommit.Builder();
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setSnapshotId(long snapshotId);

    abstract Builder setWriter(String writer);

    abstract Builder setCommittedAt(Instant at);

    abstract Builder setWatermark(Instant watermark);

    abstract Builder setLateByHour(ImmutableSortedMap<Instant, Long> lateByHour);

    abstract Builder setWidth(Duration width);

    abstract Builder setUnplacedRecords(long records);

    abstract Builder setPastRecords(long records);

    abstract Builder setEarliest(@Nullable Instant earliest);

    abstract Builder setExact(boolean exact);

    abstract LateCommit build();
  }
}
