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
    return switch (target.typeId()) {
      case BOOLEAN -> only(kind, ValueKind.BOOLEAN);
      case INTEGER -> only(kind, ValueKind.BYTE, ValueKind.SHORT, ValueKind.INT);
      case LONG -> only(kind, ValueKind.BYTE, ValueKind.SHORT, ValueKind.INT, ValueKind.LONG);
      case FLOAT -> only(kind, ValueKind.FLOAT);
      case DOUBLE ->
          kind == ValueKind.FLOAT ? ValueKind.FLOAT_TO_DOUBLE : only(kind, ValueKind.DOUBLE);
      case DECIMAL -> only(kind, ValueKind.DECIMAL);
      case DATE -> only(kind, ValueKind.DATE);
      case TIME -> only(kind, ValueKind.TIME);
      case TIMESTAMP -> timestamp(kind, ((Types.TimestampType) target).shouldAdjustToUTC());
      case TIMESTAMP_NANO ->
          timestamp(kind, ((Types.TimestampNanoType) target).shouldAdjustToUTC());
      case STRING -> only(kind, ValueKind.STRING, ValueKind.ENUM_NAME);
      case UUID -> only(kind, ValueKind.UUID);
      case FIXED -> fits(source, (Types.FixedType) target) ? only(kind, ValueKind.BYTES) : null;
      case BINARY -> only(kind, ValueKind.BYTES);
      default -> null;
    };
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
        || !(source.getLogicalType() instanceof FixedBytes bytes)
        || bytes.getLength() == target.length();
  }

  private static @Nullable ValueKind kind(FieldType source) {
    return switch (source.getTypeName()) {
      case BOOLEAN -> ValueKind.BOOLEAN;
      case BYTE -> ValueKind.BYTE;
      case INT16 -> ValueKind.SHORT;
      case INT32 -> ValueKind.INT;
      case INT64 -> ValueKind.LONG;
      case FLOAT -> ValueKind.FLOAT;
      case DOUBLE -> ValueKind.DOUBLE;
      case DECIMAL -> ValueKind.DECIMAL;
      case DATETIME -> ValueKind.JODA_INSTANT;
      case STRING -> ValueKind.STRING;
      case BYTES -> ValueKind.BYTES;
      case LOGICAL_TYPE -> kind(source.getLogicalType());
      default -> null;
    };
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
    return switch (kind) {
      case BOOLEAN -> Types.BooleanType.get();
      case BYTE, SHORT, INT -> Types.IntegerType.get();
      case LONG -> Types.LongType.get();
      case FLOAT -> Types.FloatType.get();
      case DOUBLE -> Types.DoubleType.get();
      case DECIMAL -> decimal(path, source);
      case DATE -> Types.DateType.get();
      case TIME -> Types.TimeType.get();
      case LOCAL_DATE_TIME -> Types.TimestampType.withoutZone();
      case INSTANT ->
          isNanos(source.getLogicalType())
              ? Types.TimestampNanoType.withZone()
              : Types.TimestampType.withZone();
      case JODA_INSTANT -> Types.TimestampType.withZone();
      case STRING, ENUM_NAME -> Types.StringType.get();
      case BYTES ->
          source.getTypeName().isLogicalType()
                  && source.getLogicalType() instanceof FixedBytes bytes
              ? Types.FixedType.ofLength(bytes.getLength())
              : Types.BinaryType.get();
      case UUID -> Types.UUIDType.get();
      default -> throw new AssertionError(kind);
    };
  }

  private static boolean isNanos(LogicalType<?, ?> type) {
    return type instanceof NanosInstant
        || (type instanceof Timestamp timestamp && timestamp.getArgument() > MICROS_PRECISION);
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
    return switch (type.typeId()) {
      case BOOLEAN -> FieldType.BOOLEAN;
      case INTEGER -> FieldType.INT32;
      case LONG -> FieldType.INT64;
      case FLOAT -> FieldType.FLOAT;
      case DOUBLE -> FieldType.DOUBLE;
      case DECIMAL -> {
        Types.DecimalType decimal = (Types.DecimalType) type;
        yield FieldType.logicalType(FixedPrecisionNumeric.of(decimal.precision(), decimal.scale()));
      }
      case DATE -> FieldType.logicalType(SqlTypes.DATE);
      case TIME -> FieldType.logicalType(SqlTypes.TIME);
      case TIMESTAMP ->
          ((Types.TimestampType) type).shouldAdjustToUTC()
              ? FieldType.logicalType(SqlTypes.TIMESTAMP)
              : FieldType.logicalType(SqlTypes.DATETIME);
      case TIMESTAMP_NANO ->
          ((Types.TimestampNanoType) type).shouldAdjustToUTC()
              ? FieldType.logicalType(new NanosInstant())
              : FieldType.logicalType(SqlTypes.DATETIME);
      case STRING -> FieldType.STRING;
      case UUID -> FieldType.logicalType(SqlTypes.UUID);
      case FIXED -> FieldType.logicalType(FixedBytes.of(((Types.FixedType) type).length()));
      case BINARY -> FieldType.BYTES;
      default -> null;
    };
  }

  /** Says in a message which field types a column takes. */
  static String accepted(Type type) {
    return switch (type.typeId()) {
      case INTEGER -> "BYTE, INT16 or INT32";
      case LONG -> "BYTE, INT16, INT32 or INT64";
      case DOUBLE -> "FLOAT or DOUBLE";
      case DECIMAL -> "DECIMAL or FixedPrecisionNumeric";
      case TIMESTAMP -> zoned(((Types.TimestampType) type).shouldAdjustToUTC());
      case TIMESTAMP_NANO -> zoned(((Types.TimestampNanoType) type).shouldAdjustToUTC());
      case STRING -> "STRING, FixedString, VariableString or EnumerationType";
      case FIXED -> "BYTES, VariableBytes or FixedBytes of the same length";
      case BINARY -> "BYTES, VariableBytes or FixedBytes";
      case DATE, TIME, UUID -> "SqlTypes." + type.typeId().name();
      case STRUCT -> "ROW";
      case LIST -> "ARRAY or ITERABLE";
      case MAP -> "MAP";
      default -> type.typeId().name();
    };
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
