package dev.tidemark.datafile;

import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.Schema.LogicalType;
import org.apache.beam.sdk.schemas.logicaltypes.Date;
import org.apache.beam.sdk.schemas.logicaltypes.DateTime;
import org.apache.beam.sdk.schemas.logicaltypes.EnumerationType;
import org.apache.beam.sdk.schemas.logicaltypes.FixedBytes;
import org.apache.beam.sdk.schemas.logicaltypes.FixedPrecisionNumeric;
import org.apache.beam.sdk.schemas.logicaltypes.MicrosInstant;
import org.apache.beam.sdk.schemas.logicaltypes.NanosInstant;
import org.apache.beam.sdk.schemas.logicaltypes.PassThroughLogicalType;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.schemas.logicaltypes.Time;
import org.apache.beam.sdk.schemas.logicaltypes.Timestamp;
import org.apache.beam.sdk.schemas.logicaltypes.UuidLogicalType;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The table of value types, in both directions; see the package documentation. */
final class ValueTypes {
  private static final int MICROS_PRECISION = 6;

  private ValueTypes() {}

  /** How values of {@code source} are written to {@code target}; null when they cannot be. */
  static @Nullable ValueKind kind(FieldType source, Type target) {
    ValueKind kind = kind(source);
    if (kind == null) {
      return null;
    }
    switch (target.typeId()) {
      case BOOLEAN:
        return only(kind, ValueKind.BOOLEAN);
      case INTEGER:
        return only(kind, ValueKind.BYTE, ValueKind.SHORT, ValueKind.INT);
      case LONG:
        return only(kind, ValueKind.BYTE, ValueKind.SHORT, ValueKind.INT, ValueKind.LONG);
      case FLOAT:
        return only(kind, ValueKind.FLOAT);
      case DOUBLE:
        return kind == ValueKind.FLOAT ? ValueKind.FLOAT_TO_DOUBLE : only(kind, ValueKind.DOUBLE);
      case DECIMAL:
        return only(kind, ValueKind.DECIMAL);
      case DATE:
        return only(kind, ValueKind.DATE);
      case TIME:
        return only(kind, ValueKind.TIME);
      case TIMESTAMP:
        return timestamp(kind, ((Types.TimestampType) target).shouldAdjustToUTC());
      case TIMESTAMP_NANO:
        return timestamp(kind, ((Types.TimestampNanoType) target).shouldAdjustToUTC());
      case STRING:
        return only(kind, ValueKind.STRING, ValueKind.ENUM_NAME);
      case UUID:
        return only(kind, ValueKind.UUID);
      case FIXED:
        return fits(source, (Types.FixedType) target) ? only(kind, ValueKind.BYTES) : null;
      case BINARY:
        return only(kind, ValueKind.BYTES);
      default:
        return null;
    }
  }

  private static @Nullable ValueKind only(ValueKind kind, ValueKind... accepted) {
    for (ValueKind candidate : accepted) {
      if (candidate == kind) {
        return kind;
      }
    }
    return null;
  }

  private static @Nullable ValueKind timestamp(ValueKind kind, boolean zoned) {
    return zoned
        ? only(kind, ValueKind.INSTANT, ValueKind.JODA_INSTANT)
        : only(kind, ValueKind.LOCAL_DATE_TIME);
  }

  private static boolean fits(FieldType source, Types.FixedType target) {
    return !source.getTypeName().isLogicalType()
        || !(source.getLogicalType() instanceof FixedBytes)
        || ((FixedBytes) source.getLogicalType()).getLength() == target.length();
  }

  private static @Nullable ValueKind kind(FieldType source) {
    switch (source.getTypeName()) {
      case BOOLEAN:
        return ValueKind.BOOLEAN;
      case BYTE:
        return ValueKind.BYTE;
      case INT16:
        return ValueKind.SHORT;
      case INT32:
        return ValueKind.INT;
      case INT64:
        return ValueKind.LONG;
      case FLOAT:
        return ValueKind.FLOAT;
      case DOUBLE:
        return ValueKind.DOUBLE;
      case DECIMAL:
        return ValueKind.DECIMAL;
      case DATETIME:
        return ValueKind.JODA_INSTANT;
      case STRING:
        return ValueKind.STRING;
      case BYTES:
        return ValueKind.BYTES;
      case LOGICAL_TYPE:
        return kind(source.getLogicalType());
      default:
        return null;
    }
  }

  private static @Nullable ValueKind kind(LogicalType<?, ?> type) {
    if (type instanceof Date) {
      return ValueKind.DATE;
    } else if (type instanceof Time) {
      return ValueKind.TIME;
    } else if (type instanceof DateTime) {
      return ValueKind.LOCAL_DATE_TIME;
    } else if (type instanceof MicrosInstant
        || type instanceof NanosInstant
        || type instanceof Timestamp) {
      return ValueKind.INSTANT;
    } else if (type instanceof UuidLogicalType) {
      return ValueKind.UUID;
    } else if (type instanceof EnumerationType) {
      return ValueKind.ENUM_NAME;
    } else if (type instanceof PassThroughLogicalType) {
      FieldType base = type.getBaseType();
      return base.getTypeName().isLogicalType() ? null : kind(base);
    }
    return null;
  }

