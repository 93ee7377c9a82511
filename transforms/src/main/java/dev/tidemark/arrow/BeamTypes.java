package dev.tidemark.arrow;

import java.util.List;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.FixedBytes;
import org.apache.beam.sdk.schemas.logicaltypes.FixedPrecisionNumeric;
import org.apache.beam.sdk.schemas.logicaltypes.NanosInstant;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.schemas.logicaltypes.Timestamp;

/** The type of rows that is made for an Arrow column. */
final class BeamTypes {
  private BeamTypes() {}

  static Schema schema(List<Field> fields, String path) {
    Schema.Builder schema = Schema.builder();
    for (Field field : fields) {
      schema.addField(field.getName(), type(field, ArrowTypes.child(path, field.getName())));
    }
    return schema.build();
  }

  private static FieldType type(Field field, String path) {
    if (field.getDictionary() != null) {
      throw refused(path, "dictionary of " + field.getType(), "Decode the dictionary before");
    }
    return bare(field, path).withNullable(field.isNullable());
  }

  private static FieldType bare(Field field, String path) {
    ArrowType type = field.getType();
    return switch (type.getTypeID()) {
      case Bool -> FieldType.BOOLEAN;
      case Int -> integer((ArrowType.Int) type, path);
      case FloatingPoint ->
          switch (((ArrowType.FloatingPoint) type).getPrecision()) {
            case SINGLE -> FieldType.FLOAT;
            case DOUBLE -> FieldType.DOUBLE;
            case HALF -> throw refused(path, type.toString(), "Cast it to single precision before");
          };
      case Decimal -> {
        ArrowType.Decimal decimal = (ArrowType.Decimal) type;
        yield FieldType.logicalType(
            FixedPrecisionNumeric.of(decimal.getPrecision(), decimal.getScale()));
      }
      case Utf8 -> FieldType.STRING;
      case Binary -> FieldType.BYTES;
      case FixedSizeBinary ->
          FieldType.logicalType(FixedBytes.of(((ArrowType.FixedSizeBinary) type).getByteWidth()));
      case Date -> {
        if (((ArrowType.Date) type).getUnit() != DateUnit.DAY) {
          throw refused(path, type.toString(), "Cast it to days before");
        }
        yield FieldType.logicalType(SqlTypes.DATE);
      }
      case Time -> FieldType.logicalType(SqlTypes.TIME);
      case Timestamp -> timestamp((ArrowType.Timestamp) type);
      case Struct -> FieldType.row(schema(field.getChildren(), path));
      case List ->
          FieldType.array(
              type(field.getChildren().get(0), ArrowTypes.child(path, ArrowTypes.ELEMENT)));
      case Map -> {
        List<Field> entry = field.getChildren().get(0).getChildren();
        yield FieldType.map(
            type(entry.get(0), ArrowTypes.child(path, "key")),
            type(entry.get(1), ArrowTypes.child(path, "value")));
      }
      default ->
          throw refused(
              path,
              type.toString(),
              "Cast it to a type that the documentation of the package lists before");
    };
  }

  private static FieldType integer(ArrowType.Int type, String path) {
    if (!type.getIsSigned()) {
      throw refused(path, type.toString(), "Cast it to a signed integer before");
    }
    return switch (type.getBitWidth()) {
      case 8 -> FieldType.BYTE;
      case 16 -> FieldType.INT16;
      case 32 -> FieldType.INT32;
      default -> FieldType.INT64;
    };
  }

  private static FieldType timestamp(ArrowType.Timestamp type) {
    if (type.getTimezone() == null) {
      return FieldType.logicalType(SqlTypes.DATETIME);
    }
    return switch (type.getUnit()) {
      case SECOND -> FieldType.logicalType(Timestamp.of(0));
      case MILLISECOND -> FieldType.DATETIME;
      case MICROSECOND -> FieldType.logicalType(SqlTypes.TIMESTAMP);
      case NANOSECOND -> FieldType.logicalType(new NanosInstant());
    };
  }

  private static IllegalArgumentException refused(String path, String type, String remedy) {
    return new IllegalArgumentException(
        String.format("Cannot read column %s: rows do not hold %s. %s", path, type, remedy));
  }
}
