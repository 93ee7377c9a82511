package dev.tidemark.arrow;

import java.util.List;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
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
import org.checkerframework.checker.nullness.qual.Nullable;

/** Decides how values of a field are written to a column. */
final class Appenders {
  private Appenders() {}

  /**
   * The appender.
   *
   * @throws IllegalArgumentException if values of the type cannot be written to the column
   */
  static ValueAppender of(FieldType type, Field field, String path, AppendOptions options) {
    ValueAppender appender =
        field.getDictionary() != null ? null : find(type, field, path, options);
    if (appender == null) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot write column %s: rows have %s there, and the target takes %s. Convert the"
                  + " field, or change the target's type",
              path, describe(type), describe(field)));
    }
    return appender;
  }

  private static @Nullable ValueAppender find(
      FieldType type, Field field, String path, AppendOptions options) {
    return switch (type.getTypeName()) {
      case BYTE -> integer(8, field, path);
      case INT16 -> integer(16, field, path);
      case INT32 -> integer(32, field, path);
      case INT64 -> integer(64, field, path);
      case FLOAT ->
          isFloat(field, FloatingPointPrecision.SINGLE)
              ? new NumberAppenders.Float32(path, field)
              : float64(field, path);
      case DOUBLE -> float64(field, path);
      case DECIMAL -> decimal(field, path);
      case BOOLEAN ->
          field.getType() instanceof ArrowType.Bool ? new NumberAppenders.Bool(path, field) : null;
      case STRING ->
          field.getType() instanceof ArrowType.Utf8 ? new BytesAppenders.Text(path, field) : null;
      case BYTES -> bytes(field, path);
      case DATETIME -> {
        Long shift = instantShift(field, options);
        yield shift == null ? null : new TimeAppenders.JodaInstants(path, field, shift);
      }
      case ARRAY, ITERABLE -> {
        if (!(field.getType() instanceof ArrowType.List)) {
          yield null;
        }
        String elementPath = ArrowTypes.child(path, ArrowTypes.ELEMENT);
        yield new NestedAppenders.Lists(
            path,
            field,
            of(type.getCollectionElementType(), field.getChildren().get(0), elementPath, options));
      }
      case MAP -> map(type, field, path, options);
      case ROW ->
          field.getType() instanceof ArrowType.Struct
              ? rows(type.getRowSchema(), field, path, options)
              : null;
      case LOGICAL_TYPE -> logical(type.getLogicalType(), field, path, options);
    };
  }

  /** Signed integers of the same width or a larger one, and text. */
  private static @Nullable ValueAppender integer(int width, Field field, String path) {
    if (field.getType() instanceof ArrowType.Utf8) {
      return new BytesAppenders.IntegerText(path, field);
    }
    if (!(field.getType() instanceof ArrowType.Int type)
        || !type.getIsSigned()
        || type.getBitWidth() < width) {
      return null;
    }
    return switch (type.getBitWidth()) {
      case 8 -> new NumberAppenders.Int8(path, field);
      case 16 -> new NumberAppenders.Int16(path, field);
      case 32 -> new NumberAppenders.Int32(path, field);
      default -> new NumberAppenders.Int64(path, field);
    };
  }

  private static @Nullable ValueAppender float64(Field field, String path) {
    return isFloat(field, FloatingPointPrecision.DOUBLE)
        ? new NumberAppenders.Float64(path, field)
        : null;
  }

  private static boolean isFloat(Field field, FloatingPointPrecision precision) {
    return field.getType() instanceof ArrowType.FloatingPoint type
        && type.getPrecision() == precision;
  }

  private static @Nullable ValueAppender decimal(Field field, String path) {
    if (field.getType() instanceof ArrowType.Utf8) {
      return new BytesAppenders.IntegerText(path, field);
    }
    if (!(field.getType() instanceof ArrowType.Decimal type)) {
      return null;
    }
    return switch (type.getBitWidth()) {
      case 128 -> new NumberAppenders.Decimal(path, field);
      case 256 -> new NumberAppenders.WideDecimal(path, field);
      default -> null;
    };
  }

  private static @Nullable ValueAppender bytes(Field field, String path) {
    if (field.getType() instanceof ArrowType.Binary) {
      return new BytesAppenders.Bytes(path, field);
    }
    return field.getType() instanceof ArrowType.FixedSizeBinary
        ? new BytesAppenders.FixedBytes(path, field)
        : null;
  }

  private static @Nullable ValueAppender map(
      FieldType type, Field field, String path, AppendOptions options) {
    if (!(field.getType() instanceof ArrowType.Map)) {
      return null;
    }
    List<Field> entry = field.getChildren().get(0).getChildren();
    return new NestedAppenders.Maps(
        path,
        field,
        of(type.getMapKeyType(), entry.get(0), ArrowTypes.child(path, "key"), options),
        of(type.getMapValueType(), entry.get(1), ArrowTypes.child(path, "value"), options));
  }

  private static ValueAppender rows(
      Schema schema, Field field, String path, AppendOptions options) {
    List<Field> targets = field.getChildren();
    ValueAppender[] columns = new ValueAppender[targets.size()];
    int[] fields = new int[targets.size()];
    for (int i = 0; i < columns.length; i++) {
      Field target = targets.get(i);
      String targetPath = ArrowTypes.child(path, target.getName());
      if (!schema.hasField(target.getName())) {
        throw new IllegalArgumentException(
            String.format(
                "Cannot write column %s: rows have no field of this name, but %s. Add it, or rename"
                    + " one of theirs",
                targetPath, schema.getFieldNames()));
      }
      fields[i] = schema.indexOf(target.getName());
      columns[i] = of(schema.getField(fields[i]).getType(), target, targetPath, options);
    }
    return new NestedAppenders.Rows(path, field, columns, fields);
  }

  private static @Nullable ValueAppender logical(
      LogicalType<?, ?> type, Field field, String path, AppendOptions options) {
    if (type instanceof FixedPrecisionNumeric) {
      return decimal(field, path);
    } else if (type instanceof Date) {
      return field.getType() instanceof ArrowType.Date date && date.getUnit() == DateUnit.DAY
          ? new TimeAppenders.DateDays(path, field)
          : null;
    } else if (type instanceof Time) {
      return timeOfDay(field, path);
    } else if (type instanceof DateTime) {
      return field.getType() instanceof ArrowType.Timestamp timestamp
              && timestamp.getTimezone() == null
          ? new TimeAppenders.LocalDateTimes(path, field, options.localShiftMillis())
          : null;
    } else if (type instanceof MicrosInstant
        || type instanceof NanosInstant
        || type instanceof Timestamp) {
      Long shift = instantShift(field, options);
      return shift == null ? null : new TimeAppenders.Instants(path, field, shift);
    } else if (type instanceof UuidLogicalType) {
      return field.getType() instanceof ArrowType.FixedSizeBinary binary
              && binary.getByteWidth() == ArrowTypes.UUID_BYTES
          ? new BytesAppenders.Uuids(path, field)
          : null;
    } else if (type instanceof EnumerationType enumeration
        && field.getType() instanceof ArrowType.Utf8) {
      return new BytesAppenders.EnumNames(path, field, enumeration);
    } else if (type instanceof FixedBytes bytes
        && field.getType() instanceof ArrowType.FixedSizeBinary binary) {
      return bytes.getLength() == binary.getByteWidth()
          ? new BytesAppenders.FixedBytes(path, field)
          : null;
    }
    ValueAppender base = find(type.getBaseType(), field, path, options);
    return base == null ? null : new NestedAppenders.BaseValues(path, field, type, base);
  }

  private static @Nullable ValueAppender timeOfDay(Field field, String path) {
    if (!(field.getType() instanceof ArrowType.Time type)) {
      return null;
    }
    return switch (type.getUnit()) {
      case SECOND -> new TimeAppenders.TimeSeconds(path, field);
      case MILLISECOND -> new TimeAppenders.TimeMillis(path, field);
      case MICROSECOND -> new TimeAppenders.TimeMicros(path, field);
      case NANOSECOND -> new TimeAppenders.TimeNanos(path, field);
    };
  }

  /** What is added to instants in a column, in milliseconds; null if it does not take instants. */
  private static @Nullable Long instantShift(Field field, AppendOptions options) {
    if (!(field.getType() instanceof ArrowType.Timestamp type)) {
      return null;
    }
    if (type.getTimezone() != null) {
      return 0L;
    }
    return options.instantOffset() == null
        ? null
        : (Long) (options.instantOffset().getTotalSeconds() * 1_000L + options.localShiftMillis());
  }

  /** Says in a message what a field holds. */
  static String describe(FieldType type) {
    return type.getTypeName().isLogicalType()
        ? "logical type " + type.getLogicalType().getIdentifier()
        : type.getTypeName().name();
  }

  /** Says in a message what a column holds. */
  static String describe(Field field) {
    return field.getDictionary() == null
        ? field.getType().toString()
        : "a dictionary of " + field.getType();
  }
}
