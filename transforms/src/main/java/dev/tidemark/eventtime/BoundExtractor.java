package dev.tidemark.eventtime;

import java.time.Clock;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;

/** {@link EventTimeExtractor} with its column resolved. */
final class BoundExtractor implements EventTimeExtractor.Bound {
  /** After how many rows the clock is read again; it costs as much as the rest of a row. */
  static final int ROWS_PER_CLOCK_READING = 256;

  private final EventTimeExtractor extractor;
  private final ColumnPath column;
  private final Clock clock;
  private final long maxPastMillis;
  private final long maxFutureMillis;
  private final boolean rejectsNull;
  // Holds formatters, which are not serializable; made anew from the rest.
  private final transient TimeReader reader;

  // Several threads may lose readings or counts to each other, which only moves the next reading.
  private transient volatile long nowMillis;
  private transient int rowsUntilReading;

  private BoundExtractor(EventTimeExtractor extractor, ColumnPath column) {
    this.extractor = extractor;
    this.column = column;
    this.clock = extractor.clock();
    // Beyond the range of sketches nothing is sane, which also keeps the sums from overflowing.
    this.maxPastMillis = Math.min(extractor.maxPast().getMillis(), EventTimeSketch.MAX_MILLIS);
    this.maxFutureMillis = Math.min(extractor.maxFuture().getMillis(), EventTimeSketch.MAX_MILLIS);
    this.rejectsNull = extractor.nullPolicy() == NullPolicy.REJECT;
    this.reader = TimeReader.forColumn(extractor, column);
  }

  static BoundExtractor bind(EventTimeExtractor extractor, Schema schema) {
    return new BoundExtractor(extractor, ColumnPath.resolve(extractor.columnPath(), schema));
  }

  @Override
  public long extract(Row row) {
    Object value = column.valueIn(row);
    if (value == null) {
      if (rejectsNull) {
        throw new MissingEventTimeException(extractor.columnPath());
      }
      return EventTimeExtractor.NULL;
    }
    long millis = reader.millis(value);
    if (millis == EventTimeExtractor.UNPARSABLE) {
      return millis;
    }
    if (--rowsUntilReading > 0 && !isPast(millis, nowMillis) && !isFuture(millis, nowMillis)) {
      return millis;
    }
    // A value is never refused by an old reading.
    long now = clock.millis();
    nowMillis = now;
    rowsUntilReading = ROWS_PER_CLOCK_READING;
    if (isPast(millis, now)) {
      return EventTimeExtractor.PAST;
    }
    return isFuture(millis, now) ? EventTimeExtractor.FUTURE : millis;
  }

  private boolean isPast(long millis, long now) {
    return millis < Math.max(now - maxPastMillis, EventTimeSketch.MIN_MILLIS);
  }

  private boolean isFuture(long millis, long now) {
    return millis > Math.min(now + maxFutureMillis, EventTimeSketch.MAX_MILLIS);
  }

  private Object readResolve() {
    return new BoundExtractor(extractor, column);
  }
}
