package dev.tidemark.upsert;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.beam.sdk.schemas.logicaltypes.EnumerationType;

/** Columns of values that hold no other values, in the forms of {@link ScalarEncodings}. */
final class VectorScalars {
  private VectorScalars() {}

  static final class Int8 extends VectorEncoding.OfVector<TinyIntVector> {
    Int8() {
      super(TinyIntVector.class);
    }

    @Override
    void encode(int index, EncodingBuffer out) {
      out.putByte(vector.get(index));
    }
  }

  static final class Int16 extends VectorEncoding.OfVector<SmallIntVector> {
    Int16() {
      super(SmallIntVector.class);
    }

    @Override
    void encode(int index, EncodingBuffer out) {
      out.putShort(vector.get(index));
    }
  }

  static final class Int32 extends VectorEncoding.OfVector<IntVector> {
    Int32() {
      super(IntVector.class);
    }

    @Override
    void encode(int index, EncodingBuffer out) {
      out.putInt(vector.get(index));
    }
  }

  static final class Int64 extends VectorEncoding.OfVector<BigIntVector> {
    Int64() {
      super(BigIntVector.class);
    }

    @Override
    void encode(int index, EncodingBuffer out) {
      out.putLong(vector.get(index));
    }
  }

  static final class Float32 extends VectorEncoding.OfVector<Float4Vector> {
    private final FloatForm form;

    Float32(FloatForm form) {
      super(Float4Vector.class);
      this.form = form;
    }

    @Override
    void encode(int index, EncodingBuffer out) {
      out.putInt(ScalarEncodings.Float32.bits(vector.get(index), form));
    }

    @Override
    boolean isNaN(int index) {
      return Float.isNaN(vector.get(index));
    }
  }

  static final class Float64 extends VectorEncoding.OfVector<Float8Vector> {
    private final FloatForm form;

    Float64(FloatForm form) {
      super(Float8Vector.class);
      this.form = form;
    }

    @Override
    void encode(int index, EncodingBuffer out) {
      out.putLong(ScalarEncodings.Float64.bits(vector.get(index), form));
    }

    @Override
    boolean isNaN(int index) {
      return Double.isNaN(vector.get(index));
    }
  }

  /** Decimals of 16 or 32 bytes, low ones first. */
  static final class Decimal extends VectorEncoding.OfVector<BaseFixedWidthVector> {
    private final int scale;
    private final byte[] bytes;

    Decimal(ArrowType.Decimal type) {
      super(BaseFixedWidthVector.class);
      this.scale = type.getScale();
      this.bytes = new byte[type.getBitWidth() / Byte.SIZE];
    }

    @Override
    void encode(int index, EncodingBuffer out) {
      vector.getDataBuffer().getBytes((long) index * bytes.length, bytes);
      // The highest bytes go as long as the one below has the same sign.
      int length = bytes.length;
      while (length > 1 && bytes[length - 1] == bytes[length - 2] >> 7) {
        length--;
      }
      out.putVarint((scale << 1) ^ (scale >> 31));
      out.putVarint(length);
      for (int i = length - 1; i >= 0; i--) {
        out.putByte(bytes[i]);
      }
    }
  }

  static final class Bool extends VectorEncoding.OfVector<BitVector> {
    Bool() {
      super(BitVector.class);
    }

    @Override
    void encode(int index, EncodingBuffer out) {
      out.putByte(vector.get(index));
    }
  }

  /** Bytes of any number. */
  static class Bytes<V extends BaseVariableWidthVector> extends VectorEncoding.OfVector<V> {
    Bytes(Class<V> type) {
      super(type);
    }

    @Override
    void encode(int index, EncodingBuffer out) {
      put(index, out);
    }

    /** Writes length and bytes, and returns where the bytes begin. */
    final int put(int index, EncodingBuffer out) {
      ArrowBuf offsets = vector.getOffsetBuffer();
      long at = (long) index * BaseVariableWidthVector.OFFSET_WIDTH;
      int begin = offsets.getInt(at);
      int length = offsets.getInt(at + BaseVariableWidthVector.OFFSET_WIDTH) - begin;
      out.putVarint(length);
      int written = out.end();
      out.putBuffer(vector.getDataBuffer(), begin, length);
      return written;
    }
  }

  /** Texts; what is not UTF-8 gets the form of the text that a row would have. */
  static final class Text extends Bytes<VarCharVector> {
    Text() {
      super(VarCharVector.class);
    }

    @Override
    void encode(int index, EncodingBuffer out) {
      int begin = out.end();
      int text = put(index, out);
      if (!out.isAscii(text)) {
        byte[] bytes = vector.get(index);
        byte[] valid = new String(bytes, UTF_8).getBytes(UTF_8);
        if (!Arrays.equals(bytes, valid)) {
          out.truncate(begin);
          out.putVarint(valid.length);
          out.putBytes(valid);
        }
      }
    }
  }

  /** Bytes of one number, with a length before them, or as a row of numbers. */
  static final class FixedBytes extends VectorEncoding.OfVector<FixedSizeBinaryVector> {
    private final int bitmapBytes;

    /**
     * Bytes.
     *
     * @param bitmapBytes if they are a row, how many bytes say which of its fields are null
     */
    FixedBytes(int bitmapBytes) {
      super(FixedSizeBinaryVector.class);
      this.bitmapBytes = bitmapBytes;
    }

    @Override
    void encode(int index, EncodingBuffer out) {
      int width = vector.getByteWidth();
      if (bitmapBytes == 0) {
        out.putVarint(width);
      } else {
        out.putBitmap(bitmapBytes * Byte.SIZE);
      }
      out.putBuffer(vector.getDataBuffer(), (long) index * width, width);
    }
  }

  /** Names of an enumeration, as its numbers. */
  static final class EnumNumbers extends VectorEncoding.OfVector<VarCharVector> {
    private final EnumerationType type;

    EnumNumbers(EnumerationType type) {
      super(VarCharVector.class);
      this.type = type;
    }

    @Override
    void encode(int index, EncodingBuffer out) {
      out.putInt(type.valueOf(new String(vector.get(index), UTF_8)).getValue());
    }
  }
}
