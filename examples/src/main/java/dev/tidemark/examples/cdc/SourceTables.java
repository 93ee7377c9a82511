package dev.tidemark.examples.cdc;

import static com.google.common.base.Preconditions.checkArgument;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.tidemark.change.ChangeMetadata;
import dev.tidemark.change.PostgresTypes;
import dev.tidemark.change.PostgresTypes.ColumnType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;

/**
 * Reads the declaration of the tables, a JSON document:
 *
 * <pre>{@code
 * {
 *   "connector": {"time.precision.mode": "adaptive", "decimal.handling.mode": "precise"},
 *   "tables": [
 *     {
 *       "name": "orders",
 *       "topic": "pg.shop.orders",
 *       "columns": {"order_id": "bigint not null", "placed": "timestamp(3)", "total": "numeric(14,4)"},
 *       "key": ["order_id"]
 *     }
 *   ]
 * }
 * }</pre>
 */
public final class SourceTables {
  /** The columns of the change log that each change table has after those of the source. */
  static final ImmutableList<ChangeMetadata> LOG_COLUMNS =
      ImmutableList.of(ChangeMetadata.POSITION, ChangeMetadata.SOURCE_TIME);

  private static final String TIME_MODE = "time.precision.mode";
  private static final String DECIMAL_MODE = "decimal.handling.mode";
  private static final ImmutableSet<String> FIELDS = ImmutableSet.of("connector", "tables");
  private static final ImmutableSet<String> TABLE_FIELDS =
      ImmutableSet.of(
          "name",
          "topic",
          "columns",
          "defaults",
          "key",
          "replicaIdentityFull",
          "ignoreOtherColumns",
          "eventTime",
          "eventTimeZone",
          "partitions");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String timeMode;
  private final boolean decimalsAsText;

  private SourceTables(String timeMode, boolean decimalsAsText) {
    this.timeMode = timeMode;
    this.decimalsAsText = decimalsAsText;
  }

  /**
   * Reads a file of any file system that Beam knows.
   *
   * @throws IllegalArgumentException if it cannot be read, or does not declare tables; names the
   *     table and the column
   */
  public static ImmutableList<SourceTable> read(String file) {
    byte[] content;
    try (InputStream in =
        Channels.newInputStream(
            FileSystems.open(FileSystems.matchSingleFileSpec(file).resourceId()))) {
      content = in.readAllBytes();
    } catch (IOException e) {
      throw new IllegalArgumentException(
          String.format("the file %s cannot be read: %s", file, e.getMessage()), e);
    }
    return parse(content);
  }

