package dev.tidemark.arrow;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.beam.sdk.schemas.logicaltypes.EnumerationType;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Texts and bytes. */
final class BytesAppenders {
  private BytesAppenders() {}

  /** Base of the appenders of values that take as many bytes as they have. */
  private abstract static class Variable extends ValueAppender {
    private BaseVariableWidthVector vector;

    Variable(String path, Field field) {
      super(path, field);
    }

    @Override
    final void bind(FieldVector newVector) {
      vector = (BaseVariableWidthVector) newVector;
    }

    @Override
    final int append(Object value, int index) {
      byte[] bytes = bytes(value);
      vector.setSafe(index, bytes, 0, bytes.length);
      return Integer.BYTES + bytes.length;
    }

    final void reserve(long bytes) {
      int last = vector.getLastSet();
      long needed = (last < 0 ? 0 : vector.getEndOffset(last)) + bytes;
      if (needed > vector.getDataBuffer().capacity()) {
        vector.reallocDataBuffer(needed);
      }
    }

    abstract byte[] bytes(Object value);

    @Override
    final void setNull(int index) {
      vector.setNull(index);
    }
  }

  static final class Text extends Variable {
    Text(String path, Field field) {
      super(path, field);
    }

    /**
     * Makes room for the texts. They lie anywhere in memory, and this fetches all of them at once,
     * where writing them would wait for one after the other.
     */
    @Override
    void prepare(@Nullable Object[] texts) {
      long chars = 0;
      for (Object text : texts) {
        if (text != null) {
          chars += ((String) text).length();
        }
      }
      reserve(chars);
    }

    @Override
    byte[] bytes(Object value) {
      return ((String) value).getBytes(UTF_8);
    }
  }

  static final class Bytes extends Variable {
    Bytes(String path, Field field) {
      super(path, field);
    }

    @Override
    byte[] bytes(Object value) {
      return (byte[]) value;
    }
  }

  /** Names of an enumeration. */
  static final class EnumNames extends Variable {
    private final EnumerationType type;

    EnumNames(String path, Field field, EnumerationType type) {
      super(path, field);
      this.type = type;
    }

    @Override
    byte[] bytes(Object value) {
      return type.toString((EnumerationType.Value) value).getBytes(UTF_8);
    }
  }

  /** Integers and decimals without a fraction, as decimal text. */
  static final class IntegerText extends Variable {
    IntegerText(String path, Field field) {
      super(path, field);
    }

    @Override
    byte[] bytes(Object value) {
      if (!(value instanceof BigDecimal decimal)) {
        return value.toString().getBytes(UTF_8);
      }
      // Before zeros are written out: a number may claim two billion of them.
      if ((long) decimal.precision() - decimal.scale() > ArrowTypes.MAX_PRECISION) {
        throw rejected("got an integer of more than " + ArrowTypes.MAX_PRECISION + " digits");
      }
      try {
        return decimal.toBigIntegerExact().toString().getBytes(UTF_8);
      } catch (ArithmeticException e) {
        throw rejected(
            "got a decimal with a fraction, to be written as an integer. Round it before");
      }
    }
  }

  /** Base of the appenders of values of one length. */
  private abstract static class Fixed extends FixedAppender<FixedSizeBinaryVector> {
    private final int width;

    Fixed(String path, Field field) {
      super(path, field, FixedSizeBinaryVector.class, width(field));
      this.width = width(field);
    }

    private static int width(Field field) {
      return ((ArrowType.FixedSizeBinary) field.getType()).getByteWidth();
    }

    @Override
    final void set(int index, Object value) {
      byte[] bytes = bytes(value);
      if (bytes.length != width) {
        throw rejected(String.format("got %d bytes, and the column takes %d", bytes.length, width));
      }
      vector.set(index, bytes);
    }

    abstract byte[] bytes(Object value);
  }

  static final class FixedBytes extends Fixed {
    FixedBytes(String path, Field field) {
      super(path, field);
    }

    @Override
    byte[] bytes(Object value) {
      return (byte[]) value;
    }
  }

  /** Identifiers of 16 bytes, high ones first. */
  static final class Uuids extends Fixed {
    Uuids(String path, Field field) {
      super(path, field);
    }

    @Override
    byte[] bytes(Object value) {
      UUID uuid = (UUID) value;
      return ByteBuffer.allocate(ArrowTypes.UUID_BYTES)
          .putLong(uuid.getMostSignificantBits())
          .putLong(uuid.getLeastSignificantBits())
          .array();
    }
  }
}
