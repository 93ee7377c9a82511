package dev.tidemark.change;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableMap;
import java.util.Map;
import org.apache.beam.sdk.coders.DefaultCoder;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * One record of a topic that Debezium writes: key and value as JSON in UTF-8, or null.
 *
 * <p>From Kafka, read as bytes:
 *
 * <pre>{@code
 * pipeline
 *     .apply(KafkaIO.readBytes().withBootstrapServers(servers).withTopics(topics))
 *     .apply(MapElements.into(TypeDescriptor.of(DebeziumRecord.class))
 *         .via(r -> DebeziumRecord.of(r.getTopic(), r.getKV().getKey(), r.getKV().getValue())))
 * }</pre>
 *
 * <p>Headers are optional; the parser only counts key changes by them.
 */
@AutoValue
@DefaultCoder(DebeziumRecordCoder.class)
public abstract class DebeziumRecord {
  /** The topic, which names the table. */
  public abstract String topic();

  /** Headers by name, values as text. */
  public abstract ImmutableMap<String, String> headers();

  // Shared, not copied: Beam forbids changing elements, and values may be megabytes.
  @SuppressWarnings("mutable")
  abstract byte @Nullable [] keyBytes();

  @SuppressWarnings("mutable")
  abstract byte @Nullable [] valueBytes();

  /** A record without headers. The arrays are not copied and must not be changed. */
  public static DebeziumRecord of(String topic, byte @Nullable [] key, byte @Nullable [] value) {
    return new AutoValue_DebeziumRecord(topic, ImmutableMap.of(), key, value);
  }

  /** A record without headers. */
  public static DebeziumRecord of(String topic, @Nullable String key, @Nullable String value) {
    return of(
        topic,
        key == null ? null : key.getBytes(UTF_8),
        value == null ? null : value.getBytes(UTF_8));
  }

  /** This record with these headers and no others. Default: none. */
  public DebeziumRecord withHeaders(Map<String, String> headers) {
    return new AutoValue_DebeziumRecord(
        topic(), ImmutableMap.copyOf(headers), keyBytes(), valueBytes());
  }

  /** The key's JSON, or null for a table without a key. */
  public @Nullable String key() {
    byte[] bytes = keyBytes();
    return bytes == null ? null : new String(bytes, UTF_8);
  }

  /** The value's JSON, or null for a tombstone. */
  public @Nullable String value() {
    byte[] bytes = valueBytes();
    return bytes == null ? null : new String(bytes, UTF_8);
  }

  /** Topic and sizes only: content does not belong into logs. */
  @Override
  public final String toString() {
    return String.format(
        "DebeziumRecord{%s, %s, %s}", topic(), size(keyBytes()), size(valueBytes()));
  }

  private static String size(byte @Nullable [] bytes) {
    return bytes == null ? "null" : bytes.length + " bytes";
  }
}
