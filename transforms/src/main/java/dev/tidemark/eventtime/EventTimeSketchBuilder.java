package dev.tidemark.eventtime;

import java.util.Arrays;

/**
 * Collects event times into one {@link EventTimeSketch}. One builder is one partial of a later
 * merge: it is not thread-safe, is meant for one bundle or writer, and is replaced rather than
 * reset.
 *
 * <p>Event times go into a buffer of at most {@value #BUFFER_RECORDS} longs; a full buffer is
 * sorted and merged into the centroids. Memory is bounded by about 200 KiB, whatever the number of
 * records; a builder with few records stays small.
 */
public final class EventTimeSketchBuilder {
  static final int BUFFER_RECORDS = 8192;

  private static final int FIRST_BUFFER_RECORDS = 64;

  private final long boundaryMillis;
  private long widthMillis;
  private long mergedCount;
  private long minMillis = Long.MAX_VALUE;
  private long maxMillis = Long.MIN_VALUE;
  private CentroidList centroids = new CentroidList(0);
  private CentroidList spare = new CentroidList(0);
  private long[] buffer = new long[FIRST_BUFFER_RECORDS];
  private int buffered;
  private final RadixSort sorter = new RadixSort();

  EventTimeSketchBuilder(long boundaryMillis) {
    this.boundaryMillis = BucketWidths.checkBoundary(boundaryMillis);
    this.widthMillis = boundaryMillis;
  }

  /** Continues from a state written by the coder of accumulators, bit by bit. */
  EventTimeSketchBuilder(EventTimeSketch merged, long[] buffered) {
    this(merged.boundaryMillis());
    if (!merged.isEmpty()) {
      widthMillis = merged.widthMillis();
      mergedCount = merged.count();
      minMillis = merged.minMillis();
      maxMillis = merged.maxMillis();
      centroids = CentroidList.copyOf(merged.means(), merged.weights());
    }
    for (long millis : buffered) {
      add(millis);
    }
  }

  /**
   * Adds one event time, in milliseconds since the epoch.
   *
   * @throws IllegalArgumentException if it lies beyond {@link EventTimeSketch#MIN_MILLIS} or {@link
   *     EventTimeSketch#MAX_MILLIS}
   */
  public void add(long millis) {
    if (millis < EventTimeSketch.MIN_MILLIS || millis > EventTimeSketch.MAX_MILLIS) {
      throw new IllegalArgumentException(
          String.format(
              "Invalid event time: out of range (must be within [%s, %s] ms)",
              EventTimeSketch.MIN_MILLIS, EventTimeSketch.MAX_MILLIS));
    }
    if (buffered == buffer.length) {
      makeRoom();
    }
    buffer[buffered++] = millis;
  }

  /** The number of event times added so far. */
  public long count() {
    return mergedCount + buffered;
  }

  /** The sketch of what was added so far. Does not change this builder. */
  public EventTimeSketch build() {
    if (buffered == 0) {
      return merged();
    }
    EventTimeSketchBuilder copy = new EventTimeSketchBuilder(merged(), bufferedMillis());
    copy.flush();
    return copy.merged();
  }

  /** What has left the buffer; with {@link #bufferedMillis()} the whole state. */
  EventTimeSketch merged() {
    if (mergedCount == 0) {
      return EventTimeSketch.empty(boundaryMillis);
    }
    return EventTimeSketch.ofPartial(
        boundaryMillis, widthMillis, mergedCount, minMillis, maxMillis, centroids);
  }

  long[] bufferedMillis() {
    return Arrays.copyOf(buffer, buffered);
  }

  private void makeRoom() {
    if (buffer.length < BUFFER_RECORDS) {
      buffer = Arrays.copyOf(buffer, Math.min(4 * buffer.length, BUFFER_RECORDS));
    } else {
      flush();
    }
  }

  private void flush() {
    sorter.sort(buffer, buffered);
    minMillis = Math.min(minMillis, buffer[0]);
    maxMillis = Math.max(maxMillis, buffer[buffered - 1]);
    mergedCount += buffered;
    spare.setMerged(
        centroids, buffer, buffered, SketchReducer.fineGrouping(mergedCount, widthMillis));
    long fitting = BucketWidths.fitting(spare.means, spare.size, widthMillis);
    if (fitting > widthMillis) {
      widthMillis = fitting;
      spare.compress(SketchReducer.fineGrouping(mergedCount, widthMillis));
    }
    CentroidList merged = spare;
    spare = centroids;
    centroids = merged;
    buffered = 0;
  }
}
