package dev.tidemark.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.format.Json;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Debezium's engine, and a producer of what it reads: each event goes to the topic that Debezium
 * names, under the row's primary key, as a connector on Kafka Connect would send it. An event is
 * marked as processed when Kafka has it.
 */
public final class DebeziumToKafka {
  private static final String BROKERS = "bootstrap.servers";

  private DebeziumToKafka() {}

  /**
   * Runs until the process is stopped; ends with 1 if the engine ends.
   *
   * @param args file of the engine's properties, which also has {@code bootstrap.servers}
   */
  public static void main(String[] args) throws IOException {
    Properties settings = new Properties();
    try (Reader reader = Files.newBufferedReader(Path.of(args[0]))) {
      settings.load(reader);
    }
    Properties kafka = new Properties();
    kafka.setProperty(BROKERS, settings.getProperty(BROKERS));
    kafka.setProperty("acks", "all");
    kafka.setProperty("enable.idempotence", "true");
    kafka.setProperty("linger.ms", "5");
    settings.remove(BROKERS);
    Producer<byte[], byte[]> producer =
        new KafkaProducer<>(kafka, new ByteArraySerializer(), new ByteArraySerializer());
    DebeziumEngine<ChangeEvent<String, String>> engine =
        DebeziumEngine.create(Json.class)
            .using(settings)
            .using(
                (success, message, error) -> {
                  System.err.println("The engine ended: " + message);
                  if (error != null) {
                    error.printStackTrace();
                  }
                  // Not from a thread that the engine's end waits for.
                  new Thread(() -> Runtime.getRuntime().halt(1)).start();
                })
            .notifying((events, committer) -> send(producer, events, committer))
            .build();
    ExecutorService executor = Executors.newSingleThreadExecutor();
    executor.execute(engine);
  }

  private static void send(
      Producer<byte[], byte[]> producer,
      List<ChangeEvent<String, String>> events,
      RecordCommitter<ChangeEvent<String, String>> committer)
      throws InterruptedException {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (ChangeEvent<String, String> event : events) {
      sent.add(
          producer.send(
              new ProducerRecord<>(
                  event.destination(), bytes(event.key()), bytes(event.value()))));
    }
    try {
      for (Future<RecordMetadata> record : sent) {
        record.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "Cannot send changes to Kafka: " + e.getCause() + ". See whether the broker runs.", e);
    }
    for (ChangeEvent<String, String> event : events) {
      committer.markProcessed(event);
    }
    committer.markBatchFinished();
  }

  private static byte[] bytes(String text) {
    return text == null ? null : text.getBytes(UTF_8);
  }
}
