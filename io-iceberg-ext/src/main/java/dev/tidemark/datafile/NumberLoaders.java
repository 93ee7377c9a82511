package dev.tidemark.datafile;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.DecimalUtil;
import org.apache.parquet.io.api.Binary;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Loaders of switches and numbers. Each is one class, so that loading takes one virtual call. */
final class NumberLoaders {
  /** The largest precision whose unscaled values fit a long, as Iceberg stores them. */
  static final int MAX_LONG_PRECISION = 18;

  private NumberLoaders() {}

  static final class BooleanLoader extends Loader {
    private final LongTrack track;

    BooleanLoader(String path, Types.NestedField field, LongTrack track) {
      super(path, field);
      this.track = track;
    }

    @Override
    void load(@Nullable Object value) {
      if (value == null) {
        checkNullable();
        track.addNull();
      } else {
        track.add((Boolean) value ? 1 : 0);
      }
    }
  }

  static final class ByteLoader extends Loader {
    private final LongTrack track;

    ByteLoader(String path, Types.NestedField field, LongTrack track) {
      super(path, field);
      this.track = track;
    }

    @Override
    void load(@Nullable Object value) {
      if (value == null) {
        checkNullable();
        track.addNull();
      } else {
        track.add((Byte) value);
      }
    }
  }

  static final class ShortLoader extends Loader {
    private final LongTrack track;

    ShortLoader(String path, Types.NestedField field, LongTrack track) {
      super(path, field);
      this.track = track;
    }

    @Override
    void load(@Nullable Object value) {
      if (value == null) {
        checkNullable();
        track.addNull();
      } else {
        track.add((Short) value);
      }
    }
  }

  static final class IntLoader extends Loader {
    private final LongTrack track;

    IntLoader(String path, Types.NestedField field, LongTrack track) {
      super(path, field);
      this.track = track;
    }

    @Override
    void load(@Nullable Object value) {
      if (value == null) {
        checkNullable();
        track.addNull();
      } else {
        track.add((Integer) value);
      }
    }
  }

  static final class LongLoader extends Loader {
    private final LongTrack track;

    LongLoader(String path, Types.NestedField field, LongTrack track) {
      super(path, field);
      this.track = track;
    }

    @Override
    void load(@Nullable Object value) {
      if (value == null) {
        checkNullable();
        track.addNull();
      } else {
        track.add((Long) value);
      }
    }
  }

  static final class FloatLoader extends Loader {
    private final LongTrack track;

    FloatLoader(String path, Types.NestedField field, LongTrack track) {
      super(path, field);
      this.track = track;
    }

    @Override
    void load(@Nullable Object value) {
      if (value == null) {
        checkNullable();
        track.addNull();
      } else {
        track.add(Float.floatToRawIntBits((Float) value));
      }
    }
  }

  /** Doubles, and floats that a double column takes. */
  static final class DoubleLoader extends Loader {
    private final LongTrack track;
    private final boolean fromFloat;

    DoubleLoader(String path, Types.NestedField field, LongTrack track, boolean fromFloat) {
      super(path, field);
      this.track = track;
      this.fromFloat = fromFloat;
    }

    @Override
    void load(@Nullable Object value) {
      if (value == null) {
        checkNullable();
        track.addNull();
      } else {
        track.add(Double.doubleToRawLongBits(fromFloat ? (Float) value : (Double) value));
      }
    }
  }

  /** Decimals of up to 18 digits, stored as unscaled longs. */
  static final class LongDecimalLoader extends Loader {
    private final LongTrack track;
    private final int scale;
    private final long limit;

    LongDecimalLoader(String path, Types.NestedField field, LongTrack track) {
      super(path, field);
      Types.DecimalType decimal = (Types.DecimalType) field.type();
      this.track = track;
      this.scale = decimal.scale();
      this.limit = BigDecimal.TEN.pow(decimal.precision()).longValueExact();
    }

    @Override
    void load(@Nullable Object value) {
      if (value == null) {
        checkNullable();
        track.addNull();
      } else {
        track.add(unscaled((BigDecimal) value));
      }
    }

    /**
     * The value times ten to the scale. The exact conversion answers quickly for absurd exponents
     * and takes no big integer for the values that are common.
     */
    private long unscaled(BigDecimal value) {
      long unscaled;
      try {
        unscaled = value.scaleByPowerOfTen(scale).longValueExact();
      } catch (ArithmeticException e) {
        throw unfit();
      }
      if (unscaled >= limit || unscaled <= -limit) {
        throw unfit();
      }
      return unscaled;
    }

    private RowRejectedException unfit() {
      return rejected("got a value of more digits than it can hold; nothing is rounded");
    }
  }

  /** Decimals of 19 to 38 digits, stored as two's complement of a fixed length. */
  static final class BigDecimalLoader extends Loader {
    private final BinaryTrack track;
    private final int precision;
    private final int scale;
    private final int length;

    BigDecimalLoader(String path, Types.NestedField field, BinaryTrack track) {
      super(path, field);
      Types.DecimalType decimal = (Types.DecimalType) field.type();
      this.track = track;
      this.precision = decimal.precision();
      this.scale = decimal.scale();
      this.length = TypeUtil.decimalRequiredBytes(precision);
    }

    @Override
    void load(@Nullable Object value) {
      if (value == null) {
        checkNullable();
        track.addNull();
        return;
      }
      BigDecimal scaled = rescaled((BigDecimal) value);
      byte[] bytes =
          DecimalUtil.toReusedFixLengthBytes(precision, scale, scaled, track.buffer(length));
      track.add(Binary.fromReusedByteArray(bytes));
    }

    /** Refuses by digit counts first, since rescaling an absurd exponent takes all memory. */
    private BigDecimal rescaled(BigDecimal value) {
      if (value.scale() == scale && value.precision() <= precision) {
        return value;
      }
      if (value.signum() == 0) {
        return BigDecimal.ZERO.setScale(scale);
      }
      long integerDigits = (long) value.precision() - value.scale();
      long surplusDigits = (long) value.scale() - scale;
      if (integerDigits <= precision - scale && surplusDigits < value.precision()) {
        try {
          return value.setScale(scale, RoundingMode.UNNECESSARY);
        } catch (ArithmeticException e) {
          // A digit would be lost: rejected below like all others.
        }
      }
      throw rejected("got a value of more digits than it can hold; nothing is rounded");
    }
  }
}
