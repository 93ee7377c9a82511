package dev.tidemark.examples.demo;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;

/**
 * Compares with what the source's database held at the end: the rows of a table in Doris; those of
 * a base table, read with Iceberg's own reader; and those of a change table, read the same way and
 * folded per key in the order of the log.
 */
public final class TruthCheck {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  /** What was compared, rows or changes, and what is not as it must be. */
  public record Result(int size, List<String> differences) {
    /** Whether nothing differs. */
    public boolean isEqual() {
      return differences.isEmpty();
    }
  }

  private final List<String> key;
  private final List<String> truth;

  private TruthCheck(List<String> key, List<String> truth) {
    this.key = key;
    this.truth = truth;
  }

  /**
   * Compares a table with rows that the source's database held, each a JSON object.
   *
   * @param key the columns of the table's key
   */
  public static TruthCheck of(List<String> key, List<String> truth) {
    return new TruthCheck(key, truth);
  }

  /** Compares the rows of a table in Doris. */
  public Result compareRows(List<Map<String, Object>> rows) {
    Map<String, Function<String, Object>> columns = new TreeMap<>();
    rows.forEach(row -> columns.put(keyOf(row::get), row::get));
    return new Result(columns.size(), differences(columns, truth()));
  }

  /**
   * Compares a table of rows, read with Iceberg's own reader. A key that is there twice differs.
   */
  public Result compareTable(Table table) {
    List<Record> rows = records(table);
    Map<String, Function<String, Object>> columns = new TreeMap<>();
    List<String> twice = new ArrayList<>();
    for (Record row : rows) {
      String key = keyOf(row::getField);
      if (columns.put(key, row::getField) != null) {
        twice.add("row " + key + " is there twice");
      }
    }
    List<String> differences = differences(columns, truth());
    differences.addAll(twice);
    return new Result(rows.size(), differences);
  }

  private static List<Record> records(Table table) {
    List<Record> all = new ArrayList<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
      records.forEach(all::add);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read table " + table.name(), e);
    }
    return all;
  }

  /** Compares a change table. */
  public Result compareChanges(Table table) {
    List<Record> changes = records(table);
    changes.sort(Comparator.comparing(change -> (Long) change.getField("_position")));
    Map<String, Function<String, Object>> folded = new TreeMap<>();
    for (Record change : changes) {
      String key = keyOf(change::getField);
      if (change.getField("_kind").equals("-D") || change.getField("_kind").equals("-U")) {
        folded.remove(key);
      } else {
        folded.put(key, change::getField);
      }
    }
    return new Result(changes.size(), differences(folded, truth()));
  }

  private static List<String> differences(
      Map<String, Function<String, Object>> rows, Map<String, JsonNode> truth) {
    List<String> differences = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : truth.entrySet()) {
      Function<String, Object> row = rows.remove(entry.getKey());
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
                Object value = row.apply(field.getKey());
                if (!isEqual(field.getValue(), value)) {
                  wrong.put(field.getKey(), field.getValue() + " is " + value);
                }
              });
      if (!wrong.isEmpty()) {
        differences.add("row " + entry.getKey() + ": " + wrong);
      }
    }
    rows.keySet().forEach(key -> differences.add("unexpected row " + key));
    return differences;
  }

  private Map<String, JsonNode> truth() {
    Map<String, JsonNode> rows = new HashMap<>();
    for (String line : truth) {
      JsonNode row = tree(line);
      rows.put(keyOf(column -> row.get(column).asText()), row);
    }
    return rows;
  }

  private String keyOf(Function<String, Object> columns) {
    return String.join("/", key.stream().map(column -> columns.apply(column).toString()).toList());
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
    if (value instanceof Instant time) {
      return OffsetDateTime.parse(expected.textValue()).toInstant().equals(time);
    }
    if (value instanceof LocalDateTime time) {
      return local(expected.textValue()).equals(time);
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

  /** Doris has no zones: an instant is there in UTC. */
  private static LocalDateTime local(String text) {
    TemporalAccessor time =
        DateTimeFormatter.ISO_DATE_TIME.parseBest(text, OffsetDateTime::from, LocalDateTime::from);
    return time instanceof OffsetDateTime instant
        ? instant.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime()
        : (LocalDateTime) time;
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
