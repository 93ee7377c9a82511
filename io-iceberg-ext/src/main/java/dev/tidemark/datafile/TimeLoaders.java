package dev.tidemark.datafile;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.ReadableInstant;

/** Loaders of dates and times. Digits below what the column holds are refused, not cut off. */
final class TimeLoaders {
  private static final int NANOS_PER_MICRO = 1_000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private TimeLoaders() {}

  static final class DateLoader extends Loader {
    private final LongTrack track;

    DateLoader(String path, Types.NestedField field, LongTrack track) {
      super(path, field);
      this.track = track;
    }

    @Override
    void load(@Nullable Object value) {
      if (value == null) {
        checkNullable();
        track.addNull();
        return;
      }
      long day = ((LocalDate) value).toEpochDay();
      if (day != (int) day) {
        throw rejected("got a date out of range");
      }
      track.add(day);
    }
  }

  static final class TimeLoader extends Loader {
    private final LongTrack track;

    TimeLoader(String path, Types.NestedField field, LongTrack track) {
      super(path, field);
      this.track = track;
    }

    @Override
    void load(@Nullable Object value) {
      if (value == null) {
        checkNullable();
        track.addNull();
        return;
      }
      long nanos = ((LocalTime) value).toNanoOfDay();
      long micros = nanos / NANOS_PER_MICRO;
      if (micros * NANOS_PER_MICRO != nanos) {
        throw rejected("got a time finer than microseconds; truncate it first");
      }
      track.add(micros);
    }
  }

  /** Base of the loaders of points in time: seconds and nanoseconds to the column's unit. */
  abstract static class TimestampLoader extends Loader {
    private final LongTrack track;
    private final long unitsPerSecond;
    private final int nanosPerUnit;

    TimestampLoader(String path, Types.NestedField field, LongTrack track) {
      super(path, field);
      this.track = track;
      this.nanosPerUnit = field.type().typeId() == Type.TypeID.TIMESTAMP_NANO ? 1 : NANOS_PER_MICRO;
      this.unitsPerSecond = 1_000_000_000L / nanosPerUnit;
    }

    final void add(long seconds, int nanos) {
      int units = nanos / nanosPerUnit;
      if (units * nanosPerUnit != nanos) {
        throw rejected("got a time finer than microseconds; truncate it first");
      }
      track.add(scaled(seconds, unitsPerSecond, units));
    }

    final void addMillis(long millis) {
      track.add(scaled(millis, NANOS_PER_MILLI / nanosPerUnit, 0));
    }

    final void addNull() {
      checkNullable();
      track.addNull();
    }

    /** One before the epoch: nanoseconds count up from the second below, so the least long fits. */
    private long scaled(long value, long factor, long more) {
      try {
        return value < 0 && more > 0
            ? Math.addExact(Math.multiplyExact(value + 1, factor), more - factor)
            : Math.addExact(Math.multiplyExact(value, factor), more);
      } catch (ArithmeticException e) {
        throw rejected("got a time out of range");
      }
    }
  }

  static final class LocalDateTimeLoader extends TimestampLoader {
    LocalDateTimeLoader(String path, Types.NestedField field, LongTrack track) {
      super(path, field, track);
    }

    @SuppressWarnings("JavaLocalDateTimeGetNano") // The seconds are passed on beside.
    @Override
    void load(@Nullable Object value) {
      if (value == null) {
        addNull();
      } else {
        LocalDateTime time = (LocalDateTime) value;
        add(time.toEpochSecond(ZoneOffset.UTC), time.getNano());
      }
    }
  }

  static final class InstantLoader extends TimestampLoader {
    InstantLoader(String path, Types.NestedField field, LongTrack track) {
      super(path, field, track);
    }

    @Override
    void load(@Nullable Object value) {
      if (value == null) {
        addNull();
      } else {
        Instant time = (Instant) value;
        add(time.getEpochSecond(), time.getNano());
      }
    }
  }

  static final class JodaInstantLoader extends TimestampLoader {
    JodaInstantLoader(String path, Types.NestedField field, LongTrack track) {
      super(path, field, track);
    }

    @Override
    void load(@Nullable Object value) {
      if (value == null) {
        addNull();
      } else {
        addMillis(((ReadableInstant) value).getMillis());
      }
    }
  }
}
