package dev.tidemark.arrow;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** Numbers and truth values. Integers become wider, never narrower. */
final class NumberAppenders {
  private NumberAppenders() {}

  static final class Int8 extends FixedAppender<TinyIntVector> {
    Int8(String path, Field field) {
      super(path, field, TinyIntVector.class, Byte.BYTES);
    }

    @Override
    void set(int index, Object value) {
      vector.set(index, (Byte) value);
    }
  }

  static final class Int16 extends FixedAppender<SmallIntVector> {
    Int16(String path, Field field) {
      super(path, field, SmallIntVector.class, Short.BYTES);
    }

    @Override
    void set(int index, Object value) {
      vector.set(index, ((Number) value).shortValue());
    }
  }

  static final class Int32 extends FixedAppender<IntVector> {
    Int32(String path, Field field) {
      super(path, field, IntVector.class, Integer.BYTES);
    }

    @Override
    void set(int index, Object value) {
      vector.set(index, value instanceof Integer number ? number : ((Number) value).intValue());
    }
  }

  static final class Int64 extends FixedAppender<BigIntVector> {
    Int64(String path, Field field) {
      super(path, field, BigIntVector.class, Long.BYTES);
    }

    @Override
    void set(int index, Object value) {
      vector.set(index, value instanceof Long number ? number : ((Number) value).longValue());
    }
  }

  static final class Float32 extends FixedAppender<Float4Vector> {
    Float32(String path, Field field) {
      super(path, field, Float4Vector.class, Float.BYTES);
    }

    @Override
    void set(int index, Object value) {
      vector.set(index, (Float) value);
    }
  }

  static final class Float64 extends FixedAppender<Float8Vector> {
    Float64(String path, Field field) {
      super(path, field, Float8Vector.class, Double.BYTES);
    }

    @Override
    void set(int index, Object value) {
      vector.set(index, value instanceof Double number ? number : ((Number) value).doubleValue());
    }
  }

  static final class Bool extends FixedAppender<BitVector> {
    Bool(String path, Field field) {
      super(path, field, BitVector.class, 1);
    }

    @Override
    void set(int index, Object value) {
      vector.set(index, (Boolean) value ? 1 : 0);
    }
  }

  /** Decimals of 16 bytes; those that fit into a long do not become large integers on the way. */
  static final class Decimal extends FixedAppender<DecimalVector> {
    /** The precision up to which all values are below a power of ten that is a long. */
    private static final int MAX_LONG_PRECISION = 18;

    private final DecimalForm form;
    private final long longLimit;

    Decimal(String path, Field field) {
      super(path, field, DecimalVector.class, DecimalVector.TYPE_WIDTH);
      this.form = new DecimalForm(this, (ArrowType.Decimal) field.getType());
      this.longLimit =
          form.precision <= MAX_LONG_PRECISION ? BigInteger.TEN.pow(form.precision).longValue() : 0;
    }

    @Override
    void set(int index, Object value) {
      BigDecimal decimal = (BigDecimal) value;
      if (longLimit > 0 && decimal.precision() <= MAX_LONG_PRECISION) {
        BigDecimal scaled = form.scaled(decimal);
        if (scaled.precision() <= MAX_LONG_PRECISION) {
          long unscaled = scaled.scaleByPowerOfTen(form.scale).longValueExact();
          if (unscaled < longLimit && unscaled > -longLimit) {
            vector.set(index, unscaled);
            return;
          }
        }
        throw form.tooLarge();
      }
      vector.set(index, form.fitted(decimal));
    }
  }

  /** Decimals of 32 bytes. */
  static final class WideDecimal extends FixedAppender<Decimal256Vector> {
    private final DecimalForm form;

    WideDecimal(String path, Field field) {
      super(path, field, Decimal256Vector.class, Decimal256Vector.TYPE_WIDTH);
      this.form = new DecimalForm(this, (ArrowType.Decimal) field.getType());
    }

    @Override
    void set(int index, Object value) {
      vector.set(index, form.fitted((BigDecimal) value));
    }
  }

  /** Brings decimals into the scale of a column. */
  private static final class DecimalForm {
    final int precision;
    final int scale;
    private final ValueAppender appender;

    DecimalForm(ValueAppender appender, ArrowType.Decimal type) {
      this.appender = appender;
      this.precision = type.getPrecision();
      this.scale = type.getScale();
    }

    BigDecimal fitted(BigDecimal decimal) {
      BigDecimal scaled = scaled(decimal);
      if (scaled.precision() > precision) {
        throw tooLarge();
      }
      return scaled;
    }

    /** The same number with the column's scale. */
    BigDecimal scaled(BigDecimal decimal) {
      if (decimal.scale() == scale) {
        return decimal;
      }
      // Before zeros are written out: a number may claim two billion of them.
      long integerDigits = (long) decimal.precision() - decimal.scale();
      if (decimal.signum() != 0 && integerDigits > precision - scale) {
        throw tooLarge();
      }
      try {
        return decimal.setScale(scale, RoundingMode.UNNECESSARY);
      } catch (ArithmeticException e) {
        throw appender.rejected(
            String.format(
                "got a decimal with more than %d digits after the point. Round it before", scale));
      }
    }

    ValueRejectedException tooLarge() {
      return appender.rejected(
          String.format(
              "got a decimal with more than %d digits before the point. Widen the column",
              precision - scale));
    }
  }
}
