package dev.tidemark.arrow;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.function.Function;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;

/** Numbers, texts and bytes. */
final class ScalarReaders {
  private ScalarReaders() {}

  static final class Int8 extends ValueReader.OfVector<TinyIntVector> {
    Int8() {
      super(TinyIntVector.class);
    }

    @Override
    Object value(int index) {
      return vector.get(index);
    }
  }

  static final class Int16 extends ValueReader.OfVector<SmallIntVector> {
    Int16() {
      super(SmallIntVector.class);
    }

    @Override
    Object value(int index) {
      return vector.get(index);
    }
  }

  static final class Int32 extends ValueReader.OfVector<IntVector> {
    Int32() {
      super(IntVector.class);
    }

    @Override
    Object value(int index) {
      return vector.get(index);
    }
  }

  static final class Int64 extends ValueReader.OfVector<BigIntVector> {
    Int64() {
      super(BigIntVector.class);
    }

    @Override
    Object value(int index) {
      return vector.get(index);
    }
  }

  static final class Float32 extends ValueReader.OfVector<Float4Vector> {
    Float32() {
      super(Float4Vector.class);
    }

    @Override
    Object value(int index) {
      return vector.get(index);
    }
  }

  static final class Float64 extends ValueReader.OfVector<Float8Vector> {
    Float64() {
      super(Float8Vector.class);
    }

    @Override
    Object value(int index) {
      return vector.get(index);
    }
  }

  static final class Bool extends ValueReader.OfVector<BitVector> {
    Bool() {
      super(BitVector.class);
    }

    @Override
    Object value(int index) {
      return vector.get(index) != 0;
    }
  }

  static final class Decimal extends ValueReader.OfVector<DecimalVector> {
    Decimal() {
      super(DecimalVector.class);
    }

    @Override
    Object value(int index) {
      return vector.getObjectNotNull(index);
    }
  }

  static final class WideDecimal extends ValueReader.OfVector<Decimal256Vector> {
    WideDecimal() {
      super(Decimal256Vector.class);
    }

    @Override
    Object value(int index) {
      return vector.getObjectNotNull(index);
    }
  }

  /** Text, or what a text stands for. */
  static final class Text extends ValueReader.OfVector<VarCharVector> {
    private final Function<String, Object> meaning;

    Text(Function<String, Object> meaning) {
      super(VarCharVector.class);
      this.meaning = meaning;
    }

    @Override
    Object value(int index) {
      return meaning.apply(new String(vector.get(index), UTF_8));
    }
  }

  static final class Bytes extends ValueReader.OfVector<VarBinaryVector> {
    Bytes() {
      super(VarBinaryVector.class);
    }

    @Override
    Object value(int index) {
      return vector.get(index);
    }
  }

  static final class FixedBytes extends ValueReader.OfVector<FixedSizeBinaryVector> {
    FixedBytes() {
      super(FixedSizeBinaryVector.class);
    }

    @Override
    Object value(int index) {
      return vector.get(index);
    }
  }

  /** Identifiers of 16 bytes, high ones first. */
  static final class Uuids extends ValueReader.OfVector<FixedSizeBinaryVector> {
    Uuids() {
      super(FixedSizeBinaryVector.class);
    }

    @Override
    Object value(int index) {
      ByteBuffer bytes = ByteBuffer.wrap(vector.get(index));
      return new UUID(bytes.getLong(), bytes.getLong());
    }
  }
}
