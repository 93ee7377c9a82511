package dev.tidemark.arrow;

import java.util.List;
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
import org.checkerframework.checker.nullness.qual.Nullable;

/** Decides how values of a column are read as those of a field. */
final class Readers {
  private static final int MILLI_DIGITS = 3;
  private static final int MICRO_DIGITS = 6;
  private static final int NANO_DIGITS = 9;

  private Readers() {}

  /**
   * The reader.
   *
   * @throws IllegalArgumentException if the field cannot hold all values of the column
   */
  static ValueReader of(FieldType type, Field field, String path) {
    ValueReader reader = field.getDictionary() != null ? null : find(type, field, path);
    if (reader == null) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot read column %s: it has %s, and rows are to have %s there. Read it as the type"
                  + " of ArrowSchemas.toBeam, or cast the column",
              path, Appenders.describe(field), Appenders.describe(type)));
    }
    return reader;
  }

  /** The readers of the fields of a schema, from columns of the same names. */
  static ValueReader[] of(Schema schema, List<Field> columns, String path) {
    ValueReader[] readers = new ValueReader[schema.getFieldCount()];
    for (int i = 0; i < readers.length; i++) {
      Schema.Field field = schema.getField(i);
      String fieldPath = ArrowTypes.child(path, field.getName());
      Field column =
          columns.stream()
              .filter(each -> each.getName().equals(field.getName()))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          String.format(
                              "Cannot read column %s: there is none of this name, but %s. Leave the"
                                  + " field out, or add the column",
                              fieldPath, columns.stream().map(Field::getName).toList())));
      readers[i] = of(field.getType(), column, fieldPath);
    }
    return readers;
  }

  private static @Nullable ValueReader find(FieldType type, Field field, String path) {
    ArrowType arrow = field.getType();
    return switch (type.getTypeName()) {
      case BYTE -> isInt(arrow, 8) ? new ScalarReaders.Int8() : null;
      case INT16 -> isInt(arrow, 16) ? new ScalarReaders.Int16() : null;
      case INT32 -> isInt(arrow, 32) ? new ScalarReaders.Int32() : null;
      case INT64 -> isInt(arrow, 64) ? new ScalarReaders.Int64() : null;
      case FLOAT ->
          isFloat(arrow, FloatingPointPrecision.SINGLE) ? new ScalarReaders.Float32() : null;
      case DOUBLE ->
          isFloat(arrow, FloatingPointPrecision.DOUBLE) ? new ScalarReaders.Float64() : null;
      case DECIMAL -> decimal(arrow);
      case BOOLEAN -> arrow instanceof ArrowType.Bool ? new ScalarReaders.Bool() : null;
      case STRING -> arrow instanceof ArrowType.Utf8 ? new ScalarReaders.Text(text -> text) : null;
      case BYTES -> bytes(arrow);
      case DATETIME -> {
        TimeUnit unit = instantUnit(arrow, MILLI_DIGITS);
        yield unit == null ? null : new TimeReaders.JodaInstants(unit);
      }
      case ARRAY, ITERABLE ->
          arrow instanceof ArrowType.List
              ? new NestedReaders.Lists(
                  of(
                      type.getCollectionElementType(),
                      field.getChildren().get(0),
                      ArrowTypes.child(path, ArrowTypes.ELEMENT)))
              : null;
      case MAP -> map(type, field, path);
      case ROW ->
          arrow instanceof ArrowType.Struct
              ? new NestedReaders.Rows(
                  type.getRowSchema(), of(type.getRowSchema(), field.getChildren(), path))
              : null;
      case LOGICAL_TYPE -> logical(type.getLogicalType(), field, path);
    };
  }

  private static boolean isInt(ArrowType arrow, int width) {
    return arrow instanceof ArrowType.Int type && type.getIsSigned() && type.getBitWidth() == width;
  }

  private static boolean isFloat(ArrowType arrow, FloatingPointPrecision precision) {
    return arrow instanceof ArrowType.FloatingPoint type && type.getPrecision() == precision;
  }

  private static @Nullable ValueReader decimal(ArrowType arrow) {
    if (!(arrow instanceof ArrowType.Decimal type)) {
      return null;
    }
    return switch (type.getBitWidth()) {
      case 128 -> new ScalarReaders.Decimal();
      case 256 -> new ScalarReaders.WideDecimal();
      default -> null;
    };
  }

  private static @Nullable ValueReader bytes(ArrowType arrow) {
    if (arrow instanceof ArrowType.Binary) {
      return new ScalarReaders.Bytes();
    }
    return arrow instanceof ArrowType.FixedSizeBinary ? new ScalarReaders.FixedBytes() : null;
  }

  private static @Nullable ValueReader map(FieldType type, Field field, String path) {
    if (!(field.getType() instanceof ArrowType.Map)) {
      return null;
    }
    List<Field> entry = field.getChildren().get(0).getChildren();
    return new NestedReaders.Maps(
        of(type.getMapKeyType(), entry.get(0), ArrowTypes.child(path, "key")),
        of(type.getMapValueType(), entry.get(1), ArrowTypes.child(path, "value")));
  }

  private static @Nullable ValueReader logical(LogicalType<?, ?> type, Field field, String path) {
    ArrowType arrow = field.getType();
    if (type instanceof FixedPrecisionNumeric) {
      return decimal(arrow);
    } else if (type instanceof Date) {
      return arrow instanceof ArrowType.Date date && date.getUnit() == DateUnit.DAY
          ? new TimeReaders.DateDays()
          : null;
    } else if (type instanceof Time) {
      return arrow instanceof ArrowType.Time time
          ? new TimeReaders.TimesOfDay(time.getUnit())
          : null;
    } else if (type instanceof DateTime) {
      return arrow instanceof ArrowType.Timestamp timestamp && timestamp.getTimezone() == null
          ? new TimeReaders.LocalDateTimes(timestamp.getUnit())
          : null;
    } else if (type instanceof MicrosInstant) {
      return instants(arrow, MICRO_DIGITS);
    } else if (type instanceof NanosInstant) {
      return instants(arrow, NANO_DIGITS);
    } else if (type instanceof Timestamp timestamp) {
      return instants(arrow, timestamp.getArgument());
    } else if (type instanceof UuidLogicalType) {
      return arrow instanceof ArrowType.FixedSizeBinary binary
              && binary.getByteWidth() == ArrowTypes.UUID_BYTES
          ? new ScalarReaders.Uuids()
          : null;
    } else if (type instanceof EnumerationType enumeration && arrow instanceof ArrowType.Utf8) {
      return new ScalarReaders.Text(enumeration::valueOf);
    } else if (type instanceof FixedBytes bytes) {
      return arrow instanceof ArrowType.FixedSizeBinary binary
              && binary.getByteWidth() == bytes.getLength()
          ? new ScalarReaders.FixedBytes()
          : null;
    }
    ValueReader base = find(type.getBaseType(), field, path);
    return base == null ? null : new NestedReaders.BaseValues(type, base);
  }

  private static @Nullable ValueReader instants(ArrowType arrow, int digits) {
    TimeUnit unit = instantUnit(arrow, digits);
    return unit == null ? null : new TimeReaders.Instants(unit);
  }

  /** The unit of a column of instants that have no more than so many digits of a second. */
  private static @Nullable TimeUnit instantUnit(ArrowType arrow, int digits) {
    if (!(arrow instanceof ArrowType.Timestamp type) || type.getTimezone() == null) {
      return null;
    }
    int needed =
        switch (type.getUnit()) {
          case SECOND -> 0;
          case MILLISECOND -> MILLI_DIGITS;
          case MICROSECOND -> MICRO_DIGITS;
          case NANOSECOND -> NANO_DIGITS;
        };
    // A type of say two digits has a column of three, which only its own values are written to.
    return needed - digits < MILLI_DIGITS ? type.getUnit() : null;
  }
}
