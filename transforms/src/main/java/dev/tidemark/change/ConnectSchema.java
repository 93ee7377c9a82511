package dev.tidemark.change;

import static com.google.common.base.Preconditions.checkArgument;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableMap;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.FixedPrecisionNumeric;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * The columns of a row as the {@code schema} half of a {@code {schema, payload}} envelope declares
 * them (the JSON converter of Kafka Connect, with Debezium's semantic types as names).
 */
final class ConnectSchema {
  private static final String DECIMAL = "org.apache.kafka.connect.data.Decimal";
  private static final String VARIABLE_DECIMAL = "io.debezium.data.VariableScaleDecimal";

  private final ImmutableMap<String, JsonNode> columns;
  private final ImmutableMap<String, Encoding> encodings;

  private ConnectSchema(
      ImmutableMap<String, JsonNode> columns, ImmutableMap<String, Encoding> encodings) {
    this.columns = columns;
    this.encodings = encodings;
  }

  /** The row's columns, from the schema of a key, of a flattened row, or of a full change event. */
  static ConnectSchema of(JsonNode schema) {
    JsonNode row = schema;
    if (field(schema, "op") != null && field(schema, "source") != null) {
      JsonNode after = field(schema, "after");
      row = after == null ? schema : after;
    }
    Map<String, JsonNode> columns = new LinkedHashMap<>();
    Map<String, Encoding> encodings = new LinkedHashMap<>();
    boolean flattened = field(schema, "__op") != null || field(schema, "__deleted") != null;
    for (JsonNode column : row.path("fields")) {
      String name = column.path("field").asText();
      if (!flattened || !EventReader.isMetadata(name)) {
        columns.put(name, column);
        encodings.put(name, encodingOf(column));
      }
    }
    return new ConnectSchema(ImmutableMap.copyOf(columns), ImmutableMap.copyOf(encodings));
  }

  /** Declarations by column, in order. */
  ImmutableMap<String, JsonNode> columns() {
    return columns;
  }

  /** How each column is written. */
  ImmutableMap<String, Encoding> encodings() {
    return encodings;
  }

  /** The Beam schema; see the package's mapping table. */
  Schema beamSchema() {
    Schema.Builder schema = Schema.builder();
    columns.forEach((name, column) -> schema.addField(name, beamType(name, column)));
    return schema.build();
  }

  private static FieldType beamType(String name, JsonNode column) {
    FieldType type = requiredType(name, column);
    return type.withNullable(column.path("optional").asBoolean());
  }

  private static FieldType requiredType(String name, JsonNode column) {
    return switch (column.path("name").asText()) {
      case DECIMAL -> decimal(column);
      case VARIABLE_DECIMAL -> FieldType.DECIMAL;
      case "io.debezium.time.ZonedTimestamp" -> FieldType.logicalType(SqlTypes.TIMESTAMP);
      case "io.debezium.time.Timestamp",
          "io.debezium.time.MicroTimestamp",
          "io.debezium.time.NanoTimestamp",
          "io.debezium.time.IsoTimestamp",
          "org.apache.kafka.connect.data.Timestamp" ->
          FieldType.logicalType(SqlTypes.DATETIME);
      case "io.debezium.time.Date",
          "io.debezium.time.IsoDate",
          "org.apache.kafka.connect.data.Date" ->
          FieldType.logicalType(SqlTypes.DATE);
      case "io.debezium.time.Time",
          "io.debezium.time.MicroTime",
          "io.debezium.time.NanoTime",
          "io.debezium.time.IsoTime",
          "io.debezium.time.ZonedTime",
          "org.apache.kafka.connect.data.Time" ->
          FieldType.logicalType(SqlTypes.TIME);
      case "io.debezium.data.Uuid" -> FieldType.logicalType(SqlTypes.UUID);
      default -> plainType(name, column);
    };
  }

  private static FieldType plainType(String name, JsonNode column) {
    String type = column.path("type").asText();
    return switch (type) {
      case "int8" -> FieldType.BYTE;
      case "int16" -> FieldType.INT16;
      case "int32" -> FieldType.INT32;
      case "int64" -> FieldType.INT64;
      case "float" -> FieldType.FLOAT;
      case "double" -> FieldType.DOUBLE;
      case "boolean" -> FieldType.BOOLEAN;
      case "string" -> FieldType.STRING;
      case "bytes" -> FieldType.BYTES;
      case "array" -> FieldType.array(beamType(name, column.path("items")));
      case "map" ->
          FieldType.map(beamType(name, column.path("keys")), beamType(name, column.path("values")));
      case "struct" -> FieldType.row(of(column).beamSchema());
      default ->
          throw new IllegalArgumentException(
              String.format(
                  "Cannot derive the type of column %s: unknown Connect type %s", name, type));
    };
  }

  private static FieldType decimal(JsonNode column) {
    JsonNode parameters = column.path("parameters");
    String precision = parameters.path("connect.decimal.precision").asText();
    // A number or digits in a string, by the version of the converter.
    return precision.isEmpty()
        ? FieldType.DECIMAL
        : FieldType.logicalType(FixedPrecisionNumeric.of(parseInt(precision), scale(column)));
  }

  private static int scale(JsonNode column) {
    return parseInt(column.path("parameters").path("scale").asText());
  }

  private static int parseInt(String digits) {
    checkArgument(
        digits.matches("-?\\d{1,6}"), "Cannot read Connect schema: bad decimal parameters");
    return Integer.parseInt(digits);
  }

  private static Encoding encodingOf(JsonNode column) {
    String name = column.path("name").asText();
    return switch (column.path("type").asText()) {
      case "array" -> encodingOf(column.path("items"));
      case "map" -> encodingOf(column.path("values"));
      case "struct" ->
          name.equals(VARIABLE_DECIMAL)
              ? Encoding.of(ChronoUnit.MICROS, false, null)
              : Encoding.ofStruct(of(column).encodings());
      // Base64 never hides behind the type string.
      case "string" -> Encoding.of(ChronoUnit.MICROS, true, null);
      default -> Encoding.of(unitOf(name), false, name.equals(DECIMAL) ? scale(column) : null);
    };
  }

  private static ChronoUnit unitOf(String semanticType) {
    String simple = semanticType.substring(semanticType.lastIndexOf('.') + 1);
    if (simple.startsWith("Nano")) {
      return ChronoUnit.NANOS;
    }
    return simple.equals("Timestamp") || simple.equals("Time")
        ? ChronoUnit.MILLIS
        : ChronoUnit.MICROS;
  }

  private static @Nullable JsonNode field(JsonNode struct, String name) {
    for (JsonNode field : struct.path("fields")) {
      if (name.equals(field.path("field").asText())) {
        return field;
      }
    }
    return null;
  }
}
