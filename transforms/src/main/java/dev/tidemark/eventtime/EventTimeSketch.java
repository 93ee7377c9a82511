package dev.tidemark.eventtime;

import com.google.common.collect.ImmutableSortedMap;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;

/**
 * An immutable summary of event times: exact count, minimum and maximum, exact counts below every
 * multiple of {@link #widthMillis()}, and estimated quantiles.
 *
 * <p><b>Exact.</b> {@link #count()}, {@link #minMillis()}, {@link #maxMillis()}, {@link
 * #widthMillis()}, {@link #countsByBucket()} and {@link #countBelow(long)} at a multiple of the
 * width depend on the multiset of event times only: not on their order, nor on how they were split
 * into bundles, nor on how sketches were merged.
 *
 * <p><b>Estimated.</b> Quantiles come from a t-digest (k = 50) whose centroids never straddle a
 * boundary. There is no worst-case guarantee. The observed rank error stays below 0.5 % on live
 * streams, backfills with gaps, and mixtures of both; data on a coarse grid (whole seconds, say)
 * may read out between two grid points. Quantiles depend on how records were split into partial
 * sketches, but not on the order or the tree in which those are merged.
 *
 * <p><b>Merging</b> commutes and associates to the bit. A merged sketch holds the union of the
 * centroids of its parts (a part fresh from a builder has some 600, one read from text about 100)
 * and is compressed once, when it is read or written. {@link #compressed()} drops the rest.
 *
 * <p><b>Size.</b> At most {@value BucketWidths#MAX_OCCUPIED} buckets are occupied; beyond that the
 * width grows, nested: 1 h, 3 h, 6 h, 1 d (15 min, 1 h, 3 h, 6 h, 1 d), then four times wider at
 * each step. The text form never exceeds 8 KiB.
 *
 * <pre>{@code
 * EventTimeSketchBuilder builder = EventTimeSketch.builder(EventTimeSketch.HOUR_MILLIS);
 * builder.add(eventTimeMillis);
 * EventTimeSketch merged = EventTimeSketch.merge(List.of(builder.build(), other));
 * long late = merged.countBelow(finalizedUntilMillis);
 * }</pre>
 */
public final class EventTimeSketch implements Serializable {
  /** The default boundary: every zone whose offset is a whole number of hours. */
  public static final long HOUR_MILLIS = BucketWidths.HOUR_MILLIS;

  /** The boundary for zones whose offset ends in :30 or :45. */
  public static final long QUARTER_HOUR_MILLIS = BucketWidths.QUARTER_HOUR_MILLIS;

  /** The greatest event time of a sketch, about the year 287,000: all are exact as doubles. */
  public static final long MAX_MILLIS = 1L << 53;

  /** The least event time of a sketch. */
  public static final long MIN_MILLIS = -MAX_MILLIS;

  /** The greatest number of event times in a sketch. */
  public static final long MAX_COUNT = 1L << 53;

  private static final long[] NONE = {};

  private final long boundaryMillis;
  private final long widthMillis;
  private final long count;
  private final long minMillis;
  private final long maxMillis;
  private final long[] means;
  private final long[] weights;
  // Whether the centroids are what the text form holds, rather than yet to be reduced to it.
  private final boolean compressed;
  private transient @Nullable EventTimeSketch compressedForm;

  private EventTimeSketch(
      long boundaryMillis,
      long widthMillis,
      long count,
      long minMillis,
      long maxMillis,
      long[] means,
      long[] weights,
      boolean compressed) {
    this.boundaryMillis = boundaryMillis;
    this.widthMillis = widthMillis;
    this.count = count;
    this.minMillis = minMillis;
    this.maxMillis = maxMillis;
    this.means = means;
    this.weights = weights;
    this.compressed = compressed;
  }

  /** The sketch of no event time. The boundary is an hour or a quarter of an hour. */
  public static EventTimeSketch empty(long boundaryMillis) {
    BucketWidths.checkBoundary(boundaryMillis);
    return new EventTimeSketch(boundaryMillis, boundaryMillis, 0, 0, 0, NONE, NONE, true);
  }

  /** The sketch of no event time. The boundary is an hour or a quarter of an hour. */
  public static EventTimeSketch empty(Duration boundary) {
    return empty(boundary.getMillis());
  }

  /** Starts a sketch. The boundary is {@link #HOUR_MILLIS} or {@link #QUARTER_HOUR_MILLIS}. */
  public static EventTimeSketchBuilder builder(long boundaryMillis) {
    return new EventTimeSketchBuilder(boundaryMillis);
  }

