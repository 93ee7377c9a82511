package dev.tidemark.upsert;

import org.apache.beam.sdk.schemas.Schema.FieldType;

/** Writes and reads values of one type. Neither sees null: who holds a value says whether it is. */
abstract class ValueEncoding {
  /** Writes a value, as a {@code Row} holds it. */
  abstract void encode(Object value, EncodingBuffer out);

  /** Reads a value, as a {@code Row} holds it. */
  abstract Object decode(DecodingCursor in);

  /**
   * The encoding of a type.
   *
   * @param floats how numbers are written where they do not lie in an array, an iterable or a map
   */
  static ValueEncoding of(FieldType type, MapOrder mapOrder, FloatForm floats) {
    return switch (type.getTypeName()) {
      case BYTE -> new ScalarEncodings.Byte8();
      case INT16 -> new ScalarEncodings.Int16();
      case INT32 -> new ScalarEncodings.Int32();
      case INT64 -> new ScalarEncodings.Int64();
      case FLOAT -> new ScalarEncodings.Float32(floats);
      case DOUBLE -> new ScalarEncodings.Float64(floats);
      case DECIMAL -> new ScalarEncodings.Decimal();
      case BOOLEAN -> new ScalarEncodings.Bool();
      case STRING -> new ScalarEncodings.Text();
      case BYTES -> new ScalarEncodings.Bytes();
      case DATETIME -> new ScalarEncodings.DateTime();
      case ARRAY, ITERABLE ->
          new SequenceEncoding(of(type.getCollectionElementType(), mapOrder, FloatForm.ONE_NAN));
      case MAP ->
          new MapEncoding(
              of(type.getMapKeyType(), mapOrder, FloatForm.ONE_NAN),
              of(type.getMapValueType(), mapOrder, FloatForm.ONE_NAN),
              mapOrder);
      case ROW -> FieldsEncoding.of(type.getRowSchema(), mapOrder, floats);
      case LOGICAL_TYPE ->
          new LogicalTypeEncoding(
              type.getLogicalType(), of(type.getLogicalType().getBaseType(), mapOrder, floats));
    };
  }
}
