package dev.tidemark.eventtime;

import com.google.auto.value.AutoValue;
import java.io.Serializable;
import java.time.Clock;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;

/**
 * How the event time of a row is read: from which column, in which unit or format, and which values
 * count as sane.
 *
 * <p>Columns and what they need:
 *
 * <ul>
 *   <li>{@code INT64}: {@link #withUnit}, milliseconds by default;
 *   <li>{@code INT32}: {@code withUnit(SECONDS)}, as nothing finer fits;
 *   <li>{@code STRING}: ISO 8601 by default (a date, a local date-time, or one with an offset), a
 *       pattern by {@link #withFormat}, or a decimal number by {@link #withUnit};
 *   <li>{@code DATETIME} and the logical types for micros, nanos and other instants;
 *   <li>the SQL logical types {@code DATETIME} and {@code DATE}, which are local to the zone.
 * </ul>
 *
 * Whatever is finer than a millisecond is rounded down. Local times that the zone skips are moved
 * forward by the length of the gap, those that occur twice are taken as the earlier instant, and a
 * date is the start of its day.
 *
 * <p>Values outside of {@code [now - maxPast, now + maxFuture]}, both ends included, are counted
 * apart. The clock is read every 256 rows, and before a value is refused: no sane value is counted
 * apart, and one that has just left the range into the past may pass for 255 rows.
 *
 * <pre>{@code
 * EventTimeExtractor extractor =
 *     EventTimeExtractor.column("payload.created_at").withUnit(EventTimeUnit.MICROS);
 * EventTimeExtractor.Bound bound = extractor.bind(schema);
 * long millis = bound.extract(row);
 * if (EventTimeExtractor.isEventTime(millis)) {
 *   builder.add(millis);
 * }
 * }</pre>
 */
@AutoValue
public abstract class EventTimeExtractor implements Serializable {
  /** Read instead of an event time: the column, or a row on the path to it, is null. */
  public static final long NULL = Long.MIN_VALUE;

  /** Read instead of an event time: the text does not follow the format. */
  public static final long UNPARSABLE = Long.MIN_VALUE + 1;

  /** Read instead of an event time: it lies before the sane range. */
  public static final long PAST = Long.MIN_VALUE + 2;

  /** Read instead of an event time: it lies after the sane range. */
  public static final long FUTURE = Long.MIN_VALUE + 3;

  /** The default reach of the sane range into the past: ten years of 365 days. */
  public static final Duration DEFAULT_MAX_PAST = Duration.standardDays(3650);

  /** The default reach of the sane range into the future: one day. */
  public static final Duration DEFAULT_MAX_FUTURE = Duration.standardDays(1);

  EventTimeExtractor() {}

  /** The dotted path of the column. */
  public abstract String columnPath();

  /** The unit of numbers; null if none was given. */
  public abstract @Nullable EventTimeUnit unit();

  /** The pattern of texts; null if none was given. */
  public abstract @Nullable String format();

  /** The zone of local times and dates. */
  public abstract ZoneId zone();

  /** What becomes of null. */
  public abstract NullPolicy nullPolicy();

  /** How far before now an event time is still sane. */
  public abstract Duration maxPast();

  /** How far after now an event time is still sane. */
  public abstract Duration maxFuture();

  abstract Clock clock();

  /**
   * Reads the event time from this column: a name, or names of nested rows and a column separated
   * by dots.
   */
  public static EventTimeExtractor column(String path) {
    return new AutoValue_EventTimeExtractor.Builder()
        .setColumnPath(ColumnPath.checkPath(path))
        .setZone(ZoneOffset.UTC)
        .setNullPolicy(NullPolicy.COUNT)
        .setMaxPast(DEFAULT_MAX_PAST)
        .setMaxFuture(DEFAULT_MAX_FUTURE)
        .setClock(Clock.systemUTC())
        .build();
  }

  /** What numbers count. Default: milliseconds for INT64, none for INT32. */
  public EventTimeExtractor withUnit(EventTimeUnit unit) {
    return toBuilder().setUnit(unit).build();
  }

  /**
   * How texts are written: a pattern of {@link java.time.format.DateTimeFormatter} in English,
   * holding a date at least. Default: ISO 8601, which is several times faster to read.
   *
   * @throws IllegalArgumentException if the pattern is not valid
   */
  public EventTimeExtractor withFormat(String pattern) {
    TextTimes.formatter(pattern);
    return toBuilder().setFormat(pattern).build();
  }

  /** The zone of local times and dates. Default: UTC. Instants and offsets ignore it. */
  public EventTimeExtractor withZone(ZoneId zone) {
    return toBuilder().setZone(zone).build();
  }

  /** What becomes of null. Default: {@link NullPolicy#COUNT}. */
  public EventTimeExtractor withNullPolicy(NullPolicy policy) {
    return toBuilder().setNullPolicy(policy).build();
  }

  /**
   * Which event times are sane: those from {@code now - maxPast} to {@code now + maxFuture}.
   * Defaults: {@link #DEFAULT_MAX_PAST} and {@link #DEFAULT_MAX_FUTURE}. A wider range lets broken
   * clocks move the minimum and the maximum; a narrower one counts valid records as out of range.
   *
   * @throws IllegalArgumentException if one is negative
   */
  public EventTimeExtractor withRange(Duration maxPast, Duration maxFuture) {
    return toBuilder()
        .setMaxPast(checkReach("past", maxPast))
        .setMaxFuture(checkReach("future", maxFuture))
        .build();
  }

  /** Where now comes from. Default: the system. A clock has to be serializable. */
  public EventTimeExtractor withClock(Clock clock) {
    return toBuilder().setClock(clock).build();
  }

  /**
   * Resolves the column in a schema.
   *
   * @throws IllegalArgumentException if the column is missing (lists those there are), if its type
   *     holds no time (names it), or if unit or format do not apply to the type
   */
  public Bound bind(Schema schema) {
    return BoundExtractor.bind(this, schema);
  }

  /** Whether an extracted value is an event time, rather than one of the constants above. */
  public static boolean isEventTime(long extracted) {
    return extracted > FUTURE;
  }

  /** An extractor for rows of one schema. Thread-safe and serializable. */
  public interface Bound extends Serializable {
    /**
     * The event time of a row in milliseconds since the epoch; or {@link #NULL}, {@link
     * #UNPARSABLE}, {@link #PAST} or {@link #FUTURE}.
     *
     * @throws MissingEventTimeException on null under {@link NullPolicy#REJECT}
     */
    long extract(Row row);
  }

  abstract Builder toBuilder();

  private static Duration checkReach(String side, Duration reach) {
    if (reach.getMillis() < 0) {
      throw new IllegalArgumentException(
          String.format(
              "Invalid reach of the sane range into the %s: %s (must be >= 0)", side, reach));
    }
    return reach;
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setColumnPath(String path);

    abstract Builder setUnit(@Nullable EventTimeUnit unit);

    abstract Builder setFormat(@Nullable String format);

    abstract Builder setZone(ZoneId zone);

    abstract Builder setNullPolicy(NullPolicy policy);

    abstract Builder setMaxPast(Duration maxPast);

    abstract Builder setMaxFuture(Duration maxFuture);

    abstract Builder setClock(Clock clock);

    abstract EventTimeExtractor build();
  }
}
