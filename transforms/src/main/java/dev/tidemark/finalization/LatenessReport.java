package dev.tidemark.finalization;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableSortedMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What a commit brought below the watermark that the table had before it.
 *
 * <p>Each record that comes below a stored watermark is in the report of its commit, and in no
 * other. Counts are exact where the facts hold counts whose width divides the watermark, which is
 * so unless a commit spans more than 192 hours; otherwise they are upper bounds and {@link
 * #exact()} says so. Records before the sane range have no usable event time and count as late;
 * they are in {@link #pastCount()} only.
 */
@AutoValue
public abstract class LatenessReport {

  private static final int HOURS_IN_TEXT = 10;

  /** The writer of the commit. */
  public abstract String writer();

  /** The commit. */
  public abstract long snapshotId();

  /** When the commit was made. */
  public abstract long committedAtMillis();

  /** The watermark that the records are below. */
  public abstract long watermarkMillis();

  /** The width of {@link #lateByHour()}, an hour in general. */
  public abstract long widthMillis();

  /** Start of an hour (or of what is {@link #widthMillis()} wide) to the late records in it. */
  public abstract ImmutableSortedMap<Long, Long> lateByHour();

  /** At most so many further records are late, and which hours they belong to is not known. */
  public abstract long unplacedRecords();

  /** How many records lie before the sane range. */
  public abstract long pastCount();

  /** Whether all counts are exact rather than upper bounds. */
  public abstract boolean exact();

  /** The smallest event time of the commit where that is late and known; null otherwise. */
  public abstract @Nullable Long earliestMillis();

  /**
   * The report on {@code facts}; null where no record is late.
   *
   * @param storedWatermarkMillis the watermark of the very version of the table that the commit was
   *     made on
   * @param granularityMillis the width to report late records by; wider counts stay as wide as they
   *     are
   */
  public static @Nullable LatenessReport of(
      CommitFacts facts, long storedWatermarkMillis, long granularityMillis) {
    checkArgument(
        Boundaries.isGranularity(granularityMillis),
        "Invalid granularity: %s ms (must divide a day, or be whole days up to 31)",
        granularityMillis);
    Long min = facts.minMillis();
    boolean late = min != null && min < storedWatermarkMillis;
    Count count;
    if (late && !facts.buckets().isEmpty()) {
      count = count(facts, storedWatermarkMillis, granularityMillis);
    } else if (late || !facts.isKnown()) {
      count = unplaced(facts, storedWatermarkMillis);
    } else if (facts.pastCount() > 0) {
      count = new Count(granularityMillis, ImmutableSortedMap.of(), 0, true);
    } else {
      return null;
    }
    return new AutoValue_LatenessReport(
        facts.writer(),
        facts.snapshotId(),
        facts.committedAtMillis(),
        storedWatermarkMillis,
        count.width(),
        count.byHour(),
        count.unplaced(),
        facts.pastCount(),
        count.exact(),
        late ? min : null);
  }

  /** All late records, those before the sane range included. */
  public final long lateRecords() {
    return lateByHour().values().stream().mapToLong(Long::longValue).sum()
        + unplacedRecords()
        + pastCount();
  }

  /** One sentence for people. */
  public final String toText() {
    StringBuilder text =
        new StringBuilder(
            String.format(
                "Snapshot %d of writer %s holds %s%d records below the watermark %s",
                snapshotId(),
                writer(),
                exact() ? "" : "at most ",
                lateRecords(),
                Boundaries.iso(watermarkMillis())));
    if (!lateByHour().isEmpty()) {
      text.append(": ").append(hours());
    }
    if (unplacedRecords() > 0) {
      text.append("; ").append(unplacedRecords()).append(" in hours not known");
    }
    if (pastCount() > 0) {
      text.append("; ").append(pastCount()).append(" before the sane range");
    }
    return text.toString();
  }

  private String hours() {
    String hours =
        lateByHour().entrySet().stream()
            .limit(HOURS_IN_TEXT)
            .map(hour -> Boundaries.iso(hour.getKey()) + " " + hour.getValue())
            .collect(Collectors.joining(", "));
    int more = lateByHour().size() - HOURS_IN_TEXT;
    return more > 0 ? hours + " and " + more + " more hours" : hours;
  }

  private record Count(
      long width, ImmutableSortedMap<Long, Long> byHour, long unplaced, boolean exact) {}

  private static Count count(CommitFacts facts, long watermark, long granularity) {
    long width = Boundaries.common(granularity, facts.widthMillis());
    SortedMap<Long, Long> byHour = new TreeMap<>();
    boolean exact = true;
    for (Map.Entry<Long, Long> bucket : facts.buckets().entrySet()) {
      long start = bucket.getKey();
      if (start >= watermark) {
        break;
      }
      long records = bucket.getValue();
      if (watermark - start < facts.widthMillis()) {
        records = below(facts, start, records, watermark);
        exact = allBelow(facts, watermark);
      }
      if (records > 0) {
        byHour.merge(Boundaries.floor(start, width), records, Long::sum);
      }
    }
    return new Count(width, ImmutableSortedMap.copyOfSorted(byHour), 0, exact);
  }

  /**
   * Of a bucket that the watermark cuts: the records below it, or all but one as an upper bound.
   */
  private static long below(CommitFacts facts, long start, long records, long watermark) {
    boolean holdsMax = requireNonNull(facts.maxMillis()) < start + facts.widthMillis();
    return holdsMax && !allBelow(facts, watermark) ? records - 1 : records;
  }

  private static boolean allBelow(CommitFacts facts, long watermark) {
    return requireNonNull(facts.maxMillis()) < watermark;
  }

  private static Count unplaced(CommitFacts facts, long watermark) {
    Long max = facts.maxMillis();
    boolean all = max != null && max < watermark;
    // Where the largest one is not late, at least that one record is not.
    long records = all || max == null ? facts.count() : facts.count() - 1;
    return new Count(Evidence.HOUR_MILLIS, ImmutableSortedMap.of(), records, all);
  }
}
