package dev.tidemark.change;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableSet;
import com.google.common.io.BaseEncoding;
import dev.tidemark.change.DebeziumFixtures.Format;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;

/** What a table holds: folded from changes, and as the source itself reported it at the end. */
final class TableContents {
  private TableContents() {}

  /**
   * Rows by key after all changes in this order. A column that a change does not tell keeps its
   * value.
   */
  static Map<Object, Map<String, Object>> fold(
      Iterable<Change> changes, Comparator<Change> order, ImmutableSet<String> key) {
    List<Change> sorted = new ArrayList<>();
    changes.forEach(sorted::add);
    sorted.sort(order);
    Map<Object, Map<String, Object>> contents = new HashMap<>();
    for (Change change : sorted) {
      Map<String, Object> row = values(change.row());
      Object rowKey = key(row, key);
      Map<String, Object> held = contents.get(rowKey);
      if (change.kind() == ChangeKind.UPDATE_BEFORE) {
        if (!row.equals(held)) {
          throw new AssertionError("A before image is not what the changes before it gave");
        }
      } else if (change.kind() == ChangeKind.DELETE) {
        contents.remove(rowKey);
      } else {
        for (String column : change.unknownColumns()) {
          row.put(column, held.get(column));
        }
        contents.put(rowKey, row);
      }
    }
    return contents;
  }

  /** The source's own rows, as far as the form of the events can tell them. */
  static List<Map<String, Object>> truth(String table, Schema schema, Format format) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (JsonNode line : DebeziumFixtures.lines("final-" + table)) {
      Map<String, Object> row = new LinkedHashMap<>();
      for (Schema.Field field : schema.getFields()) {
        row.put(field.getName(), sqlValue(field, line.path(field.getName())));
      }
      if (format == Format.TEXT_AND_MILLIS && row.containsKey("placed")) {
        row.put("placed", ((LocalDateTime) row.get("placed")).truncatedTo(ChronoUnit.MILLIS));
      }
      rows.add(row);
    }
    return rows;
  }

  static Map<Object, Map<String, Object>> byKey(
      List<Map<String, Object>> rows, ImmutableSet<String> key) {
    Map<Object, Map<String, Object>> contents = new HashMap<>();
    rows.forEach(row -> contents.put(key(row, key), row));
    return contents;
  }

  /**
   * Values that compare by content: JSON documents as trees, and decimals of arbitrary scale
   * without trailing zeros, which Debezium itself drops from {@code {scale, value}} structs.
   */
  static Map<String, Object> values(Row row) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (Schema.Field field : row.getSchema().getFields()) {
      Object value = row.getValue(field.getName());
      if (value instanceof byte[] bytes) {
        value = hex(bytes);
      } else if (value != null && field.getName().equals("profile")) {
        value = json((String) value);
      } else if (value != null && field.getName().equals("any_num")) {
        value = ((BigDecimal) value).stripTrailingZeros();
      }
      values.put(field.getName(), value);
    }
    return values;
  }

  private static Object sqlValue(Schema.Field field, JsonNode node) {
    if (node.isNull()) {
      return null;
    }
    if (field.getName().equals("profile")) {
      return node;
    }
    if (field.getName().equals("any_num")) {
      return node.decimalValue().stripTrailingZeros();
    }
    return switch (ValueParser.name(field.getType())) {
      case "micros_instant" -> OffsetDateTime.parse(node.textValue()).toInstant();
      case "datetime" -> LocalDateTime.parse(node.textValue());
      case "date" -> LocalDate.parse(node.textValue());
      case "time" -> LocalTime.parse(node.textValue());
      case "uuid" -> UUID.fromString(node.textValue());
      case "fixed_decimal", "DECIMAL" -> node.decimalValue();
      case "BYTES" -> node.textValue().substring(2);
      case "INT16" -> (short) node.intValue();
      case "INT32" -> node.intValue();
      case "INT64" -> node.longValue();
      case "DOUBLE" -> node.doubleValue();
      case "BOOLEAN" -> node.booleanValue();
      case "STRING" -> node.textValue();
      case "ARRAY" -> texts(node);
      default -> throw new AssertionError(field);
    };
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(node -> texts.add(node.textValue()));
    return texts;
  }

  private static String hex(byte[] bytes) {
    return BaseEncoding.base16().encode(bytes).toLowerCase(Locale.ROOT);
  }

  private static JsonNode json(String text) {
    try {
      return DebeziumFixtures.MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private static Object key(Map<String, Object> row, ImmutableSet<String> key) {
    List<Object> values = new ArrayList<>();
    key.forEach(column -> values.add(row.get(column)));
    return values;
  }
}
