package dev.tidemark.examples.cdc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableMap;
import dev.tidemark.change.DebeziumRecord;
import java.io.IOException;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Instant;

/**
 * A change event as a line of a file: a JSON object with {@code topic}, {@code key}, {@code value}
 * (null for a tombstone) and {@code headers}.
 *
 * @param sourceTime when the source committed the change; null if the event does not tell
 */
public record EventLine(DebeziumRecord record, @Nullable Instant sourceTime) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Reads a line.
   *
   * @throws IOException if it is no such object; the message holds nothing of the line
   */
  public static EventLine parse(String line) throws IOException {
    return of(JSON.readTree(line));
  }

  /** The event that a line's object tells. */
  public static EventLine of(@Nullable JsonNode event) throws IOException {
    if (event == null || !event.path("topic").isTextual()) {
      throw new IOException("Cannot read a change event: the line is no JSON object with a topic");
    }
    JsonNode value = event.path("value");
    DebeziumRecord record =
        DebeziumRecord.of(event.get("topic").textValue(), text(event.path("key")), text(value))
            .withHeaders(headers(event.path("headers")));
    JsonNode envelope = value.has("payload") ? value.get("payload") : value;
    JsonNode millis = envelope.path("source").path("ts_ms");
    return new EventLine(
        record, millis.isIntegralNumber() ? Instant.ofEpochMilli(millis.longValue()) : null);
  }

  /** A line that is no event, as a record that the parser refuses with its file and its content. */
  static EventLine unreadable(String file, String line) {
    return new EventLine(DebeziumRecord.of(file, null, line), null);
  }

  private static @Nullable String text(JsonNode node) {
    return node.isNull() || node.isMissingNode() ? null : node.toString();
  }

  private static ImmutableMap<String, String> headers(JsonNode headers) {
    ImmutableMap.Builder<String, String> texts = ImmutableMap.builder();
    headers
        .fields()
        .forEachRemaining(
            header ->
                texts.put(
                    header.getKey(),
                    header.getValue().isTextual()
                        ? header.getValue().textValue()
                        : header.getValue().toString()));
    return texts.buildOrThrow();
  }
}
