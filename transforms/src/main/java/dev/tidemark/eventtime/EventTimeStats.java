package dev.tidemark.eventtime;

import com.google.auto.value.AutoValue;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.DefaultCoder;

/**
 * What one batch of rows holds in event time. Rows whose event time is null, unparsable or out of
 * range are counted apart and never reach {@link #sketch()}: a single record of the year 1970 does
 * not move the minimum. Immutable; merging commutes and associates to the bit.
 */
@AutoValue
@DefaultCoder(EventTimeStatsCoder.class)
public abstract class EventTimeStats implements Serializable {
  EventTimeStats() {}

  /** Rows without an event time: the column, or a row on the path to it, is null. */
  public abstract long nullCount();

  /** Rows whose event time is text that the format does not read. */
  public abstract long unparsableCount();

  /** Rows whose event time lies before the sane range. */
  public abstract long pastCount();

  /** Rows whose event time lies after the sane range. */
  public abstract long futureCount();

  /** The event times within the sane range; empty if {@link #count()} is 0. */
  public abstract EventTimeSketch sketch();

  /** Rows whose event time is in {@link #sketch()}. */
  public final long count() {
    return sketch().count();
  }

  /** Rows whose event time lies outside the sane range, on either side. */
  public final long outOfRangeCount() {
    return pastCount() + futureCount();
  }

  /** All rows seen, with or without a usable event time. */
  public final long rowCount() {
    return count() + nullCount() + unparsableCount() + outOfRangeCount();
  }

  /** The statistics of no row, with this boundary of the sketch. */
  public static EventTimeStats empty(long boundaryMillis) {
    return of(EventTimeSketch.empty(boundaryMillis));
  }

  /** The statistics of rows that all have a usable event time. */
  public static EventTimeStats of(EventTimeSketch sketch) {
    return new AutoValue_EventTimeStats.Builder()
        .setNullCount(0)
        .setUnparsableCount(0)
        .setPastCount(0)
        .setFutureCount(0)
        .setSketch(sketch)
        .build();
  }

  /** These statistics with another number of nulls, at least 0. */
  public EventTimeStats withNullCount(long count) {
    return toBuilder().setNullCount(checkCount("null", count)).build();
  }

  /** These statistics with another number of unparsable values, at least 0. */
  public EventTimeStats withUnparsableCount(long count) {
    return toBuilder().setUnparsableCount(checkCount("unparsable", count)).build();
  }

  /** These statistics with another number of values before the sane range, at least 0. */
  public EventTimeStats withPastCount(long count) {
    return toBuilder().setPastCount(checkCount("past", count)).build();
  }

  /** These statistics with another number of values after the sane range, at least 0. */
  public EventTimeStats withFutureCount(long count) {
    return toBuilder().setFutureCount(checkCount("future", count)).build();
  }

  /** These statistics with their sketch compressed: see {@link EventTimeSketch#compressed()}. */
  public EventTimeStats compressed() {
    return toBuilder().setSketch(sketch().compressed()).build();
  }

  /**
   * The statistics of all rows together. Every order and every tree of merges gives equal values.
   *
   * @throws IllegalArgumentException if there is nothing to merge, or if the boundaries differ
   */
  public static EventTimeStats merge(Iterable<EventTimeStats> stats) {
    List<EventTimeSketch> sketches = new ArrayList<>();
    long nulls = 0;
    long unparsable = 0;
    long past = 0;
    long future = 0;
    for (EventTimeStats each : stats) {
      sketches.add(each.sketch());
      nulls += each.nullCount();
      unparsable += each.unparsableCount();
      past += each.pastCount();
      future += each.futureCount();
    }
    return of(EventTimeSketch.merge(sketches))
        .withNullCount(nulls)
        .withUnparsableCount(unparsable)
        .withPastCount(past)
        .withFutureCount(future);
  }

  abstract Builder toBuilder();

  private static long checkCount(String what, long count) {
    if (count < 0) {
      throw new IllegalArgumentException(
          String.format("Invalid %s count: %s (must be >= 0)", what, count));
    }
    return count;
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setNullCount(long count);

    abstract Builder setUnparsableCount(long count);

    abstract Builder setPastCount(long count);

    abstract Builder setFutureCount(long count);

    abstract Builder setSketch(EventTimeSketch sketch);

    abstract EventTimeStats build();
  }
}
