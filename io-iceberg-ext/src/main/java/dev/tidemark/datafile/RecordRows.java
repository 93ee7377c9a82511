package dev.tidemark.datafile;

import com.google.common.base.Preconditions;
import java.nio.ByteBuffer;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.EnumerationType;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.util.ByteBuffers;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Instant;

/** Reads Iceberg's generic records, as its {@code data} module gives them, back as rows. */
public final class RecordRows {

  private RecordRows() {}

  /**
   * The row of {@code record} with the fields of {@code beam}, taken by name at every level. {@code
   * beam} is {@link RowSchemas#toBeam} of the record's schema or any other schema whose rows can be
   * written to it; columns it does not name are left out.
   *
   * @throws IllegalArgumentException when the record lacks a field, or has no value for one that is
   *     not nullable
   */
  public static Row toRow(Record record, Schema beam) {
    List<@Nullable Object> values = new ArrayList<>(beam.getFieldCount());
    for (Schema.Field field : beam.getFields()) {
      Preconditions.checkArgument(
          record.struct().field(field.getName()) != null,
          "Cannot read row: the record has no field %s. Select the column in the scan.",
          field.getName());
      values.add(value(record.getField(field.getName()), field.getType(), field.getName()));
    }
    return Row.withSchema(beam).attachValues(values);
  }

  private static @Nullable Object value(@Nullable Object value, FieldType type, String path) {
    if (value == null) {
      Preconditions.checkArgument(
          type.getNullable(),
          "Cannot read row: field %s is not nullable, but the record has no value for it.",
          path);
      return null;
    }
    switch (type.getTypeName()) {
      case ROW -> {
        return toRow((Record) value, type.getRowSchema());
      }
      case ARRAY, ITERABLE -> {
        List<@Nullable Object> list = new ArrayList<>();
        for (Object part : (Iterable<?>) value) {
          list.add(value(part, type.getCollectionElementType(), path));
        }
        return list;
      }
      case MAP -> {
        Map<Object, @Nullable Object> map = new LinkedHashMap<>();
        ((Map<?, ?>) value)
            .forEach(
                (key, part) ->
                    map.put(
                        value(key, type.getMapKeyType(), path),
                        value(part, type.getMapValueType(), path)));
        return map;
      }
      case BYTE -> {
        return ((Number) value).byteValue();
      }
      case INT16 -> {
        return ((Number) value).shortValue();
      }
      case FLOAT -> {
        return ((Number) value).floatValue();
      }
      case STRING -> {
        return value.toString();
      }
      case BYTES -> {
        return bytes(value);
      }
      case DATETIME -> {
        return Instant.ofEpochMilli(instant(value).toEpochMilli());
      }
      case LOGICAL_TYPE -> {
        return logical(value, type);
      }
      default -> {
        return number(value, type);
      }
    }
  }

  /** Integers written to a wider column come back as what they were. */
  private static Object number(Object value, FieldType type) {
    return switch (type.getTypeName()) {
      case INT32 -> ((Number) value).intValue();
      case INT64 -> ((Number) value).longValue();
      default -> value;
    };
  }

  private static Object logical(Object value, FieldType type) {
    if (type.getLogicalType() instanceof EnumerationType enumerationType) {
      return enumerationType.valueOf(value.toString());
    } else if (value instanceof OffsetDateTime) {
      return instant(value);
    } else if (value instanceof ByteBuffer || value instanceof byte[]) {
      return bytes(value);
    }
    return value;
  }

  private static java.time.Instant instant(Object value) {
    return ((OffsetDateTime) value).toInstant();
  }

  private static byte[] bytes(Object value) {
    return value instanceof byte[] array ? array : ByteBuffers.toByteArray((ByteBuffer) value);
  }
}
