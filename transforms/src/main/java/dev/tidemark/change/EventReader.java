package dev.tidemark.change;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.common.collect.ImmutableMap;
import dev.tidemark.change.DebeziumEvent.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Reads the JSON of keys and values in all of Debezium's forms: with and without the {@code
 * {schema, payload}} envelope, as full change event or flattened by {@code ExtractNewRecordState}.
 * One pass over the bytes; envelope schemas, several times the size of the data, are skipped and
 * looked up by their bytes.
 *
 * <p>Not thread-safe.
 */
final class EventReader {
  private static final int MAX_CACHED_SCHEMAS = 256;
  private static final long MAX_MILLIS = Long.MAX_VALUE / 1000;
  private static final String METADATA_PREFIX = "__";
  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  // The record is in memory already; large text columns are legitimate.
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          // 12.50 must not become 12.5: the scale is part of a decimal.
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private static final ObjectReader WHOLE =
      MAPPER.reader().with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private final Map<ByteBuffer, ConnectSchema> schemas =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, ConnectSchema> eldest) {
          return size() > MAX_CACHED_SCHEMAS;
        }
      };

  /**
   * JSON content and, if it came in an envelope, its schema. The payload may be null (JSON's or
   * Java's).
   */
  record Document(@Nullable JsonNode payload, @Nullable ConnectSchema schema) {}

  /**
   * Whether a column of this name is added by Debezium's flattening rather than part of the table.
   */
  static boolean isMetadata(String column) {
    return column.startsWith(METADATA_PREFIX);
  }

  /** Reads a record's value. */
  DebeziumEvent readValue(byte @Nullable [] json) throws UnparsableChangeException {
    if (json == null) {
      return DebeziumEvent.withoutRow(Operation.TOMBSTONE);
    }
    Document document = readDocument(json);
    JsonNode payload = document.payload();
    if (payload == null || payload.isNull()) {
      return DebeziumEvent.withoutRow(Operation.TOMBSTONE);
    }
    if (!payload.isObject()) {
      throw new UnparsableChangeException("the value is no JSON object");
    }
    ImmutableMap<String, Encoding> encodings =
        document.schema() == null ? ImmutableMap.of() : document.schema().encodings();
    if (payload.path("op").isTextual() && payload.path("source").isObject()) {
      return fullEvent(payload, encodings);
    }
    if (payload.has("__op") || payload.has("__deleted")) {
      return flattenedEvent(payload, encodings);
    }
    if (payload.has("status") && payload.has("id") && payload.has("event_count")) {
      return DebeziumEvent.withoutRow(Operation.TRANSACTION);
    }
    throw new UnparsableChangeException(
        "the value is neither a change event (op, source) nor a flattened row (__op)."
            + " For flattened rows set add.fields to op,lsn,source.ts_ms and rewrite deletes");
  }

  private static DebeziumEvent fullEvent(JsonNode event, ImmutableMap<String, Encoding> encodings)
      throws UnparsableChangeException {
    JsonNode source = event.path("source");
    return new DebeziumEvent(
        operation(event.path("op")),
        objectOrNull(event.path("before")),
        objectOrNull(event.path("after")),
        false,
        longOrNull(source.path("lsn")),
        Math.max(0, event.path("transaction").path("total_order").asLong()),
        "incremental".equals(source.path("snapshot").textValue()),
        micros(source.path("ts_us"), source.path("ts_ns"), source.path("ts_ms")),
        longOrNull(source.path("txId")),
        encodings);
  }

  private static DebeziumEvent flattenedEvent(
      JsonNode row, ImmutableMap<String, Encoding> encodings) throws UnparsableChangeException {
    boolean deleted = row.path("__deleted").asBoolean();
    if (!deleted && !row.has("__op")) {
      throw new UnparsableChangeException(
          "the flattened row does not tell its operation. Add op to add.fields");
    }
    Operation operation = deleted ? Operation.DELETE : operation(row.path("__op"));
    return new DebeziumEvent(
        operation,
        operation == Operation.DELETE ? row : null,
        operation == Operation.DELETE ? null : row,
        true,
        longOrNull(first(row, "__source_lsn", "__lsn")),
        Math.max(0, row.path("__transaction_total_order").asLong()),
        "incremental".equals(first(row, "__source_snapshot", "__snapshot").textValue()),
        micros(row.path("__source_ts_us"), row.path("__source_ts_ns"), row.path("__source_ts_ms")),
        longOrNull(first(row, "__source_txId", "__txId")),
        encodings);
  }

  /** Reads a record's key, or the sample of a value: a null payload if there is none. */
  Document readDocument(byte @Nullable [] json) throws UnparsableChangeException {
    if (json == null) {
      return new Document(null, null);
    }
    try {
      Document enveloped = readEnvelope(json);
      return enveloped != null ? enveloped : new Document(WHOLE.readTree(json), null);
    } catch (JsonProcessingException e) {
      // Jackson's message may quote the text.
      long offset = e.getLocation() == null ? -1 : e.getLocation().getByteOffset();
      throw new UnparsableChangeException(
          offset < 0 ? "the text is not JSON" : "the text is not JSON at byte " + offset);
    } catch (IOException e) {
      throw new UnparsableChangeException("the text is not JSON in UTF-8");
    }
  }

  /**
   * The content of {@code {schema, payload}} with no other fields, or null if the text is something
   * else.
   */
  private @Nullable Document readEnvelope(byte[] json)
      throws IOException, UnparsableChangeException {
    ConnectSchema schema = null;
    JsonNode payload = null;
    try (JsonParser parser = MAPPER.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return null;
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        JsonToken token = parser.nextToken();
        if (name.equals("schema") && token == JsonToken.START_OBJECT) {
          schema = schema(parser, json);
        } else if (name.equals("payload")) {
          payload = MAPPER.readTree(parser);
        } else if (!name.equals("schema") || token != JsonToken.VALUE_NULL) {
          return null;
        }
      }
      // Leftovers are an error, which the general reader reports.
      return payload == null || parser.nextToken() != null ? null : new Document(payload, schema);
    }
  }

  private ConnectSchema schema(JsonParser parser, byte[] json)
      throws IOException, UnparsableChangeException {
    int start = (int) parser.currentTokenLocation().getByteOffset();
    parser.skipChildren();
    int end = (int) parser.currentLocation().getByteOffset();
    ConnectSchema schema = schemas.get(ByteBuffer.wrap(json, start, end - start));
    if (schema == null) {
      byte[] text = Arrays.copyOfRange(json, start, end);
      try {
        schema = ConnectSchema.of(WHOLE.readTree(text));
      } catch (IllegalArgumentException e) {
        throw new UnparsableChangeException("the envelope's schema is not understood");
      }
      schemas.put(ByteBuffer.wrap(text), schema);
    }
    return schema;
  }

  private static Operation operation(JsonNode code) throws UnparsableChangeException {
    Operation operation = code.isTextual() ? Operation.ofCode(code.textValue()) : null;
    if (operation == null) {
      throw new UnparsableChangeException("the operation is none of r, c, u, d, t, m");
    }
    return operation;
  }

  private static @Nullable Long micros(JsonNode micros, JsonNode nanos, JsonNode millis) {
    if (micros.isIntegralNumber()) {
      return micros.longValue();
    }
    if (nanos.isIntegralNumber()) {
      return Math.floorDiv(nanos.longValue(), 1000L);
    }
    return millis.isIntegralNumber() && Math.abs(millis.longValue()) <= MAX_MILLIS
        ? (Long) (millis.longValue() * 1000)
        : null;
  }

  private static @Nullable JsonNode objectOrNull(JsonNode node) {
    return node.isObject() ? node : null;
  }

  private static @Nullable Long longOrNull(JsonNode node) {
    return node.isIntegralNumber() ? (Long) node.longValue() : null;
  }

  private static JsonNode first(JsonNode row, String name, String otherName) {
    return row.has(name) ? row.path(name) : row.path(otherName);
  }
}
