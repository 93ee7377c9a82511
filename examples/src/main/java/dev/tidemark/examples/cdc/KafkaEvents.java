package dev.tidemark.examples.cdc;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.tidemark.change.DebeziumRecord;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.io.kafka.CustomTimestampPolicyWithLimitedDelay;
import org.apache.beam.sdk.io.kafka.KafkaIO;
import org.apache.beam.sdk.io.kafka.KafkaRecord;
import org.apache.beam.sdk.options.ValueProvider;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.SimpleFunction;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * Change events from topics of Kafka, each partition in its order. Places in partitions are kept in
 * the runner's state, not in Kafka; which partitions there are is looked up when a pipeline starts
 * without state.
 */
final class KafkaEvents extends PTransform<PBegin, PCollection<DebeziumRecord>> {
  /** Stands in the graph for the brokers, which clients are told when they are made. */
  private static final String TOLD_LATER = "told-when-the-pipeline-runs:9092";

  private final ImmutableList<String> topics;
  private final ValueProvider<ImmutableMap<String, Object>> clients;
  private final ValueProvider<String> start;
  private final ValueProvider<Integer> delaySeconds;

  private KafkaEvents(
      ImmutableList<String> topics,
      ValueProvider<ImmutableMap<String, Object>> clients,
      ValueProvider<String> start,
      ValueProvider<Integer> delaySeconds) {
    this.topics = topics;
    this.clients = clients;
    this.start = start;
    this.delaySeconds = delaySeconds;
  }

  /** Events of topics, with the options' clients, start and delay. */
  static KafkaEvents of(List<String> topics, CdcOptions options) {
    return new KafkaEvents(
        ImmutableList.copyOf(topics),
        KafkaClients.properties(options),
        Given.orDefault(options.getKafkaStart()),
        Given.orDefault(options.getWatermarkDelaySeconds()));
  }

  @Override
  public PCollection<DebeziumRecord> expand(PBegin begin) {
    // Locals, since functions must not hold this transform.
    ValueProvider<ImmutableMap<String, Object>> toldClients = clients;
    ValueProvider<String> toldStart = start;
    ValueProvider<Integer> toldDelay = delaySeconds;
    return begin
        .apply(
            "Kafka",
            KafkaIO.readBytes()
                .withBootstrapServers(TOLD_LATER)
                .withTopics(topics)
                .withReadCommitted()
                .withConsumerFactoryFn(
                    config -> {
                      ImmutableMap.Builder<String, Object> all = ImmutableMap.builder();
                      all.putAll(config);
                      all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, toldStart.get());
                      all.putAll(toldClients.get());
                      return KafkaClients.consumer(all.buildKeepingLast());
                    })
                .withTimestampPolicyFactory(
                    (partition, previous) ->
                        new CustomTimestampPolicyWithLimitedDelay<>(
                            record -> Instant.ofEpochMilli(record.getTimestamp()),
                            Duration.standardSeconds(toldDelay.get()),
                            previous)))
        .apply("Record", MapElements.via(new RecordFn()));
  }

  /** A Kafka record as the parser takes it. */
  private static final class RecordFn
      extends SimpleFunction<KafkaRecord<byte[], byte[]>, DebeziumRecord> {
    @Override
    public DebeziumRecord apply(KafkaRecord<byte[], byte[]> record) {
      DebeziumRecord event =
          DebeziumRecord.of(record.getTopic(), record.getKV().getKey(), record.getKV().getValue());
      Map<String, String> headers = KafkaClients.texts(record.getHeaders());
      return headers.isEmpty() ? event : event.withHeaders(headers);
    }
  }
}
