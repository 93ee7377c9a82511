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

  // What was sane at the last reading. Several threads may lose readings or counts to each other,
  // which only moves the next reading.
  private transient volatile long earliestMillis = Long.MAX_VALUE;
  private transient volatile long latestMillis = Long.MIN_VALUE;
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
    if (--rowsUntilReading > 0 && millis >= earliestMillis && millis <= latestMillis) {
      return millis;
    }
    // A value is never refused by an old reading.
    long now = clock.millis();
    long earliest = Math.max(now - maxPastMillis, EventTimeSketch.MIN_MILLIS);
    long latest = Math.min(now + maxFutureMillis, EventTimeSketch.MAX_MILLIS);
    earliestMillis = earliest;
    latestMillis = latest;
    rowsUntilReading = ROWS_PER_CLOCK_READING;
    if (millis < earliest) {
      return EventTimeExtractor.PAST;
    }
    return millis > latest ? EventTimeExtractor.FUTURE : millis;
  }

  private Object readResolve() {
    return new BoundExtractor(extractor, column);
  }
}
