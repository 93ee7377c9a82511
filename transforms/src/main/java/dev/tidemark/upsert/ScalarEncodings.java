package dev.tidemark.upsert;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.joda.time.Instant;
import org.joda.time.ReadableInstant;

/** Values that hold no other values. */
final class ScalarEncodings {
  private ScalarEncodings() {}

  /** One byte. */
  static final class Byte8 extends ValueEncoding {
    @Override
    void encode(Object value, EncodingBuffer out) {
      out.putByte((Byte) value);
    }

    @Override
    Object decode(DecodingCursor in) {
      return in.getByte();
    }
  }

  /** Two bytes, high one first. */
  static final class Int16 extends ValueEncoding {
    @Override
    void encode(Object value, EncodingBuffer out) {
      out.putShort((Short) value);
    }

    @Override
    Object decode(DecodingCursor in) {
      return in.getShort();
    }
  }

  /** Four bytes, high one first. */
  static final class Int32 extends ValueEncoding {
    @Override
    void encode(Object value, EncodingBuffer out) {
      out.putInt((Integer) value);
    }

    @Override
    Object decode(DecodingCursor in) {
      return in.getInt();
    }
  }

  /** Eight bytes, high one first. */
  static final class Int64 extends ValueEncoding {
    @Override
    void encode(Object value, EncodingBuffer out) {
      out.putLong((Long) value);
    }

    @Override
    Object decode(DecodingCursor in) {
      return in.getLong();
    }
  }

  /** The IEEE 754 bits as four bytes, high one first. */
  static final class Float32 extends ValueEncoding {
    private final FloatForm form;

    Float32(FloatForm form) {
      this.form = form;
    }

    @Override
    void encode(Object value, EncodingBuffer out) {
      out.putInt(bits((Float) value, form));
    }

    static int bits(float number, FloatForm form) {
      return switch (form) {
        case EXACT -> Float.floatToRawIntBits(number);
        case ONE_NAN -> Float.floatToIntBits(number);
        case ONE_ZERO -> Float.floatToRawIntBits(number + 0.0f);
      };
    }

    @Override
    Object decode(DecodingCursor in) {
      int bits = in.getInt();
      float number = Float.intBitsToFloat(bits);
      if (form == FloatForm.ONE_NAN && Float.floatToIntBits(number) != bits) {
        throw DecodingCursor.corrupt("NaN is not in its one form");
      }
      return number;
    }
  }

  /** The IEEE 754 bits as eight bytes, high one first. */
  static final class Float64 extends ValueEncoding {
    private final FloatForm form;

    Float64(FloatForm form) {
      this.form = form;
    }

    @Override
    void encode(Object value, EncodingBuffer out) {
      out.putLong(bits((Double) value, form));
    }

    static long bits(double number, FloatForm form) {
      return switch (form) {
        case EXACT -> Double.doubleToRawLongBits(number);
        case ONE_NAN -> Double.doubleToLongBits(number);
        case ONE_ZERO -> Double.doubleToRawLongBits(number + 0.0);
      };
    }

    @Override
    Object decode(DecodingCursor in) {
      long bits = in.getLong();
      double number = Double.longBitsToDouble(bits);
      if (form == FloatForm.ONE_NAN && Double.doubleToLongBits(number) != bits) {
        throw DecodingCursor.corrupt("NaN is not in its one form");
      }
      return number;
    }
  }

  /**
   * The scale as a zigzag varint, the number of bytes of the unscaled value as a varint, and these
   * bytes, two's complement, as few as possible.
   */
  static final class Decimal extends ValueEncoding {
    @Override
    void encode(Object value, EncodingBuffer out) {
      BigDecimal decimal = (BigDecimal) value;
      byte[] unscaled = decimal.unscaledValue().toByteArray();
      int scale = decimal.scale();
      out.putVarint((scale << 1) ^ (scale >> 31));
      out.putVarint(unscaled.length);
      out.putBytes(unscaled);
    }

    @Override
    Object decode(DecodingCursor in) {
      int zigzag = in.getVarint();
      byte[] unscaled = in.getBytes(in.getLength());
      if (!isShortest(unscaled)) {
        throw DecodingCursor.corrupt("a decimal is not in its shortest form");
      }
      return new BigDecimal(new BigInteger(unscaled), (zigzag >>> 1) ^ -(zigzag & 1));
    }

    private static boolean isShortest(byte[] number) {
      // The first byte is needed if the sign of the next one is another.
      return number.length == 1 || (number.length > 1 && (number[0] != (number[1] >> 7)));
    }
  }

  /** One byte, 0 or 1. */
  static final class Bool extends ValueEncoding {
    @Override
    void encode(Object value, EncodingBuffer out) {
      out.putByte((Boolean) value ? 1 : 0);
    }

    @Override
    Object decode(DecodingCursor in) {
      return in.getFlag();
    }
  }

  /** The number of bytes as a varint, and the text in UTF-8. */
  static final class Text extends ValueEncoding {
    @Override
    void encode(Object value, EncodingBuffer out) {
      byte[] bytes = ((String) value).getBytes(UTF_8);
      out.putVarint(bytes.length);
      out.putBytes(bytes);
    }

    @Override
    Object decode(DecodingCursor in) {
      return in.getString(in.getLength());
    }
  }

  /** The number of bytes as a varint, and the bytes. */
  static final class Bytes extends ValueEncoding {
    @Override
    void encode(Object value, EncodingBuffer out) {
      byte[] bytes = (byte[]) value;
      out.putVarint(bytes.length);
      out.putBytes(bytes);
    }

    @Override
    Object decode(DecodingCursor in) {
      return in.getBytes(in.getLength());
    }
  }

  /** The milliseconds since 1970 as eight bytes, high one first; the zone is not kept. */
  static final class DateTime extends ValueEncoding {
    @Override
    void encode(Object value, EncodingBuffer out) {
      out.putLong(((ReadableInstant) value).getMillis());
    }

    @Override
    Object decode(DecodingCursor in) {
      return Instant.ofEpochMilli(in.getLong());
    }
  }
}
