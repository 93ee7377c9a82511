package dev.tidemark.examples.cdc;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableMap;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.beam.sdk.options.ValueProvider;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Sends lines to a topic. A bundle ends when Kafka has all of its lines; one that is repeated after
 * a failure sends them again. A line that is too long for the topic is shortened: it must not stop
 * those behind it.
 */
final class WriteTopicFn extends DoFn<String, Void> {
  private final ValueProvider<String> topic;
  private final ValueProvider<ImmutableMap<String, Object>> clients;
  private final Producers producers;

  private transient @Nullable Producer<byte[], byte[]> producer;
  private transient List<Sent> sent;

  private record Sent(String line, Future<RecordMetadata> answer) {}

  /** How a worker gets its producer. */
  @FunctionalInterface
  interface Producers extends Serializable {
    Producer<byte[], byte[]> create(Map<String, Object> properties);
  }

  WriteTopicFn(ValueProvider<String> topic, ValueProvider<ImmutableMap<String, Object>> clients) {
    this(
        topic,
        clients,
        properties ->
            new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer()));
  }

  WriteTopicFn(
      ValueProvider<String> topic,
      ValueProvider<ImmutableMap<String, Object>> clients,
      Producers producers) {
    this.topic = topic;
    this.clients = clients;
    this.producers = producers;
  }

  @StartBundle
  public void start() {
    sent = new ArrayList<>();
  }

  @ProcessElement
  public void process(@Element String line) {
    if (producer == null) {
      producer = producers.create(clients.get());
    }
    sent.add(new Sent(line, send(line)));
  }

  private Future<RecordMetadata> send(String line) {
    return producer.send(new ProducerRecord<>(topic.get(), line.getBytes(UTF_8)));
  }

  @FinishBundle
  public void finish() throws ExecutionException, InterruptedException {
    if (producer != null) {
      producer.flush();
    }
    for (Sent record : sent) {
      try {
        record.answer().get();
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof RecordTooLargeException)) {
          throw e;
        }
        send(DeadLetterText.shortened(record.line())).get();
      }
    }
    sent.clear();
  }

  @Teardown
  public void teardown() {
    if (producer != null) {
      producer.close();
    }
  }
}