  /**
   * The column type made for a field, or null for nested ones.
   *
   * @throws IllegalArgumentException for a type that no column can hold, or not without knowing
   *     more
   */
  static @Nullable Type toIceberg(String path, FieldType source) {
    ValueKind kind = kind(source);
    if (kind == null) {
      if (source.getTypeName().isLogicalType()) {
        throw new IllegalArgumentException(
            String.format(
                "Cannot map field %s: logical type %s has no column type. Convert the field to its"
                    + " base type or to one of the types that the package documentation lists.",
                path, source.getLogicalType().getIdentifier()));
      }
      return null;
    }
    switch (kind) {
      case BOOLEAN:
        return Types.BooleanType.get();
      case BYTE:
      case SHORT:
      case INT:
        return Types.IntegerType.get();
      case LONG:
        return Types.LongType.get();
      case FLOAT:
        return Types.FloatType.get();
      case DOUBLE:
        return Types.DoubleType.get();
      case DECIMAL:
        return decimal(path, source);
      case DATE:
        return Types.DateType.get();
      case TIME:
        return Types.TimeType.get();
      case LOCAL_DATE_TIME:
        return Types.TimestampType.withoutZone();
      case INSTANT:
        return isNanos(source.getLogicalType())
            ? Types.TimestampNanoType.withZone()
            : Types.TimestampType.withZone();
      case JODA_INSTANT:
        return Types.TimestampType.withZone();
      case STRING:
      case ENUM_NAME:
        return Types.StringType.get();
      case BYTES:
        return source.getTypeName().isLogicalType() && source.getLogicalType() instanceof FixedBytes
            ? Types.FixedType.ofLength(((FixedBytes) source.getLogicalType()).getLength())
            : Types.BinaryType.get();
      case UUID:
        return Types.UUIDType.get();
      default:
        throw new AssertionError(kind);
    }
  }

  private static boolean isNanos(LogicalType<?, ?> type) {
    return type instanceof NanosInstant
        || (type instanceof Timestamp && ((Timestamp) type).getArgument() > MICROS_PRECISION);
  }

  private static Type decimal(String path, FieldType source) {
    if (source.getTypeName().isLogicalType()
        && source.getLogicalType() instanceof FixedPrecisionNumeric) {
      Row argument = source.getLogicalType().getArgument();
      Integer precision = argument.getInt32("precision");
      Integer scale = argument.getInt32("scale");
      if (precision != null
          && scale != null
          && precision >= 1
          && precision <= 38
          && scale >= 0
          && scale <= precision) {
        return Types.DecimalType.of(precision, scale);
      }
    }
    throw new IllegalArgumentException(
        String.format(
            "Cannot map field %s: DECIMAL has no precision and scale of its own. Declare it as"
                + " FixedPrecisionNumeric.of(precision, scale) with a precision from 1 to 38, or"
                + " create the table with the column's type: any decimal column takes DECIMAL.",
            path));
  }

  /** The field type of rows read from a primitive column, or null for a type that is refused. */
  static @Nullable FieldType toBeam(Type type) {
    switch (type.typeId()) {
      case BOOLEAN:
        return FieldType.BOOLEAN;
      case INTEGER:
        return FieldType.INT32;
      case LONG:
        return FieldType.INT64;
      case FLOAT:
        return FieldType.FLOAT;
      case DOUBLE:
        return FieldType.DOUBLE;
      case DECIMAL:
        Types.DecimalType decimal = (Types.DecimalType) type;
        return FieldType.logicalType(
            FixedPrecisionNumeric.of(decimal.precision(), decimal.scale()));
      case DATE:
        return FieldType.logicalType(SqlTypes.DATE);
      case TIME:
        return FieldType.logicalType(SqlTypes.TIME);
      case TIMESTAMP:
        return ((Types.TimestampType) type).shouldAdjustToUTC()
            ? FieldType.logicalType(SqlTypes.TIMESTAMP)
            : FieldType.logicalType(SqlTypes.DATETIME);
      case TIMESTAMP_NANO:
        return ((Types.TimestampNanoType) type).shouldAdjustToUTC()
            ? FieldType.logicalType(new NanosInstant())
            : FieldType.logicalType(SqlTypes.DATETIME);
      case STRING:
        return FieldType.STRING;
      case UUID:
        return FieldType.logicalType(SqlTypes.UUID);
      case FIXED:
        return FieldType.logicalType(FixedBytes.of(((Types.FixedType) type).length()));
      case BINARY:
        return FieldType.BYTES;
      default:
        return null;
    }
  }

  /** Says in a message which field types a column takes. */
  static String accepted(Type type) {
    switch (type.typeId()) {
      case INTEGER:
        return "BYTE, INT16 or INT32";
      case LONG:
        return "BYTE, INT16, INT32 or INT64";
      case DOUBLE:
        return "FLOAT or DOUBLE";
      case DECIMAL:
        return "DECIMAL or FixedPrecisionNumeric";
      case TIMESTAMP:
        return zoned(((Types.TimestampType) type).shouldAdjustToUTC());
      case TIMESTAMP_NANO:
        return zoned(((Types.TimestampNanoType) type).shouldAdjustToUTC());
      case STRING:
        return "STRING, FixedString, VariableString or EnumerationType";
      case FIXED:
        return "BYTES, VariableBytes or FixedBytes of the same length";
      case BINARY:
        return "BYTES, VariableBytes or FixedBytes";
      case DATE:
      case TIME:
      case UUID:
        return "SqlTypes." + type.typeId().name();
      case STRUCT:
        return "ROW";
      case LIST:
        return "ARRAY or ITERABLE";
      case MAP:
        return "MAP";
      default:
        return type.typeId().name();
    }
  }

  private static String zoned(boolean zoned) {
    return zoned
        ? "an instant (SqlTypes.TIMESTAMP, Timestamp, NanosInstant or DATETIME)"
        : "a time without zone (SqlTypes.DATETIME)";
  }

  /** Says in a message what a field holds. */
  static String describe(FieldType type) {
    return type.getTypeName().isLogicalType()
        ? "logical type " + type.getLogicalType().getIdentifier()
        : type.getTypeName().name();
  }
}
