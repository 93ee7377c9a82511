package dev.tidemark.iceberg;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Ordering;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * Records that were committed below the watermark. The watermark holds; who has read these hours
 * reads them again. Emitted at least once for each commit with late records.
 */
@AutoValue
public abstract class LateData {
  LateData() {}

  /** The table's name. */
  public abstract String table();

  /** The writer that committed them; null for a foreign one, which says nothing of itself. */
  public abstract @Nullable String writer();

  /** The snapshot that holds them. */
  public abstract long snapshotId();

  /** The watermark that the commit met. */
  public abstract Instant watermark();

  /** Late records by the start of their hour (or of the {@link #width} in use). */
  public abstract ImmutableSortedMap<Instant, Long> recordsByHour();

  /**
   * The hours (or entries of the {@link #width} in use) that had been declared final as a whole and
   * have received records since: what read them reads them again.
   */
  public final ImmutableSortedSet<Instant> reopened() {
    return recordsByHour().keySet().stream()
        .filter(start -> !start.plus(width()).isAfter(watermark()))
        .collect(ImmutableSortedSet.toImmutableSortedSet(Ordering.natural()));
  }

  /** The width of an entry of {@link #recordsByHour}. */
  public abstract Duration width();

  /** All late records, with those that are in no hour since they lie out of the sane range. */
  public abstract long records();

  /** Whether the counts are exact; else they are upper bounds. */
  public abstract boolean exact();

  static LateData of(
      String table,
      @Nullable String writer,
      long snapshotId,
      Instant watermark,
      ImmutableSortedMap<Instant, Long> recordsByHour,
      Duration width,
      long records,
      boolean exact) {
    return new AutoValue_LateData(
        table, writer, snapshotId, watermark, recordsByHour, width, records, exact);
  }
}
