package dev.tidemark.arrow;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.Schema.LogicalType;
import org.apache.beam.sdk.schemas.logicaltypes.Date;
import org.apache.beam.sdk.schemas.logicaltypes.DateTime;
import org.apache.beam.sdk.schemas.logicaltypes.EnumerationType;
import org.apache.beam.sdk.schemas.logicaltypes.FixedBytes;
import org.apache.beam.sdk.schemas.logicaltypes.FixedPrecisionNumeric;
import org.apache.beam.sdk.schemas.logicaltypes.MicrosInstant;
import org.apache.beam.sdk.schemas.logicaltypes.NanosInstant;
import org.apache.beam.sdk.schemas.logicaltypes.Time;
import org.apache.beam.sdk.schemas.logicaltypes.Timestamp;
import org.apache.beam.sdk.schemas.logicaltypes.UuidLogicalType;
import org.apache.beam.sdk.schemas.logicaltypes.VariableBytes;
import org.apache.beam.sdk.values.Row;

/** The Arrow type that is made for a field of rows. */
final class ArrowTypes {
  /** Zone of columns that hold instants. */
  static final String UTC = "UTC";

  static final String ELEMENT = "element";
  static final int UUID_BYTES = 16;
  static final int MAX_PRECISION = 76;
  private static final int MAX_PRECISION_128 = 38;

  private ArrowTypes() {}

  static Field field(Schema.Field field, String path) {
    return field(
        field.getName(), field.getType(), child(path, field.getName()), field.getOptions());
  }

