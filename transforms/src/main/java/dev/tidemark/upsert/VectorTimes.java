package dev.tidemark.upsert;

import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** Columns of dates and times, in the forms of the base types of their logical types. */
final class VectorTimes {
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final long SECONDS_PER_DAY = 86_400;

  private VectorTimes() {}

  private static long perSecond(TimeUnit unit) {
    return switch (unit) {
      case SECOND -> 1;
      case MILLISECOND -> 1_000;
      case MICROSECOND -> 1_000_000;
      case NANOSECOND -> NANOS_PER_SECOND;
    };
  }

  private static long timestampsPerSecond(Field column) {
    return perSecond(((ArrowType.Timestamp) column.getType()).getUnit());
  }

  /** Instants as milliseconds, from seconds or milliseconds. */
  static final class Millis extends VectorEncoding.OfVector<TimeStampVector> {
    private final long millisPerUnit;

    Millis(Field column) {
      super(TimeStampVector.class);
      this.millisPerUnit = 1_000 / timestampsPerSecond(column);
    }

    @Override
    void encode(int index, EncodingBuffer out) {
      out.putLong(Math.multiplyExact(vector.get(index), millisPerUnit));
    }
  }

  /** Dates as days. */
  static final class Days extends VectorEncoding.OfVector<DateDayVector> {
    Days() {
      super(DateDayVector.class);
    }

    @Override
    void encode(int index, EncodingBuffer out) {
      out.putLong(vector.get(index));
    }
  }

  /** Times of day as nanoseconds, from 4 bytes in seconds and milliseconds, else from 8. */
  static final class NanosOfDay extends VectorEncoding.OfVector<BaseFixedWidthVector> {
    private final long nanosPerUnit;

    NanosOfDay(Field column) {
      super(BaseFixedWidthVector.class);
      this.nanosPerUnit =
          NANOS_PER_SECOND / perSecond(((ArrowType.Time) column.getType()).getUnit());
    }

    @Override
    void encode(int index, EncodingBuffer out) {
      long units =
          vector.getTypeWidth() == Integer.BYTES
              ? vector.getDataBuffer().getInt((long) index * Integer.BYTES)
              : vector.getDataBuffer().getLong((long) index * Long.BYTES);
      out.putLong(units * nanosPerUnit);
    }
  }

  /** Dates with times as rows of days and nanoseconds. */
  static final class DaysAndNanos extends VectorEncoding.OfVector<TimeStampVector> {
    private final long unitsPerDay;
    private final long nanosPerUnit;

    DaysAndNanos(Field column) {
      super(TimeStampVector.class);
      long perSecond = timestampsPerSecond(column);
      this.unitsPerDay = perSecond * SECONDS_PER_DAY;
      this.nanosPerUnit = NANOS_PER_SECOND / perSecond;
    }

    @Override
    void encode(int index, EncodingBuffer out) {
      long units = vector.get(index);
      out.putBitmap(2);
      out.putLong(Math.floorDiv(units, unitsPerDay));
      out.putLong(Math.floorMod(units, unitsPerDay) * nanosPerUnit);
    }
  }

  /** Instants as rows of seconds and fractions. */
  static final class Seconds extends VectorEncoding.OfVector<TimeStampVector> {
    private final long unitsPerSecond;
    private final long fractionsPerSecond;
    private final boolean shortFractions;

    /**
     * Instants.
     *
     * @param digits the digits of a fraction
     * @param shortFractions whether fractions take two bytes, not four
     */
    Seconds(Field column, int digits, boolean shortFractions) {
      super(TimeStampVector.class);
      this.unitsPerSecond = timestampsPerSecond(column);
      this.fractionsPerSecond = Math.round(Math.pow(10, digits));
      this.shortFractions = shortFractions;
    }

    @Override
    void encode(int index, EncodingBuffer out) {
      long units = vector.get(index);
      long rest = Math.floorMod(units, unitsPerSecond);
      // One of the two is a multiple of the other.
      long fraction =
          fractionsPerSecond >= unitsPerSecond
              ? rest * (fractionsPerSecond / unitsPerSecond)
              : rest / (unitsPerSecond / fractionsPerSecond);
      if (fractionsPerSecond < unitsPerSecond
          && fraction * (unitsPerSecond / fractionsPerSecond) != rest) {
        throw new IllegalArgumentException(
            String.format(
                "Cannot read column %s: it has a time finer than its type. Truncate it before",
                vector.getName()));
      }
      out.putBitmap(2);
      out.putLong(Math.floorDiv(units, unitsPerSecond));
      if (shortFractions) {
        out.putShort((short) fraction);
      } else {
        out.putInt((int) fraction);
      }
    }
  }
}
