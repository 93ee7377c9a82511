package dev.tidemark.arrow;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeMilliVector;
import org.apache.arrow.vector.TimeNanoVector;
import org.apache.arrow.vector.TimeSecVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.joda.time.ReadableInstant;

/** Dates and times. Digits below what a column holds are refused, not cut off. */
final class TimeAppenders {
  static final long NANOS_PER_SECOND = 1_000_000_000;
  static final long SECONDS_PER_DAY = 86_400;
  private static final long MILLIS_PER_SECOND = 1_000;
  private static final int NANOS_PER_MILLI = 1_000_000;

  private TimeAppenders() {}

  /** Units in a second. */
  static long perSecond(TimeUnit unit) {
    return switch (unit) {
      case SECOND -> 1;
      case MILLISECOND -> MILLIS_PER_SECOND;
      case MICROSECOND -> 1_000_000;
      case NANOSECOND -> NANOS_PER_SECOND;
    };
  }

  static final class DateDays extends FixedAppender<DateDayVector> {
    DateDays(String path, Field field) {
      super(path, field, DateDayVector.class, Integer.BYTES);
    }

    @Override
    void set(int index, Object value) {
      long day = ((LocalDate) value).toEpochDay();
      if (day != (int) day) {
        throw rejected("got a date out of range");
      }
      vector.set(index, (int) day);
    }
  }

  /** Base of the appenders of times of day. */
  private abstract static class TimeOfDay<V extends org.apache.arrow.vector.BaseFixedWidthVector>
      extends FixedAppender<V> {
    private final TimeUnit unit;
    private final long nanosPerUnit;

    TimeOfDay(String path, Field field, Class<V> type, int bytes) {
      super(path, field, type, bytes);
      this.unit = ((ArrowType.Time) field.getType()).getUnit();
      this.nanosPerUnit = NANOS_PER_SECOND / perSecond(unit);
    }

    @Override
    final void set(int index, Object value) {
      long nanos = ((LocalTime) value).toNanoOfDay();
      long units = nanos / nanosPerUnit;
      if (units * nanosPerUnit != nanos) {
        throw rejected("got a time finer than " + unit + ". Truncate it before");
      }
      setUnits(index, units);
    }

    abstract void setUnits(int index, long units);
  }

  static final class TimeSeconds extends TimeOfDay<TimeSecVector> {
    TimeSeconds(String path, Field field) {
      super(path, field, TimeSecVector.class, Integer.BYTES);
    }

    @Override
    void setUnits(int index, long units) {
      vector.set(index, (int) units);
    }
  }

  static final class TimeMillis extends TimeOfDay<TimeMilliVector> {
    TimeMillis(String path, Field field) {
      super(path, field, TimeMilliVector.class, Integer.BYTES);
    }

    @Override
    void setUnits(int index, long units) {
      vector.set(index, (int) units);
    }
  }

  static final class TimeMicros extends TimeOfDay<TimeMicroVector> {
    TimeMicros(String path, Field field) {
      super(path, field, TimeMicroVector.class, Long.BYTES);
    }

    @Override
    void setUnits(int index, long units) {
      vector.set(index, units);
    }
  }

  static final class TimeNanos extends TimeOfDay<TimeNanoVector> {
    TimeNanos(String path, Field field) {
      super(path, field, TimeNanoVector.class, Long.BYTES);
    }

    @Override
    void setUnits(int index, long units) {
      vector.set(index, units);
    }
  }

  /** Base of the appenders of points in time: seconds and nanoseconds to the column's unit. */
  private abstract static class PointInTime extends FixedAppender<TimeStampVector> {
    private final TimeUnit unit;
    private final long unitsPerSecond;
    private final long nanosPerUnit;

    /** What is added, in units. */
    private final long shift;

    PointInTime(String path, Field field, long shiftMillis) {
      super(path, field, TimeStampVector.class, Long.BYTES);
      this.unit = ((ArrowType.Timestamp) field.getType()).getUnit();
      this.unitsPerSecond = perSecond(unit);
      this.nanosPerUnit = NANOS_PER_SECOND / unitsPerSecond;
      this.shift =
          unit == TimeUnit.SECOND
              ? Math.floorDiv(shiftMillis, MILLIS_PER_SECOND)
              : shiftMillis * (unitsPerSecond / MILLIS_PER_SECOND);
    }

    final void set(int index, long seconds, int nanos) {
      long fraction = nanos / nanosPerUnit;
      if (fraction * nanosPerUnit != nanos) {
        throw rejected("got a time finer than " + unit + ". Truncate it before");
      }
      try {
        // Seconds before 1970 with a fraction may be out of range alone, and in range together.
        long units =
            seconds < 0 && fraction > 0
                ? Math.addExact(
                    Math.multiplyExact(seconds + 1, unitsPerSecond), fraction - unitsPerSecond)
                : Math.addExact(Math.multiplyExact(seconds, unitsPerSecond), fraction);
        vector.set(index, Math.addExact(units, shift));
      } catch (ArithmeticException e) {
        throw rejected("got a time out of range");
      }
    }
  }

  /** Dates with times, without zone. */
  static final class LocalDateTimes extends PointInTime {
    LocalDateTimes(String path, Field field, long shiftMillis) {
      super(path, field, shiftMillis);
    }

    @Override
    void set(int index, Object value) {
      LocalDateTime time = (LocalDateTime) value;
      long nanosOfDay = time.toLocalTime().toNanoOfDay();
      set(
          index,
          time.toLocalDate().toEpochDay() * SECONDS_PER_DAY + nanosOfDay / NANOS_PER_SECOND,
          (int) (nanosOfDay % NANOS_PER_SECOND));
    }
  }

  /** Instants of {@code java.time}. */
  static final class Instants extends PointInTime {
    Instants(String path, Field field, long shiftMillis) {
      super(path, field, shiftMillis);
    }

    @Override
    void set(int index, Object value) {
      Instant instant = (Instant) value;
      set(index, instant.getEpochSecond(), instant.getNano());
    }
  }

  /** Instants of Joda-Time. */
  static final class JodaInstants extends PointInTime {
    JodaInstants(String path, Field field, long shiftMillis) {
      super(path, field, shiftMillis);
    }

    @Override
    void set(int index, Object value) {
      long millis = ((ReadableInstant) value).getMillis();
      set(
          index,
          Math.floorDiv(millis, MILLIS_PER_SECOND),
          (int) Math.floorMod(millis, MILLIS_PER_SECOND) * NANOS_PER_MILLI);
    }
  }
}
