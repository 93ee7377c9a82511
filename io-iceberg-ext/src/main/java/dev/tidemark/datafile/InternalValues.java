package dev.tidemark.datafile;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.ByteBuffers;
import org.apache.iceberg.util.DecimalUtil;
import org.apache.iceberg.util.UUIDUtil;
import org.apache.parquet.io.api.Binary;

/** Converts between tracks and the objects that Iceberg's transforms and defaults are made of. */
final class InternalValues {
  private InternalValues() {}

  /** Whether a type is kept on a {@link LongTrack}, else on a {@link BinaryTrack}. */
  static boolean isLong(Type type) {
    return switch (type.typeId()) {
      case STRING, BINARY, FIXED, UUID -> false;
      case DECIMAL -> ((Types.DecimalType) type).precision() <= NumberLoaders.MAX_LONG_PRECISION;
      default -> true;
    };
  }

  static Object toObject(Type type, long value) {
    return switch (type.typeId()) {
      case BOOLEAN -> value != 0;
      case INTEGER, DATE -> (int) value;
      case FLOAT -> Float.intBitsToFloat((int) value);
      case DOUBLE -> Double.longBitsToDouble(value);
      case DECIMAL -> BigDecimal.valueOf(value, ((Types.DecimalType) type).scale());
      default -> value;
    };
  }

  /** The object shares nothing with the value. */
  static Object toObject(Type type, Binary value) {
    byte[] bytes = value.getBytes();
    return switch (type.typeId()) {
      case STRING -> new String(bytes, StandardCharsets.UTF_8);
      case UUID -> UUIDUtil.convert(bytes);
      case DECIMAL -> new BigDecimal(new BigInteger(bytes), ((Types.DecimalType) type).scale());
      default -> ByteBuffer.wrap(bytes);
    };
  }

  static long toLong(Object value) {
    if (value instanceof Boolean b) {
      return b ? 1 : 0;
    } else if (value instanceof Float f) {
      return Float.floatToRawIntBits(f);
    } else if (value instanceof Double d) {
      return Double.doubleToRawLongBits(d);
    } else if (value instanceof BigDecimal bigDecimal) {
      return bigDecimal.unscaledValue().longValueExact();
    }
    return ((Number) value).longValue();
  }

  static Binary toBinary(Type type, Object value) {
    if (value instanceof CharSequence) {
      return Binary.fromConstantByteArray(value.toString().getBytes(StandardCharsets.UTF_8));
    } else if (value instanceof UUID uUID) {
      return Binary.fromConstantByteArray(UUIDUtil.convert(uUID));
    } else if (value instanceof BigDecimal bigDecimal) {
      Types.DecimalType decimal = (Types.DecimalType) type;
      int length = TypeUtil.decimalRequiredBytes(decimal.precision());
      return Binary.fromConstantByteArray(
          DecimalUtil.toReusedFixLengthBytes(
              decimal.precision(), decimal.scale(), bigDecimal, new byte[length]));
    }
    return Binary.fromConstantByteArray(ByteBuffers.toByteArray((ByteBuffer) value));
  }
}
