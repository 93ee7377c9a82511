package dev.tidemark.examples.cdc;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableMap;
import dev.tidemark.secrets.Derived;
import dev.tidemark.secrets.Secrets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.options.ValueProvider;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Clients of Kafka, made on workers with what the options say there. */
final class KafkaClients {
  private KafkaClients() {}

  /** Properties of clients, brokers among them. */
  static ValueProvider<ImmutableMap<String, Object>> properties(CdcOptions options) {
    return Derived.ofReferences(
        "Kafka",
        List.of(
            Given.orDefault(options.getKafkaServers()),
            Given.orDefault(options.getKafkaProperties())),
        texts ->
            ImmutableMap.<String, Object>builder()
                .putAll(JsonTexts.resolved("--kafkaProperties", texts.get(1)))
                .put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, Secrets.resolve(texts.get(0)))
                .buildKeepingLast());
  }

  static Consumer<byte[], byte[]> consumer(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** Headers as texts; of those with one name the last. */
  static Map<String, String> texts(@Nullable Headers headers) {
    Map<String, String> texts = new LinkedHashMap<>();
    if (headers != null) {
      for (Header header : headers) {
        texts.put(header.key(), header.value() == null ? "" : new String(header.value(), UTF_8));
      }
    }
    return texts;
  }
}
