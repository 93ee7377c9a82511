package dev.tidemark.examples.yaml;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Makes rows of YAML. Unlike Beam's {@code YamlUtils} it refuses fields that the schema lacks, and
 * reads what is within maps.
 */
final class ConfigRows {
  /** Where Beam YAML takes a text for the expression of a function. */
  private static final String EXPRESSION = "expression";

  private ConfigRows() {}

  /**
   * A mapping as a row of a schema.
   *
   * @param path what it is, for messages
   * @throws IllegalArgumentException if it does not fit, naming the field
   */
  static Row row(String path, Schema schema, Map<String, Object> yaml) {
    for (String field : yaml.keySet()) {
      checkArgument(
          schema.hasField(field),
          "Invalid config of %s: there is no field %s. The fields are %s",
          path,
          field,
          schema.getFieldNames());
    }
    Row.Builder row = Row.withSchema(schema);
    for (Schema.Field field : schema.getFields()) {
      row.addValue(
          value(path + ", " + field.getName(), field.getType(), yaml.get(field.getName())));
    }
    return row.build();
  }

  private static @Nullable Object value(String path, FieldType type, @Nullable Object yaml) {
    if (yaml == null) {
      checkArgument(type.getNullable(), "Invalid config of %s: it is missing", path);
      return null;
    }
    return switch (type.getTypeName()) {
      case ROW -> inner(path, type.getRowSchema(), yaml);
      case ARRAY, ITERABLE -> list(path, type.getCollectionElementType(), yaml);
      case MAP -> map(path, type.getMapValueType(), yaml);
      default -> scalar(path, type, yaml);
    };
  }

  private static Row inner(String path, @Nullable Schema schema, Object yaml) {
    return !(yaml instanceof Map) && schema.hasField(EXPRESSION)
        ? row(path, schema, Map.of(EXPRESSION, yaml.toString()))
        : row(path, schema, YamlDocument.map(path, yaml));
  }

  private static List<Object> list(String path, @Nullable FieldType element, Object yaml) {
    checkArgument(yaml instanceof List, "Invalid config of %s: it must be a list", path);
    List<Object> list = new ArrayList<>();
    for (Object each : (List<?>) yaml) {
      list.add(value(path, element, each));
    }
    return list;
  }

  private static Map<String, Object> map(String path, @Nullable FieldType type, Object yaml) {
    Map<String, Object> map = new LinkedHashMap<>();
    YamlDocument.map(path, yaml)
        .forEach((key, each) -> map.put(key, value(path + "." + key, type, each)));
    return map;
  }

  private static Object scalar(String path, FieldType type, Object yaml) {
    String text = yaml.toString();
    checkArgument(
        !(yaml instanceof List) && !(yaml instanceof Map),
        "Invalid config of %s: it must be a %s",
        path,
        type.getTypeName());
    try {
      return switch (type.getTypeName()) {
        case STRING -> text;
        case INT16 -> Short.valueOf(text);
        case INT32 -> Integer.valueOf(text);
        case INT64 -> Long.valueOf(text);
        case FLOAT -> Float.valueOf(text);
        case DOUBLE -> Double.valueOf(text);
        case BOOLEAN -> {
          checkArgument(yaml instanceof Boolean, "%s", text);
          yield yaml;
        }
        default -> throw new IllegalArgumentException(text);
      };
    } catch (IllegalArgumentException e) {
      // Not the cause and not the value, which might be a secret in the wrong place.
      throw new IllegalArgumentException(
          String.format("Invalid config of %s: it must be a %s", path, type.getTypeName()));
    }
  }
}
