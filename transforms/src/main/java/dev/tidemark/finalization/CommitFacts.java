package dev.tidemark.finalization;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import dev.tidemark.eventtime.EventTimeSketch;
import dev.tidemark.eventtime.EventTimeStats;
import java.util.Map;
import java.util.regex.Pattern;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What one commit says about the event time of its rows.
 *
 * <p>Facts are observations: they are written with the data they describe and never change. All
 * times are milliseconds since 1970-01-01T00:00Z. The extremes are exact; the counts per bucket are
 * exact; the quantiles are estimates.
 *
 * <p>Facts may be incomplete. Extremes that are absent although {@link #count()} is positive mean
 * <em>not known</em>, and a policy that needs them waits; buckets, quantiles and the sketch may
 * have been dropped to save room.
 */
@AutoValue
public abstract class CommitFacts {

  /** The quantiles that every commit records, per mille. */
  public static final ImmutableSet<Integer> RECORDED_QUANTILES =
      ImmutableSet.of(1, 10, 50, 500, 950, 990);

  private static final Pattern WRITER = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  /** The writer that made the commit. */
  public abstract String writer();

  /** The snapshot the commit made; it identifies these facts. */
  public abstract long snapshotId();

  /** When the commit was made, by the clock of its writer. */
  public abstract long committedAtMillis();

  /** How many rows have a usable event time. */
  public abstract long count();

  /** The smallest usable event time; null where there is none or it is not known. */
  public abstract @Nullable Long minMillis();

  /** The largest usable event time; null where there is none or it is not known. */
  public abstract @Nullable Long maxMillis();

  /**
   * How many rows lie before the sane range, for instance in 1970. They are in none of the
   * statistics.
   */
  public abstract long pastCount();

  /** How many rows lie beyond the sane range in the future. They are in none of the statistics. */
  public abstract long futureCount();

  /** How many rows have no event time. */
  public abstract long nullCount();

  /** How many rows have an event time that cannot be read. */
  public abstract long unparsableCount();

  /** Estimated quantiles, per mille to event time; may be empty. */
  public abstract ImmutableSortedMap<Integer, Long> quantilesMillis();

  /**
   * The width of the buckets that the rows were counted in, a divisor of a day; 0 where they were
   * not.
   */
  public abstract long widthMillis();

  /**
   * Exact counts: start of a bucket to the rows in it, without empty buckets; may be absent as a
   * whole (empty).
   */
  public abstract ImmutableSortedMap<Long, Long> buckets();

  /** The sketch of the event times; may be absent. */
  public abstract @Nullable EventTimeSketch sketch();

  /**
   * The input watermark that the writer attested when the commit was made; null where it has none.
   */
  public abstract @Nullable Long inputWatermarkMillis();

  /**
   * How many commits these facts stand for: one, unless a window has folded neighbours together.
   */
  public abstract int commits();

  /**
   * The facts of a commit whose rows have {@code stats}.
   *
   * @throws IllegalArgumentException where the writer's name is not {@code [A-Za-z0-9_-]{1,64}}
   */
  public static CommitFacts of(
      String writer,
      long snapshotId,
      long committedAtMillis,
      EventTimeStats stats,
      @Nullable Long inputWatermarkMillis) {
    Builder builder =
        builder(writer, snapshotId, committedAtMillis)
            .setCount(stats.count())
            .setPastCount(stats.pastCount())
            .setFutureCount(stats.futureCount())
            .setNullCount(stats.nullCount())
            .setUnparsableCount(stats.unparsableCount())
            .setInputWatermarkMillis(inputWatermarkMillis);
    if (stats.count() > 0) {
      EventTimeSketch sketch = stats.sketch().compressed();
      ImmutableSortedMap.Builder<Integer, Long> quantiles = ImmutableSortedMap.naturalOrder();
      long last = sketch.minMillis();
      for (int perMille : RECORDED_QUANTILES) {
        // Estimates of neighbouring quantiles may cross by rounding; recorded ones ascend.
        last = Math.max(last, sketch.quantileMillis(perMille / 1000.0));
        quantiles.put(perMille, last);
      }
      builder
          .setMinMillis(sketch.minMillis())
          .setMaxMillis(sketch.maxMillis())
          .setQuantilesMillis(quantiles.build())
          .setWidthMillis(sketch.widthMillis())
          .setBuckets(sketch.countsByBucket())
          .setSketch(sketch);
    }
    return builder.build();
  }

  /**
   * The facts of a commit of which only the number of rows and the extremes are known, for instance
   * from the metrics of its data files.
   */
  public static CommitFacts ofBounds(
      String writer,
      long snapshotId,
      long committedAtMillis,
      long count,
      long minMillis,
      long maxMillis) {
    return builder(writer, snapshotId, committedAtMillis)
        .setCount(count)
        .setMinMillis(minMillis)
        .setMaxMillis(maxMillis)
        .build();
  }

  /**
   * A commit with {@code rows} rows whose event times nobody collected. Policies wait while it is
   * in their lookback.
   */
  public static CommitFacts unknown(
      String writer, long snapshotId, long committedAtMillis, long rows) {
    checkArgument(rows > 0, "Invalid row count: %s (must be > 0)", rows);
    return builder(writer, snapshotId, committedAtMillis).setCount(rows).build();
  }

  /** Whether the extremes are known, or there are no rows to have any. */
  public final boolean isKnown() {
    return count() == 0 || minMillis() != null;
  }

  /** These facts without their sketch; the counts per bucket stay. */
  public final CommitFacts withoutSketch() {
    return toBuilder().setSketch(null).build();
  }

  /** These facts without sketch and counts per bucket. */
  public final CommitFacts withoutBuckets() {
    return toBuilder().setSketch(null).setBuckets(ImmutableSortedMap.of()).build();
  }

  /** These facts without quantiles. */
  public final CommitFacts withoutQuantiles() {
    return toBuilder().setQuantilesMillis(ImmutableSortedMap.of()).build();
  }

  static String checkWriter(String writer) {
    checkArgument(
        WRITER.matcher(writer).matches(),
        "Invalid writer: %s (must be 1 to 64 letters, digits, '_' or '-')",
        writer);
    return writer;
  }

  static Builder builder(String writer, long snapshotId, long committedAtMillis) {
    return new AutoValue_CommitFacts.Builder()
        .setWriter(writer)
        .setSnapshotId(snapshotId)
        .setCommittedAtMillis(committedAtMillis)
        .setPastCount(0)
        .setFutureCount(0)
        .setNullCount(0)
        .setUnparsableCount(0)
        .setQuantilesMillis(ImmutableSortedMap.of())
        .setWidthMillis(0)
        .setBuckets(ImmutableSortedMap.of())
        .setCommits(1);
  }

  abstract Builder toBuilder();

  private void check() {
    checkWriter(writer());
    checkArgument(commits() > 0, "Invalid number of commits: %s (must be > 0)", commits());
    checkCount("row count", count());
    checkCount("past count", pastCount());
    checkCount("future count", futureCount());
    checkCount("null count", nullCount());
    checkCount("unparsable count", unparsableCount());
    Long min = minMillis();
    Long max = maxMillis();
    checkArgument(
        (min == null) == (max == null), "Invalid extremes: one is missing (must be both or none)");
    if (min == null || max == null) {
      checkArgument(
          widthMillis() == 0 && sketch() == null,
          "Invalid facts: a width or a sketch without extremes (must be absent together)");
      checkCounted();
      return;
    }
    checkArgument(count() > 0, "Invalid facts: extremes of no rows (must be absent)");
    checkArgument(
        min <= max, "Invalid extremes: the minimum is above the maximum (must be in order)");
    checkCounted();
    checkQuantiles(min, max);
    checkBuckets(min, max);
    EventTimeSketch sketch = sketch();
    if (sketch != null) {
      checkArgument(
          sketch.count() == count()
              && sketch.minMillis() == min
              && sketch.maxMillis() == max
              && sketch.widthMillis() == widthMillis()
              && sketch.countsByBucket().equals(buckets()),
          "Invalid facts: the sketch is not of these rows (must agree in counts and extremes)");
    }
  }

  private static void checkCount(String name, long count) {
    checkArgument(count >= 0, "Invalid %s: %s (must be >= 0)", name, count);
  }

  private void checkCounted() {
    long width = widthMillis();
    checkArgument(
        width == 0 || Boundaries.isSketchWidth(width),
        "Invalid width: %s ms (must be a width of sketches)",
        width);
    checkArgument(
        width > 0 || (buckets().isEmpty() && quantilesMillis().isEmpty()),
        "Invalid facts: counts or quantiles without a width (must be absent together)");
  }

  private void checkQuantiles(long min, long max) {
    long last = min;
    for (Map.Entry<Integer, Long> quantile : quantilesMillis().entrySet()) {
      int perMille = quantile.getKey();
      checkArgument(
          perMille > 0 && perMille < 1000,
          "Invalid quantile: %s per mille (must be 1 to 999)",
          perMille);
      checkArgument(
          quantile.getValue() >= last && quantile.getValue() <= max,
          "Invalid value of quantile %s (must be within the extremes and ascend)",
          perMille);
      last = quantile.getValue();
    }
  }

  private void checkBuckets(long min, long max) {
    if (buckets().isEmpty()) {
      return;
    }
    long width = widthMillis();
    long sum = 0;
    for (Map.Entry<Long, Long> bucket : buckets().entrySet()) {
      checkArgument(
          Math.floorMod(bucket.getKey(), width) == 0,
          "Invalid bucket: %s (must be a multiple of %s)",
          bucket.getKey(),
          width);
      checkArgument(
          bucket.getValue() > 0 && bucket.getValue() <= count() - sum,
          "Invalid count of bucket %s (must be positive and add up to the row count)",
          bucket.getKey());
      sum += bucket.getValue();
    }
    checkArgument(
        sum == count(), "Invalid buckets: %s rows (must add up to the row count %s)", sum, count());
    checkArgument(
        buckets().firstKey() == Boundaries.floor(min, width)
            && buckets().lastKey() == Boundaries.floor(max, width),
        "Invalid buckets: they end elsewhere than the extremes (must hold both)");
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setWriter(String writer);

    abstract Builder setSnapshotId(long snapshotId);

    abstract Builder setCommittedAtMillis(long committedAtMillis);

    abstract Builder setCount(long count);

    abstract Builder setMinMillis(@Nullable Long minMillis);

    abstract Builder setMaxMillis(@Nullable Long maxMillis);

    abstract Builder setPastCount(long pastCount);

    abstract Builder setFutureCount(long futureCount);

    abstract Builder setNullCount(long nullCount);

    abstract Builder setUnparsableCount(long unparsableCount);

    abstract Builder setQuantilesMillis(ImmutableSortedMap<Integer, Long> quantilesMillis);

    abstract Builder setWidthMillis(long widthMillis);

    abstract Builder setBuckets(ImmutableSortedMap<Long, Long> buckets);

    abstract Builder setSketch(@Nullable EventTimeSketch sketch);

    abstract Builder setInputWatermarkMillis(@Nullable Long inputWatermarkMillis);

    abstract Builder setCommits(int commits);

    abstract CommitFacts autoBuild();

    final CommitFacts build() {
      CommitFacts facts = autoBuild();
      facts.check();
      return facts;
    }
  }
}