  /** The sketch of these event times, compressed. */
  public static EventTimeSketch of(long boundaryMillis, long... eventTimesMillis) {
    EventTimeSketchBuilder builder = builder(boundaryMillis);
    for (long millis : eventTimesMillis) {
      builder.add(millis);
    }
    return builder.build().compressed();
  }

  /** The sketch of a builder. */
  static EventTimeSketch ofPartial(
      long boundaryMillis,
      long widthMillis,
      long count,
      long minMillis,
      long maxMillis,
      CentroidList centroids) {
    return new EventTimeSketch(
        boundaryMillis,
        widthMillis,
        count,
        minMillis,
        maxMillis,
        centroids.meansArray(),
        centroids.weightsArray(),
        false);
  }

  /** This sketch with fewer centroids. */
  EventTimeSketch withReduced(CentroidList centroids) {
    return new EventTimeSketch(
        boundaryMillis,
        widthMillis,
        count,
        minMillis,
        maxMillis,
        centroids.meansArray(),
        centroids.weightsArray(),
        true);
  }

  /** Takes over the arrays of a decoder, which has checked them. */
  static EventTimeSketch ofDecoded(SketchBytes.Header header, long[] means, long[] weights) {
    return new EventTimeSketch(
        header.boundaryMillis,
        header.widthMillis,
        header.count,
        header.minMillis,
        header.maxMillis,
        means,
        weights,
        header.compressed);
  }

  /**
   * The sketch of all event times of these sketches. Commutes and associates to the bit: every
   * order and every tree of merges gives equal sketches. A sketch of no event time changes nothing.
   *
   * @throws IllegalArgumentException if there is no sketch, if boundaries differ, or if the count
   *     exceeds {@link #MAX_COUNT}
   */
  public static EventTimeSketch merge(Iterable<EventTimeSketch> sketches) {
    ArrayDeque<EventTimeSketch> queue = new ArrayDeque<>();
    EventTimeSketch first = null;
    for (EventTimeSketch sketch : sketches) {
      if (first == null) {
        first = sketch;
      } else if (first.boundaryMillis != sketch.boundaryMillis) {
        throw new IllegalArgumentException(
            String.format(
                "Cannot merge event-time sketches: boundaries of %s ms and %s ms differ."
                    + " Use one boundary for all writers of a table.",
                first.boundaryMillis, sketch.boundaryMillis));
      }
      if (!sketch.isEmpty()) {
        queue.add(sketch);
      }
    }
    if (first == null) {
      throw new IllegalArgumentException(
          "Cannot merge event-time sketches: none given. Start from an empty sketch.");
    }
    if (queue.isEmpty()) {
      return first;
    }
    // Merging the two oldest keeps the lists of about equal length.
    while (queue.size() > 1) {
      queue.add(union(queue.remove(), queue.remove()));
    }
    return queue.remove();
  }

