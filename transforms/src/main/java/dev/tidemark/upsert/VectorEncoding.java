package dev.tidemark.upsert;

import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.Schema.LogicalType;
import org.apache.beam.sdk.schemas.logicaltypes.Date;
import org.apache.beam.sdk.schemas.logicaltypes.DateTime;
import org.apache.beam.sdk.schemas.logicaltypes.EnumerationType;
import org.apache.beam.sdk.schemas.logicaltypes.MicrosInstant;
import org.apache.beam.sdk.schemas.logicaltypes.NanosInstant;
import org.apache.beam.sdk.schemas.logicaltypes.Time;
import org.apache.beam.sdk.schemas.logicaltypes.Timestamp;
import org.apache.beam.sdk.schemas.logicaltypes.UuidLogicalType;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Writes values of a column in the form that {@link ValueEncoding} gives the same values of rows,
 * without making those. Does not write null: who holds a value says whether it is.
 */
abstract class VectorEncoding {
  private static final int MICRO_DIGITS = 6;
  private static final int NANO_DIGITS = 9;

  /** The largest precision of a {@code Timestamp} whose fractions are INT16. */
  private static final int SHORT_DIGITS = 4;

  /** Reads from this vector from now on. */
  abstract void bind(FieldVector vector);

  /** Whether a value is null. */
  abstract boolean isNull(int index);

  /** Writes a value that is not null. */
  abstract void encode(int index, EncodingBuffer out);

  /** Whether a value that is not null is a floating-point number that is none. */
  boolean isNaN(int index) {
    return false;
  }

  /** Base of the encodings that look at one vector. */
  abstract static class OfVector<V extends FieldVector> extends VectorEncoding {
    private final Class<V> type;

    /** The vector that is read from. */
    V vector;

    OfVector(Class<V> type) {
      this.type = type;
    }

    @Override
    final void bind(FieldVector newVector) {
      vector = type.cast(newVector);
      bound();
    }

    void bound() {}

    @Override
    final boolean isNull(int index) {
      return vector.isNull(index);
    }
  }

  /**
   * The encoding of a column that {@link dev.tidemark.arrow.RowReader} reads as fields of this
   * type.
   *
   * @param floats how numbers are written where they do not lie in an array, an iterable or a map
   */
  static VectorEncoding of(FieldType type, Field column, MapOrder mapOrder, FloatForm floats) {
    return switch (type.getTypeName()) {
      case BYTE -> new VectorScalars.Int8();
      case INT16 -> new VectorScalars.Int16();
      case INT32 -> new VectorScalars.Int32();
      case INT64 -> new VectorScalars.Int64();
      case FLOAT -> new VectorScalars.Float32(floats);
      case DOUBLE -> new VectorScalars.Float64(floats);
      case DECIMAL -> new VectorScalars.Decimal((ArrowType.Decimal) column.getType());
      case BOOLEAN -> new VectorScalars.Bool();
      case STRING -> new VectorScalars.Text();
      case BYTES ->
          column.getType() instanceof ArrowType.Binary
              ? new VectorScalars.Bytes<>(VarBinaryVector.class)
              : new VectorScalars.FixedBytes(0);
      case DATETIME -> new VectorTimes.Millis(column);
      case ARRAY, ITERABLE ->
          new VectorNested.Lists(
              of(
                  type.getCollectionElementType(),
                  column.getChildren().get(0),
                  mapOrder,
                  FloatForm.ONE_NAN));
      case MAP -> VectorNested.Maps.of(type, column, mapOrder);
      case ROW -> VectorNested.Rows.of(type.getRowSchema(), column, mapOrder, floats);
      case LOGICAL_TYPE -> {
        VectorEncoding own = logical(type.getLogicalType(), column);
        yield own == null ? of(type.getLogicalType().getBaseType(), column, mapOrder, floats) : own;
      }
    };
  }

  /** The encoding of a logical type whose column is not that of its base type; else null. */
  private static @Nullable VectorEncoding logical(LogicalType<?, ?> type, Field column) {
    if (type instanceof Date) {
      return new VectorTimes.Days();
    } else if (type instanceof Time) {
      return new VectorTimes.NanosOfDay(column);
    } else if (type instanceof DateTime) {
      return new VectorTimes.DaysAndNanos(column);
    } else if (type instanceof MicrosInstant) {
      return new VectorTimes.Seconds(column, MICRO_DIGITS, false);
    } else if (type instanceof NanosInstant) {
      return new VectorTimes.Seconds(column, NANO_DIGITS, false);
    } else if (type instanceof Timestamp timestamp) {
      int digits = timestamp.getArgument();
      return new VectorTimes.Seconds(column, digits, digits <= SHORT_DIGITS);
    } else if (type instanceof UuidLogicalType) {
      // A row of two INT64, so there is a byte of which fields are null.
      return new VectorScalars.FixedBytes(1);
    } else if (type instanceof EnumerationType enumeration
        && column.getType() instanceof ArrowType.Utf8) {
      return new VectorScalars.EnumNumbers(enumeration);
    }
    return null;
  }
}
