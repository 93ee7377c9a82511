package dev.tidemark.upsert;

import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.Schema.LogicalType;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Which types upsert keys may have, and what is special about numbers in them. */
final class UpsertKeyTypes {
  /** For error messages. */
  static final String ACCEPTED =
      "BYTE, INT16, INT32, INT64, FLOAT, DOUBLE, DECIMAL, BOOLEAN, STRING, BYTES, DATETIME, ARRAY"
          + " and ITERABLE without MAP, ROW without MAP, FLOAT and DOUBLE, or logical types of these";

  private enum Place {
    COLUMN,
    ROW,
    ARRAY
  }

  private UpsertKeyTypes() {}

  /** Whether values of a type are floating-point numbers. */
  static boolean isFloat(FieldType type) {
    return switch (type.getTypeName()) {
      case FLOAT, DOUBLE -> true;
      case LOGICAL_TYPE -> isFloat(type.getLogicalType().getBaseType());
      default -> false;
    };
  }

  /** Whether a value of a type is not a number. */
  static boolean isNaN(FieldType type, Object value) {
    return switch (type.getTypeName()) {
      case FLOAT -> Float.isNaN((Float) value);
      case DOUBLE -> Double.isNaN((Double) value);
      case LOGICAL_TYPE -> isFloat(type) && isNaN(type.getLogicalType(), value);
      default -> false;
    };
  }

  @SuppressWarnings("unchecked") // The values of a row are of the types its schema says.
  private static boolean isNaN(LogicalType<?, ?> type, Object value) {
    return isNaN(type.getBaseType(), ((LogicalType<Object, Object>) type).toBaseType(value));
  }

  /** Why a column of this type cannot be part of an upsert key; null if it can. */
  static @Nullable String refusal(FieldType type) {
    return refusal(type, Place.COLUMN);
  }

  private static @Nullable String refusal(FieldType type, Place place) {
    return switch (type.getTypeName()) {
      case MAP -> "maps are compared by reference, by numbers or by bytes, depending on strategy";
      case FLOAT, DOUBLE ->
          place == Place.ROW
              ? type.getTypeName()
                  + " in a row is compared by number or by bits, depending on strategy"
              : null;
      // Arrays are compared by their bytes, so numbers in them are not special.
      case ARRAY, ITERABLE -> refusal(type.getCollectionElementType(), Place.ARRAY);
      case ROW -> {
        for (Schema.Field field : type.getRowSchema().getFields()) {
          String reason = refusal(field.getType(), place == Place.ARRAY ? place : Place.ROW);
          if (reason != null) {
            yield reason;
          }
        }
        yield null;
      }
      case LOGICAL_TYPE -> refusal(type.getLogicalType().getBaseType(), place);
      default -> null;
    };
  }
}