  private static Field field(String name, FieldType type, String path, Schema.Options options) {
    boolean nullable = type.getNullable();
    return switch (type.getTypeName()) {
      case BYTE -> leaf(name, nullable, new ArrowType.Int(8, true));
      case INT16 -> leaf(name, nullable, new ArrowType.Int(16, true));
      case INT32 -> leaf(name, nullable, new ArrowType.Int(32, true));
      case INT64 -> leaf(name, nullable, new ArrowType.Int(64, true));
      case FLOAT ->
          leaf(name, nullable, new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE));
      case DOUBLE ->
          leaf(name, nullable, new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE));
      case BOOLEAN -> leaf(name, nullable, ArrowType.Bool.INSTANCE);
      case STRING -> leaf(name, nullable, ArrowType.Utf8.INSTANCE);
      case BYTES -> leaf(name, nullable, ArrowType.Binary.INSTANCE);
      case DATETIME -> leaf(name, nullable, instant(TimeUnit.MILLISECOND));
      case DECIMAL -> leaf(name, nullable, decimal(path, options));
      case ARRAY, ITERABLE ->
          new Field(
              name,
              fieldType(nullable, ArrowType.List.INSTANCE),
              List.of(
                  field(ELEMENT, type.getCollectionElementType(), path + "." + ELEMENT, options)));
      case MAP -> map(name, type, path, options);
      case ROW ->
          new Field(
              name,
              fieldType(nullable, ArrowType.Struct.INSTANCE),
              ArrowSchemas.fields(type.getRowSchema(), path));
      case LOGICAL_TYPE -> logical(name, type, path, options);
    };
  }

  private static Field map(String name, FieldType type, String path, Schema.Options options) {
    Field key =
        field(
            MapVector.KEY_NAME,
            type.getMapKeyType().withNullable(false),
            path + "." + MapVector.KEY_NAME,
            options);
    Field value =
        field(
            MapVector.VALUE_NAME,
            type.getMapValueType(),
            path + "." + MapVector.VALUE_NAME,
            options);
    Field entries =
        new Field(
            MapVector.DATA_VECTOR_NAME,
            fieldType(false, ArrowType.Struct.INSTANCE),
            List.of(key, value));
    return new Field(
        name, fieldType(type.getNullable(), new ArrowType.Map(false)), List.of(entries));
  }

  private static Field logical(String name, FieldType type, String path, Schema.Options options) {
    LogicalType<?, ?> logical = type.getLogicalType();
    boolean nullable = type.getNullable();
    if (logical instanceof FixedPrecisionNumeric) {
      return leaf(name, nullable, decimal(path, logical));
    } else if (logical instanceof Date) {
      return leaf(name, nullable, new ArrowType.Date(DateUnit.DAY));
    } else if (logical instanceof Time) {
      return leaf(name, nullable, new ArrowType.Time(TimeUnit.MICROSECOND, 64));
    } else if (logical instanceof DateTime) {
      return leaf(name, nullable, new ArrowType.Timestamp(TimeUnit.MICROSECOND, null));
    } else if (logical instanceof MicrosInstant) {
      return leaf(name, nullable, instant(TimeUnit.MICROSECOND));
    } else if (logical instanceof NanosInstant) {
      return leaf(name, nullable, instant(TimeUnit.NANOSECOND));
    } else if (logical instanceof Timestamp timestamp) {
      return leaf(name, nullable, instant(unit(timestamp.getArgument())));
    } else if (logical instanceof UuidLogicalType) {
      return leaf(name, nullable, new ArrowType.FixedSizeBinary(UUID_BYTES));
    } else if (logical instanceof EnumerationType) {
      return leaf(name, nullable, ArrowType.Utf8.INSTANCE);
    } else if (logical instanceof FixedBytes bytes) {
      return leaf(name, nullable, new ArrowType.FixedSizeBinary(bytes.getLength()));
    } else if (logical instanceof VariableBytes) {
      return leaf(name, nullable, ArrowType.Binary.INSTANCE);
    }
    return field(name, logical.getBaseType().withNullable(nullable), path, options);
  }

  private static Field leaf(String name, boolean nullable, ArrowType type) {
    return new Field(name, fieldType(nullable, type), ImmutableList.of());
  }

  private static org.apache.arrow.vector.types.pojo.FieldType fieldType(
      boolean nullable, ArrowType type) {
    return new org.apache.arrow.vector.types.pojo.FieldType(nullable, type, null);
  }

  private static ArrowType instant(TimeUnit unit) {
    return new ArrowType.Timestamp(unit, UTC);
  }

  /** The unit that holds so many digits of a second. */
  private static TimeUnit unit(int digits) {
    if (digits == 0) {
      return TimeUnit.SECOND;
    }
    return digits <= 3
        ? TimeUnit.MILLISECOND
        : digits <= 6 ? TimeUnit.MICROSECOND : TimeUnit.NANOSECOND;
  }

  private static ArrowType decimal(String path, LogicalType<?, ?> type) {
    Row argument = (Row) type.getArgument();
    Integer precision = argument.getInt32("precision");
    Integer scale = argument.getInt32("scale");
    return precision == null || scale == null ? undeclared(path) : decimal(path, precision, scale);
  }

  private static ArrowType decimal(String path, Schema.Options options) {
    boolean declared =
        options.hasOption(ArrowSchemas.PRECISION_OPTION)
            && options.hasOption(ArrowSchemas.SCALE_OPTION);
    Integer precision = declared ? options.getValue(ArrowSchemas.PRECISION_OPTION) : null;
    Integer scale = declared ? options.getValue(ArrowSchemas.SCALE_OPTION) : null;
    return precision == null || scale == null ? undeclared(path) : decimal(path, precision, scale);
  }

  private static ArrowType undeclared(String path) {
    throw new IllegalArgumentException(
        String.format(
            "Cannot map column %s: DECIMAL has no precision and scale of its own. Declare it as"
                + " FixedPrecisionNumeric.of(precision, scale), or give the field the options %s"
                + " and %s",
            path, ArrowSchemas.PRECISION_OPTION, ArrowSchemas.SCALE_OPTION));
  }

  private static ArrowType decimal(String path, int precision, int scale) {
    if (precision < 1 || precision > MAX_PRECISION || scale < 0 || scale > precision) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot map column %s: precision %d and scale %d (must be from 1 to %d, and from 0 to"
                  + " the precision). Declare others",
              path, precision, scale, MAX_PRECISION));
    }
    return new ArrowType.Decimal(precision, scale, precision <= MAX_PRECISION_128 ? 128 : 256);
  }

  static String child(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }
}
