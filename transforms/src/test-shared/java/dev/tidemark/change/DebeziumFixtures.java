package dev.tidemark.change;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.common.collect.ImmutableList;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.GZIPInputStream;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.FixedPrecisionNumeric;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;

/**
 * Events that a real connector wrote for one workload, in four forms, and how to read their tables.
 */
final class DebeziumFixtures {
  static final ImmutableList<String> TABLES =
      ImmutableList.of("customers", "orders", "order_items", "docs", "audit_nokey");
  static final ImmutableList<String> KEYED_TABLES = TABLES.subList(0, 4);
  static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  // Reading is most of the tests' time otherwise.
  private static final Map<Format, List<DebeziumRecord>> RECORDS = new ConcurrentHashMap<>();
  private static final Map<String, DebeziumTable> DERIVED = new ConcurrentHashMap<>();

  enum Format {
    PRECISE("events-precise", "pg"),
    ENVELOPED("events-precise.schemas", "pg"),
    TEXT_AND_MILLIS("events-string-connecttime", "dbz_b"),
    FLATTENED("events-unwrapped", "dbz_u");

    private final String file;
    private final String prefix;

    Format(String file, String prefix) {
      this.file = file;
      this.prefix = prefix;
    }

    String topic(String table) {
      return prefix + ".shop." + table;
    }
  }

  private DebeziumFixtures() {}

  /** The lines of a fixture, parsed. */
  static List<JsonNode> lines(String file) {
    List<JsonNode> lines = new ArrayList<>();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(
                    DebeziumFixtures.class.getResourceAsStream("/debezium/" + file + ".jsonl.gz")),
                UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(MAPPER.readTree(line));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lines;
  }

  static List<JsonNode> events(Format format) {
    return lines(format.file);
  }

  /** The events as records, in the order in which they were written. */
  static List<DebeziumRecord> records(Format format) {
    return RECORDS.computeIfAbsent(format, DebeziumFixtures::readRecords);
  }

  private static List<DebeziumRecord> readRecords(Format format) {
    List<DebeziumRecord> records = new ArrayList<>();
    for (JsonNode line : events(format)) {
      Map<String, String> headers = new LinkedHashMap<>();
      line.path("headers")
          .fields()
          .forEachRemaining(
              header ->
                  headers.put(
                      header.getKey(),
                      header.getValue().isTextual()
                          ? header.getValue().textValue()
                          : header.getValue().toString()));
      records.add(
          DebeziumRecord.of(
                  line.path("topic").textValue(), text(line.path("key")), text(line.path("value")))
              .withHeaders(headers));
    }
    return ImmutableList.copyOf(records);
  }

  private static String text(JsonNode node) {
    return node.isNull() ? null : node.toString();
  }

  /** All tables of the workload as the form needs them declared. */
  static List<DebeziumTable> tables(Format format) {
    List<DebeziumTable> tables = new ArrayList<>();
    for (String name : TABLES) {
      tables.add(table(format, name));
    }
    return tables;
  }

  static DebeziumTable table(Format format, String name) {
    DebeziumTable table =
        format == Format.ENVELOPED
            ? DERIVED.computeIfAbsent(format.topic(name), DebeziumFixtures::derived)
            : declared(format, name);
    return switch (name) {
      case "orders" -> table.withFullBeforeImages();
      case "docs" -> table.withUnavailableValues(UnavailableValues.EMIT_UNKNOWN);
      case "audit_nokey" -> table.withTruncates(Truncates.REPORT);
      default -> table;
    };
  }

  /** From the last record, whose schema knows all columns. */
  private static DebeziumTable derived(String topic) {
    DebeziumRecord sample = null;
    for (DebeziumRecord record : records(Format.ENVELOPED)) {
      if (record.topic().equals(topic) && record.value() != null) {
        sample = record;
      }
    }
    return DebeziumTable.fromSample(sample);
  }

  private static DebeziumTable declared(Format format, String name) {
    DebeziumTable table = declared(format.topic(name), name);
    if (format == Format.PRECISE) {
      return table;
    }
    table = table.withDecimalsAsText();
    return format == Format.TEXT_AND_MILLIS && name.equals("orders")
        ? table.withTimeUnit("placed", ChronoUnit.MILLIS)
        : table;
  }

  private static DebeziumTable declared(String topic, String name) {
    return switch (name) {
      case "customers" ->
          DebeziumTable.of(topic, customers())
              .withKey("id")
              .withTimeUnit("updated", ChronoUnit.MILLIS);
      case "orders" ->
          DebeziumTable.of(topic, orders())
              .withKey("order_id", "region")
              .withScale("total", 4)
              .withTimeUnit("cutoff", ChronoUnit.MILLIS)
              .withDefault("coupon", new BigDecimal("1.50"));
      case "order_items" -> DebeziumTable.of(topic, orderItems()).withKey("order_id", "line_no");
      case "docs" -> DebeziumTable.of(topic, docs()).withKey("id");
      default -> DebeziumTable.of(topic, audit());
    };
  }

  static Schema customers() {
    return Schema.builder()
        .addInt32Field("id")
        .addStringField("name")
        .addNullableStringField("email")
        .addBooleanField("vip")
        .addNullableLogicalTypeField("balance", FixedPrecisionNumeric.of(12, 2))
        .addLogicalTypeField("created", SqlTypes.TIMESTAMP)
        .addNullableLogicalTypeField("updated", SqlTypes.DATETIME)
        .addNullableStringField("profile")
        .addNullableDoubleField("score")
        .addNullableStringField("phone")
        .build();
  }

  static Schema orders() {
    return Schema.builder()
        .addInt64Field("order_id")
        .addStringField("region")
        .addNullableInt32Field("customer_id")
        .addNullableField("total", FieldType.DECIMAL)
        .addStringField("status")
        .addLogicalTypeField("placed", SqlTypes.DATETIME)
        .addNullableLogicalTypeField("ship_date", SqlTypes.DATE)
        .addNullableLogicalTypeField("cutoff", SqlTypes.TIME)
        .addNullableStringField("note")
        .addNullableLogicalTypeField("coupon", FixedPrecisionNumeric.of(6, 2))
        .build();
  }

  static Schema orderItems() {
    return Schema.builder()
        .addInt64Field("order_id")
        .addInt16Field("line_no")
        .addNullableStringField("sku")
        .addNullableInt32Field("qty")
        .addNullableLogicalTypeField("price", FixedPrecisionNumeric.of(10, 2))
        .addNullableArrayField("tags", FieldType.STRING.withNullable(true))
        .build();
  }

  static Schema docs() {
    return Schema.builder()
        .addLogicalTypeField("id", SqlTypes.UUID)
        .addNullableStringField("title")
        .addNullableStringField("body")
        .addNullableByteArrayField("raw")
        .addNullableField("any_num", FieldType.DECIMAL)
        .build();
  }

  static Schema audit() {
    return Schema.builder()
        .addNullableLogicalTypeField("at", SqlTypes.TIMESTAMP)
        .addNullableStringField("what")
        .addNullableInt64Field("n")
        .build();
  }
}
