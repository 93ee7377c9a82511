package dev.tidemark.arrow;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.types.TimeUnit;

/** Dates and times. */
final class TimeReaders {
  private TimeReaders() {}

  static final class DateDays extends ValueReader.OfVector<DateDayVector> {
    DateDays() {
      super(DateDayVector.class);
    }

    @Override
    Object value(int index) {
      return LocalDate.ofEpochDay(vector.get(index));
    }
  }

  /** Times of day, of 4 bytes in seconds and milliseconds, else of 8. */
  static final class TimesOfDay extends ValueReader.OfVector<BaseFixedWidthVector> {
    private final long nanosPerUnit;

    TimesOfDay(TimeUnit unit) {
      super(BaseFixedWidthVector.class);
      this.nanosPerUnit = TimeAppenders.NANOS_PER_SECOND / TimeAppenders.perSecond(unit);
    }

    @Override
    Object value(int index) {
      return LocalTime.ofNanoOfDay(units(vector, index) * nanosPerUnit);
    }

    private static long units(BaseFixedWidthVector vector, int index) {
      return vector.getTypeWidth() == Integer.BYTES
          ? vector.getDataBuffer().getInt((long) index * Integer.BYTES)
          : vector.getDataBuffer().getLong((long) index * Long.BYTES);
    }
  }

  /** Base of the readers of points in time. */
  private abstract static class PointInTime extends ValueReader.OfVector<TimeStampVector> {
    private final long unitsPerSecond;
    private final long nanosPerUnit;

    PointInTime(TimeUnit unit) {
      super(TimeStampVector.class);
      this.unitsPerSecond = TimeAppenders.perSecond(unit);
      this.nanosPerUnit = TimeAppenders.NANOS_PER_SECOND / unitsPerSecond;
    }

    final long seconds(long units) {
      return Math.floorDiv(units, unitsPerSecond);
    }

    final int nanos(long units) {
      return (int) (Math.floorMod(units, unitsPerSecond) * nanosPerUnit);
    }
  }

  /** Dates with times, without zone. */
  static final class LocalDateTimes extends PointInTime {
    LocalDateTimes(TimeUnit unit) {
      super(unit);
    }

    @Override
    Object value(int index) {
      long units = vector.get(index);
      return LocalDateTime.ofEpochSecond(seconds(units), nanos(units), ZoneOffset.UTC);
    }
  }

  /** Instants of {@code java.time}. */
  static final class Instants extends PointInTime {
    Instants(TimeUnit unit) {
      super(unit);
    }

    @Override
    Object value(int index) {
      long units = vector.get(index);
      return Instant.ofEpochSecond(seconds(units), nanos(units));
    }
  }

  /** Instants of Joda-Time, from seconds or milliseconds. */
  static final class JodaInstants extends ValueReader.OfVector<TimeStampVector> {
    private final long millisPerUnit;

    JodaInstants(TimeUnit unit) {
      super(TimeStampVector.class);
      this.millisPerUnit = 1_000 / TimeAppenders.perSecond(unit);
    }

    @Override
    Object value(int index) {
      return org.joda.time.Instant.ofEpochMilli(
          Math.multiplyExact(vector.get(index), millisPerUnit));
    }
  }
}
