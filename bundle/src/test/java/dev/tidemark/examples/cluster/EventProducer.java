package dev.tidemark.examples.cluster;

import java.util.Properties;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Sends events to Kafka at a steady rate until it is told to stop. */
final class EventProducer implements AutoCloseable {
  private static final int TICKS_PER_SECOND = 20;

  private final OrderEvents events;
  private final KafkaProducer<byte[], byte[]> kafka;
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final AtomicReference<Exception> failure = new AtomicReference<>();

  private EventProducer(OrderEvents events, KafkaProducer<byte[], byte[]> kafka) {
    this.events = events;
    this.kafka = kafka;
  }

  static EventProducer start(OrderEvents events, String bootstrapServers, int eventsPerSecond) {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", bootstrapServers);
    settings.put("acks", "all");
    EventProducer producer =
        new EventProducer(
            events,
            new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer()));
    var unused =
        producer.timer.scheduleAtFixedRate(
            () -> producer.send(eventsPerSecond / TICKS_PER_SECOND),
            0,
            TimeUnit.SECONDS.toMillis(1) / TICKS_PER_SECOND,
            TimeUnit.MILLISECONDS);
    return producer;
  }

  private void send(int count) {
    for (int i = 0; i < count; i++) {
      events.next().forEach(this::send);
    }
  }

  private void send(ProducerRecord<byte[], byte[]> record) {
    var unused =
        kafka.send(
            record,
            (metadata, error) -> {
              if (error != null) {
                failure.compareAndSet(null, error);
              }
            });
  }

  /** Stops, and returns when Kafka has all events. */
  void stop() throws Exception {
    timer.shutdown();
    if (!timer.awaitTermination(1, TimeUnit.MINUTES)) {
      throw new IllegalStateException("Cannot stop sending events: Kafka does not take them.");
    }
    kafka.flush();
    if (failure.get() != null) {
      throw new IllegalStateException("Cannot send all events: " + failure.get(), failure.get());
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
    kafka.close();
  }
}
