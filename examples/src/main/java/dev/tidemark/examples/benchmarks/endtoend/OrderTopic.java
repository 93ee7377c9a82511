package dev.tidemark.examples.benchmarks.endtoend;

import dev.tidemark.examples.cluster.KafkaProcess;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A topic with the events of a run. They are written before the job starts, in two transactions:
 * the first is committed, the second when the job has read the first and is warm. So all events
 * that are measured can be read from one moment on, as fast as the job likes, and nobody has to
 * write while it reads.
 */
final class OrderTopic implements AutoCloseable {
  /** Partitions; every parallelism that is measured divides them. */
  static final int PARTITIONS = 4;

  private static final int TRANSACTION_MILLIS = 900_000;
  private static final int BATCH_BYTES = 256 << 10;
  private static final long BUFFER_BYTES = 64L << 20;

  private final String name;
  private final Producer<byte[], byte[]> producer;

  private OrderTopic(String name, Producer<byte[], byte[]> producer) {
    this.name = name;
    this.producer = producer;
  }

  static OrderTopic create(KafkaProcess broker, String name) throws Exception {
    broker.createTopics(Set.of(name), PARTITIONS);
    Map<String, Object> config =
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            broker.bootstrapServers(),
            ProducerConfig.TRANSACTIONAL_ID_CONFIG,
            name,
            ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
            TRANSACTION_MILLIS,
            ProducerConfig.BATCH_SIZE_CONFIG,
            BATCH_BYTES,
            ProducerConfig.BUFFER_MEMORY_CONFIG,
            BUFFER_BYTES,
            ProducerConfig.LINGER_MS_CONFIG,
            20);
    Producer<byte[], byte[]> producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    producer.initTransactions();
    return new OrderTopic(name, producer);
  }

  String name() {
    return name;
  }

  /** Writes events that nobody can read before {@link #publish}. */
  void write(Consumer<OrderLog.Records> events) {
    producer.beginTransaction();
    events.accept(
        (key, value, millis) -> {
          // What could not be written fails the commit.
          Future<RecordMetadata> unused =
              producer.send(new ProducerRecord<>(name, null, millis, key, value));
        });
    producer.flush();
  }

  /** Lets what was written be read. */
  void publish() {
    producer.commitTransaction();
  }

  @Override
  public void close() {
    producer.close();
  }
}