  static ImmutableList<SourceTable> parse(byte[] json) {
    JsonNode document;
    try {
      document = JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("it is no JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new IllegalArgumentException("it is no JSON", e);
    }
    checkFields("the document", document, FIELDS);
    SourceTables reader = of(document.path("connector"));
    List<SourceTable> tables = new ArrayList<>();
    Set<String> names = new HashSet<>();
    Set<String> topics = new HashSet<>();
    for (JsonNode node : document.path("tables")) {
      String name = text("a table", node, "name");
      try {
        SourceTable table = reader.table(name, node);
        checkArgument(names.add(name), "there are two of this name");
        checkArgument(topics.add(table.topic()), "topic %s is another table's", table.topic());
        tables.add(table);
      } catch (IllegalArgumentException | DateTimeException e) {
        throw new IllegalArgumentException(String.format("table %s: %s", name, e.getMessage()), e);
      }
    }
    checkArgument(!tables.isEmpty(), "it declares no table");
    return ImmutableList.copyOf(tables);
  }

  private static SourceTables of(JsonNode connector) {
    checkFields("connector", connector, ImmutableSet.of(TIME_MODE, DECIMAL_MODE));
    String times = connector.path(TIME_MODE).asText("adaptive");
    checkArgument(
        ImmutableSet.of("adaptive", "adaptive_time_microseconds", "connect").contains(times),
        "%s is '%s'; it must be adaptive, adaptive_time_microseconds or connect",
        TIME_MODE,
        times);
    String decimals = connector.path(DECIMAL_MODE).asText("precise");
    checkArgument(
        ImmutableSet.of("precise", "string").contains(decimals),
        "%s is '%s'; it must be precise or string",
        DECIMAL_MODE,
        decimals);
    return new SourceTables(times, decimals.equals("string"));
  }

  private SourceTable table(String name, JsonNode node) {
    checkFields("the table", node, TABLE_FIELDS);
    checkArgument(
        name.matches("[^\\s./?]+"), "a name has no blanks, dots, slashes and question marks");
    Schema.Builder columns = Schema.builder();
    ImmutableMap.Builder<String, ChronoUnit> units = ImmutableMap.builder();
    Map<String, JsonNode> declared = fields("columns", node.path("columns"));
    checkArgument(!declared.isEmpty(), "it has no columns");
    declared.forEach(
        (column, type) -> {
          ColumnType parsed = column(column, type);
          columns.addField(column, parsed.type());
          if (parsed.timeUnit() != null) {
            units.put(column, unit(parsed));
          }
        });
    Schema schema = columns.build();
    String eventTime = node.path("eventTime").asText(ChangeMetadata.SOURCE_TIME.defaultName());
    ImmutableList<String> partitions =
        node.has("partitions")
            ? texts("partitions", node.path("partitions"))
            : ImmutableList.of("hour(" + eventTime + ")");
    return new SourceTable(
        name,
        text("the table", node, "topic"),
        schema,
        units.buildOrThrow(),
        defaults(schema, node.path("defaults")),
        key(schema, node.path("key")),
        decimalsAsText,
        flag(node, "replicaIdentityFull"),
        flag(node, "ignoreOtherColumns"),
        checkColumn(schema, eventTime),
        ZoneId.of(node.path("eventTimeZone").asText("UTC")),
        partitions);
  }

  private static ColumnType column(String column, JsonNode type) {
    checkArgument(type.isTextual(), "the type of column %s is no text", column);
    checkArgument(
        !column.startsWith("_"), "column %s begins with _, as columns of the log do", column);
    try {
      return PostgresTypes.parse(type.textValue());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(String.format("column %s: %s", column, e.getMessage()), e);
    }
  }

  /** What the connector writes in this mode, where the type's precision alone does not tell. */
  private ChronoUnit unit(ColumnType column) {
    return switch (timeMode) {
      case "connect" -> ChronoUnit.MILLIS;
      case "adaptive_time_microseconds" ->
          PostgresTypes.isTimeOfDay(column.type()) ? ChronoUnit.MICROS : column.timeUnit();
      default -> column.timeUnit();
    };
  }

  private static ImmutableMap<String, Object> defaults(Schema schema, JsonNode node) {
    ImmutableMap.Builder<String, Object> defaults = ImmutableMap.builder();
    fields("defaults", node)
        .forEach(
            (column, value) -> {
              FieldType type = schema.getField(checkColumn(schema, column)).getType();
              try {
                defaults.put(column, PostgresTypes.value(type, value.asText()));
              } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                    String.format("default of column %s: %s", column, e.getMessage()), e);
              }
            });
    return defaults.buildOrThrow();
  }

  private static ImmutableList<String> key(Schema schema, JsonNode node) {
    ImmutableList<String> key = texts("key", node);
    checkArgument(
        !key.isEmpty(), "it has no key, without which rows of Doris cannot be told apart");
    for (String column : key) {
      checkArgument(schema.hasField(column), "key column %s is not among its columns", column);
      checkArgument(
          !schema.getField(column).getType().getNullable(),
          "key column %s may be null; declare it 'not null'",
          column);
    }
    return key;
  }

  /** A column of the source, or one of the log. */
  private static String checkColumn(Schema schema, String column) {
    checkArgument(
        schema.hasField(column)
            || LOG_COLUMNS.stream().anyMatch(log -> log.defaultName().equals(column)),
        "column %s is not among its columns",
        column);
    return column;
  }

  private static void checkFields(String what, JsonNode node, Set<String> known) {
    fields(what, node)
        .keySet()
        .forEach(
            field ->
                checkArgument(
                    known.contains(field),
                    "%s has a field '%s'; known are %s",
                    what,
                    field,
                    known));
  }

  private static Map<String, JsonNode> fields(String what, JsonNode node) {
    checkArgument(node.isObject() || node.isMissingNode(), "%s must be a JSON object", what);
    ImmutableMap.Builder<String, JsonNode> fields = ImmutableMap.builder();
    node.fields().forEachRemaining(fields::put);
    return fields.buildOrThrow();
  }

  private static String text(String what, JsonNode node, String field) {
    JsonNode value = node.path(field);
    checkArgument(
        value.isTextual() && !value.textValue().isEmpty(), "%s has no text '%s'", what, field);
    return value.textValue();
  }

  private static ImmutableList<String> texts(String field, JsonNode node) {
    ImmutableList.Builder<String> texts = ImmutableList.builder();
    checkArgument(node.isArray() || node.isMissingNode(), "%s must be a list of texts", field);
    for (JsonNode value : node) {
      checkArgument(value.isTextual(), "%s must be a list of texts", field);
      texts.add(value.textValue());
    }
    return texts.build();
  }

  private static boolean flag(JsonNode node, String field) {
    JsonNode value = node.path(field);
    checkArgument(value.isBoolean() || value.isMissingNode(), "%s must be true or false", field);
    return value.asBoolean(false);
  }
}
