package dev.tidemark.examples.demo;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;

/**
 * Reads a change table with Iceberg's own reader, folds the changes per key in the order of the
 * log, and compares with what the source's database held at the end.
 */
final class TruthCheck {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  /** What the comparison came to. */
  record Result(long changes, int rows, List<String> differences) {
    boolean isEqual() {
      return differences.isEmpty();
    }
  }

  private TruthCheck() {}

  static Result compare(ShopTable shop, Table table) {
    List<Record> changes = new ArrayList<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
      records.forEach(changes::add);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read table " + table.name(), e);
    }
    changes.sort(Comparator.comparing(change -> (Long) change.getField("_position")));
    Map<String, Record> folded = new TreeMap<>();
    for (Record change : changes) {
      String key = key(shop, change);
      if (change.getField("_kind").equals("-D") || change.getField("_kind").equals("-U")) {
        folded.remove(key);
      } else {
        folded.put(key, change);
      }
    }
    Map<String, JsonNode> truth = truth(shop);
    return new Result(changes.size(), truth.size(), differences(folded, truth));
  }

  private static List<String> differences(Map<String, Record> folded, Map<String, JsonNode> truth) {
    List<String> differences = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : truth.entrySet()) {
      Record row = folded.remove(entry.getKey());
      if (row == null) {
        differences.add("missing row " + entry.getKey());
        continue;
      }
      Map<String, String> wrong = new LinkedHashMap<>();
      entry
          .getValue()
          .fields()
          .forEachRemaining(
              field -> {
                Object value = row.getField(field.getKey());
                if (!isEqual(field.getValue(), value)) {
                  wrong.put(field.getKey(), field.getValue() + " is " + value);
                }
              });
      if (!wrong.isEmpty()) {
        differences.add("row " + entry.getKey() + ": " + wrong);
      }
    }
    folded.keySet().forEach(key -> differences.add("unexpected row " + key));
    return differences;
  }

  private static Map<String, JsonNode> truth(ShopTable shop) {
    Map<String, JsonNode> rows = new HashMap<>();
    for (String line : ReplayPlan.lines("final-" + shop.tableName())) {
      JsonNode row = tree(line);
      List<String> key = new ArrayList<>();
      shop.key().forEach(column -> key.add(row.get(column).asText()));
      rows.put(String.join("/", key), row);
    }
    return rows;
  }

  private static String key(ShopTable shop, Record record) {
    List<String> key = new ArrayList<>();
    shop.key().forEach(column -> key.add(record.getField(column).toString()));
    return String.join("/", key);
  }

  private static boolean isEqual(JsonNode expected, Object value) {
    if (value == null || expected.isNull()) {
      return value == null && expected.isNull();
    }
    if (value instanceof BigDecimal decimal) {
      return expected.decimalValue().compareTo(decimal) == 0;
    }
    if (value instanceof OffsetDateTime time) {
      return OffsetDateTime.parse(expected.textValue()).toInstant().equals(time.toInstant());
    }
    if (value instanceof LocalDateTime time) {
      return LocalDateTime.parse(expected.textValue()).equals(time);
    }
    if (value instanceof LocalDate date) {
      return LocalDate.parse(expected.textValue()).equals(date);
    }
    if (value instanceof LocalTime time) {
      return LocalTime.parse(expected.textValue()).equals(time);
    }
    if (value instanceof Boolean flag) {
      return expected.booleanValue() == flag;
    }
    if (value instanceof Number number) {
      return expected.decimalValue().compareTo(new BigDecimal(number.toString())) == 0;
    }
    if (value instanceof List<?> list) {
      return isEqualList(expected, list);
    }
    // Documents are compared by content: the database prints them with other spaces.
    return expected.isTextual()
        ? expected.textValue().equals(value.toString())
        : expected.equals(tree(value.toString()));
  }

  private static boolean isEqualList(JsonNode expected, List<?> list) {
    if (expected.size() != list.size()) {
      return false;
    }
    for (int i = 0; i < list.size(); i++) {
      if (!isEqual(expected.get(i), list.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static JsonNode tree(String json) {
    try {
      return JSON.readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read JSON: " + e.getMessage(), e);
    }
  }
}