  private static EventTimeSketch union(EventTimeSketch a, EventTimeSketch b) {
    long count = a.count + b.count;
    if (count > MAX_COUNT) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot merge event-time sketches: %s records in all (must be <= %s)",
              count, MAX_COUNT));
    }
    CentroidList union = CentroidList.union(a.means, a.weights, b.means, b.weights);
    long width =
        BucketWidths.fitting(union.means, union.size, Math.max(a.widthMillis, b.widthMillis));
    return new EventTimeSketch(
        a.boundaryMillis,
        width,
        count,
        Math.min(a.minMillis, b.minMillis),
        Math.max(a.maxMillis, b.maxMillis),
        union.meansArray(),
        union.weightsArray(),
        false);
  }

  /** Whether this sketch holds no event time. */
  public boolean isEmpty() {
    return count == 0;
  }

  /** The exact number of event times. */
  public long count() {
    return count;
  }

  /**
   * The least event time, exact.
   *
   * @throws IllegalStateException if there is none
   */
  public long minMillis() {
    checkNotEmpty("minimum");
    return minMillis;
  }

  /**
   * The greatest event time, exact.
   *
   * @throws IllegalStateException if there is none
   */
  public long maxMillis() {
    checkNotEmpty("maximum");
    return maxMillis;
  }

  /** The configured boundary: an hour or a quarter of an hour. */
  public long boundaryMillis() {
    return boundaryMillis;
  }

  /** The width in use: the boundary, or wider if too many buckets would be occupied. */
  public long widthMillis() {
    return widthMillis;
  }

  /**
   * The number of event times strictly below the given one: exact at a multiple of {@link
   * #widthMillis()} and outside of {@code (min, max]}; elsewhere an estimate that is off by less
   * than what the bucket around it holds.
   */
  public long countBelow(long epochMillis) {
    if (count == 0 || epochMillis <= minMillis) {
      return 0;
    } else if (epochMillis > maxMillis) {
      return count;
    } else if (epochMillis % widthMillis != 0) {
      return SketchQuantiles.countBelow(compressed(), epochMillis);
    }
    long below = 0;
    for (int i = 0; i < means.length && means[i] < epochMillis; i++) {
      below += weights[i];
    }
    return below;
  }

  /** Exact counts by start of bucket, of those buckets that hold any event time. */
  public ImmutableSortedMap<Long, Long> countsByBucket() {
    ImmutableSortedMap.Builder<Long, Long> counts = ImmutableSortedMap.naturalOrder();
    int i = 0;
    while (i < means.length) {
      long start = BucketWidths.bucketStart(means[i], widthMillis);
      long sum = 0;
      while (i < means.length && means[i] < start + widthMillis) {
        sum += weights[i++];
      }
      counts.put(start, sum);
    }
    return counts.buildOrThrow();
  }

  /**
   * An estimate of the event time below which the fraction {@code q} of all records lies, within
   * {@code [min, max]}.
   *
   * @throws IllegalArgumentException if q is not within [0, 1]
   * @throws IllegalStateException if there is no event time
   */
  public long quantileMillis(double q) {
    if (!(q >= 0 && q <= 1)) {
      throw new IllegalArgumentException(
          String.format("Invalid quantile: %s (must be within [0, 1])", q));
    }
    checkNotEmpty("quantile");
    return SketchQuantiles.quantile(compressed(), q);
  }

  /**
   * Estimates by per mille, {@code 500} being the median: what readers without a decoder get to
   * see. Empty if there is no event time.
   *
   * @throws IllegalArgumentException if a key is not within [0, 1000]
   */
  public ImmutableSortedMap<Integer, Long> quantilesByPerMille(Iterable<Integer> perMille) {
    ImmutableSortedMap.Builder<Integer, Long> quantiles = ImmutableSortedMap.naturalOrder();
    for (int key : perMille) {
      if (key < 0 || key > 1000) {
        throw new IllegalArgumentException(
            String.format("Invalid quantile: %s per mille (must be within [0, 1000])", key));
      }
      if (count > 0) {
        quantiles.put(key, quantileMillis(key / 1000.0));
      }
    }
    return quantiles.buildOrThrow();
  }

  /**
   * This sketch reduced to what its text form holds. Counts and extremes stay as they are,
   * quantiles may change by a fraction of their error. A compressed sketch merges like any other.
   */
  public EventTimeSketch compressed() {
    if (compressed) {
      return this;
    }
    EventTimeSketch form = compressedForm;
    if (form == null) {
      form = SketchReducer.reduce(this);
      // Two threads may both reduce; they store equal values.
      compressedForm = form;
    }
    return form;
  }

  /**
   * The text form: {@code ets1:} and unpadded base64url, at most 8 KiB. Equal texts stand for equal
   * compressed sketches. {@code docs/ets1.py} reads it in a few lines.
   */
  public String toText() {
    return SketchText.encode(this);
  }

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException if the text is longer than 8 KiB, of an unknown version,
   *     damaged, or inconsistent. No more memory is used than the text itself takes, whatever it
   *     says.
   */
  public static EventTimeSketch fromText(String text) {
    return SketchText.decode(text);
  }

  /**
   * An image that {@code TDigestDouble} of datasketches-java 6.2.0 and its C++, Rust and Go kin can
   * read, of about 1.5 KiB. Their quantiles are wrong before datasketches-java 9.1.0.
   */
  public byte[] toTDigestImage() {
    return TDigestImage.encode(compressed());
  }

  long[] means() {
    return means;
  }

  long[] weights() {
    return weights;
  }

  boolean isCompressed() {
    return compressed;
  }

  private void checkNotEmpty(String what) {
    if (count == 0) {
      throw new IllegalStateException(
          String.format(
              "Cannot read %s of event times: the sketch is empty. Ask isEmpty() first.", what));
    }
  }

  @Override
  public boolean equals(@Nullable Object o) {
    if (!(o instanceof EventTimeSketch that)) {
      return false;
    }
    return boundaryMillis == that.boundaryMillis
        && widthMillis == that.widthMillis
        && count == that.count
        && minMillis == that.minMillis
        && maxMillis == that.maxMillis
        && compressed == that.compressed
        && Arrays.equals(means, that.means)
        && Arrays.equals(weights, that.weights);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Long.hashCode(count) + Arrays.hashCode(means)) + Arrays.hashCode(weights);
  }

  @Override
  public String toString() {
    if (count == 0) {
      return "EventTimeSketch{count=0}";
    }
    return String.format(
        "EventTimeSketch{count=%d, min=%d, max=%d, width=%d}",
        count, minMillis, maxMillis, widthMillis);
  }
}
