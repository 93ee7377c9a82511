package dev.tidemark.sensor;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.checkerframework.checker.nullness.qual.Nullable;

/** A stretch of event time: start inclusive, end exclusive. */
@AutoValue
public abstract class EventTimeRange {
  private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

  /** The first instant; null for everything that the table's facts cover before the end. */
  public abstract @Nullable Instant start();

  /** The instant that the range ends before. */
  public abstract Instant end();

  /**
   * From {@code start} (inclusive) to {@code end} (exclusive).
   *
   * @throws IllegalArgumentException unless the start is before the end, both in the years 1 to
   *     9999
   */
  public static EventTimeRange of(Instant start, Instant end) {
    checkYear(start);
    checkYear(end);
    if (!start.isBefore(end)) {
      throw new IllegalArgumentException(
          "Invalid range: %s to %s (must end after its start)".formatted(start, end));
    }
    return new AutoValue_EventTimeRange(start, end);
  }

  /**
   * Between two local times of a zone.
   *
   * <p>Where the zone's clocks are set back, a time that occurs twice is taken as the first one for
   * the start and as the second one for the end, so that the range holds everything it may mean;
   * where they are set forward, a time that is skipped is the moment of the change.
   *
   * @throws IllegalArgumentException unless the range holds an instant, in the years 1 to 9999
   */
  public static EventTimeRange of(LocalDateTime start, LocalDateTime end, ZoneId zone) {
    return of(startOf(start, zone), endOf(end, zone));
  }

  /** The first instant at which the zone's clocks show this time or a later one. */
  public static Instant startOf(LocalDateTime local, ZoneId zone) {
    return LocalTimes.start(local, zone);
  }

  /** The instant from which on the zone's clocks show no earlier time any more. */
  public static Instant endOf(LocalDateTime local, ZoneId zone) {
    return LocalTimes.end(local, zone);
  }

  /**
   * Everything that the table's facts cover before {@code end}.
   *
   * @throws IllegalArgumentException unless it is in the years 1 to 9999
   */
  public static EventTimeRange until(Instant end) {
    checkYear(end);
    return new AutoValue_EventTimeRange(null, end);
  }

  /**
   * Everything that the table's facts cover before a local time of a zone; of a time that occurs
   * twice, the second one.
   *
   * @throws IllegalArgumentException unless it is in the years 1 to 9999
   */
  public static EventTimeRange until(LocalDateTime end, ZoneId zone) {
    return until(LocalTimes.end(end, zone));
  }

  /** The smallest range of whole milliseconds that holds this one: its end. */
  final long endMillis() {
    long floor = end().toEpochMilli();
    return Instant.ofEpochMilli(floor).equals(end()) ? floor : floor + 1;
  }

  /** Whether {@code [from, to)} and this range have an instant in common. */
  final boolean overlaps(Instant from, Instant to) {
    Instant start = start();
    return from.isBefore(end()) && (start == null || start.isBefore(to));
  }

  @Override
  public final String toString() {
    return start() == null ? "until " + end() : "[" + start() + ", " + end() + ")";
  }

  private static void checkYear(Instant instant) {
    if (instant.isBefore(EARLIEST) || instant.isAfter(LATEST)) {
      throw new IllegalArgumentException(
          "Invalid time: %s (must be in the years 1 to 9999)".formatted(instant));
    }
  }
}
