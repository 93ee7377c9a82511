package dev.tidemark.eventtime;

import java.util.List;

/**
 * The mutable state of {@link CollectEventTimeFn}: one partial sketch under construction, the union
 * of those merged into it, and the counts of rows without a usable event time. Not thread-safe.
 */
public final class EventTimeAccumulator {
  private final EventTimeSketchBuilder builder;
  private final EventTimeSketch union;
  private long nullCount;
  private long unparsableCount;
  private long pastCount;
  private long futureCount;

  EventTimeAccumulator(long boundaryMillis) {
    this(EventTimeSketch.builder(boundaryMillis), EventTimeStats.empty(boundaryMillis));
  }

  EventTimeAccumulator(EventTimeSketchBuilder builder, EventTimeStats merged) {
    this.builder = builder;
    this.union = merged.sketch();
    this.nullCount = merged.nullCount();
    this.unparsableCount = merged.unparsableCount();
    this.pastCount = merged.pastCount();
    this.futureCount = merged.futureCount();
  }

  /** Adds what {@link EventTimeExtractor.Bound#extract} returned for a row. */
  public void add(long extracted) {
    if (EventTimeExtractor.isEventTime(extracted)) {
      builder.add(extracted);
    } else if (extracted == EventTimeExtractor.NULL) {
      nullCount++;
    } else if (extracted == EventTimeExtractor.UNPARSABLE) {
      unparsableCount++;
    } else if (extracted == EventTimeExtractor.PAST) {
      pastCount++;
    } else {
      futureCount++;
    }
  }

  EventTimeSketchBuilder builder() {
    return builder;
  }

  /** What was merged into this, with all counts; the builder's event times are not in it. */
  EventTimeStats merged() {
    return counts(union);
  }

  /** Everything, with each partial sketch kept apart in the union. */
  EventTimeStats stats() {
    return counts(EventTimeSketch.merge(List.of(union, builder.build())));
  }

  private EventTimeStats counts(EventTimeSketch sketch) {
    return EventTimeStats.of(sketch)
        .withNullCount(nullCount)
        .withUnparsableCount(unparsableCount)
        .withPastCount(pastCount)
        .withFutureCount(futureCount);
  }
}
