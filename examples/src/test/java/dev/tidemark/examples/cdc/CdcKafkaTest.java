package dev.tidemark.examples.cdc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.tidemark.change.DebeziumRecord;
import dev.tidemark.examples.cluster.KafkaProcess;
import dev.tidemark.flink.testing.EmbeddedFlink;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.zip.GZIPInputStream;
import org.apache.beam.sdk.Pipeline;
import org.apache.flink.api.common.JobID;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The pipeline from a real broker, on an embedded Flink cluster. */
public class CdcKafkaTest {
  private static final String DEAD_LETTERS = "shop.dead-letters";

  /** Fits into a record of Kafka; a letter that holds it twice does not. */
  private static final int LONG_GARBAGE = 700_000;

  private static final String GARBAGE = "{\"no\": \"event\"";

  /** Each stage begins with the savepoint of the one before. */
  private static final ImmutableList<Integer> PARALLELISMS =
      Boolean.getBoolean("tidemark.long")
          ? ImmutableList.of(2, 4, 1, 3, 2, 4)
          : ImmutableList.of(2, 3);

  private static final ImmutableSet<String> TOPICS =
      ImmutableSet.of("pg.shop.customers", "pg.shop.orders", "pg.shop.order_items");

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void tablesEqualTheSourceAfterStopsWithSavepoints() throws Exception {
    Path root = folder.getRoot().toPath();
    try (KafkaProcess kafka = KafkaProcess.start(root.resolve("kafka"));
        EmbeddedFlink flink = EmbeddedFlink.start();
        ShopRun shop = ShopRun.in(root.resolve("shop"))) {
      kafka.createTopics(TOPICS, 2);
      kafka.createTopics(Set.of(DEAD_LETTERS), 1);
      List<DebeziumRecord> events = events(shop.files().events());
      send(
          kafka,
          List.of(
              DebeziumRecord.of("pg.shop.orders", "{\"order_id\": 1}", GARBAGE),
              DebeziumRecord.of("pg.shop.orders", "{\"order_id\": 2}", "x".repeat(LONG_GARBAGE))));
      String savepoint = null;
      for (int stage = 0; stage < PARALLELISMS.size(); stage++) {
        int from = events.size() * stage / PARALLELISMS.size();
        int to = events.size() * (stage + 1) / PARALLELISMS.size();
        int loads = shop.doris().transactions().size();
        JobID job = flink.submit(pipeline(flink, shop, kafka, PARALLELISMS.get(stage), savepoint));
        send(kafka, events.subList(from, to));
        if (to < events.size()) {
          flink.awaitCondition(job, () -> shop.doris().transactions().size() > loads, 120);
          savepoint = flink.stop(job, root.resolve("savepoints"), false);
          assertThat(shop.differences(), not(empty()));
        } else {
          flink.awaitCondition(job, () -> isRight(shop), 120);
          flink.cancel(job);
        }
      }
      shop.assertRight();
      List<JsonNode> letters = deadLetters(kafka);
      Set<String> values = new TreeSet<>();
      letters.forEach(letter -> values.add(letter.path("value").asText("too long")));
      assertThat(values, contains("too long", GARBAGE));
      assertThat(letters.get(0).get("stage").textValue(), is("parse"));
      assertThat(letters.get(0).get("topic").textValue(), is("pg.shop.orders"));
    }
  }

  private static Pipeline pipeline(
      EmbeddedFlink flink, ShopRun shop, KafkaProcess kafka, int parallelism, String savepoint)
      throws Exception {
    List<String> more =
        new ArrayList<>(
            List.of(
                "--source=KAFKA",
                "--inputFiles=",
                "--kafkaServers=" + kafka.bootstrapServers(),
                "--deadLetters=KAFKA",
                "--deadLetterFolder=",
                "--deadLetterTopic=" + DEAD_LETTERS,
                "--upsertOrder=ARRIVAL",
                "--upsertShards=16",
                "--dorisDelivery=TWO_PHASE_COMMIT",
                "--checkpointingInterval=500",
                "--maxParallelism=16",
                "--parallelism=" + parallelism));
    if (savepoint != null) {
      more.add("--savepointPath=" + savepoint);
    }
    CdcOptions options = CdcPipeline.options(shop.arguments(more.toArray(new String[0])));
    ShopRun.onto(flink.options(parallelism, 500), options);
    Guarded.guard(options);
    Pipeline pipeline = Pipeline.create(options);
    CdcPipeline.build(pipeline, options);
    return pipeline;
  }

  private static boolean isRight(ShopRun shop) {
    try {
      return shop.differences().isEmpty();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<DebeziumRecord> events(Path file) throws Exception {
    List<DebeziumRecord> events = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), UTF_8))) {
      String line;
      while ((line = lines.readLine()) != null) {
        DebeziumRecord event = EventLine.parse(line).record();
        if (TOPICS.contains(event.topic())) {
          events.add(event);
        }
      }
    }
    return events;
  }

  /** As Debezium does: the key decides on the partition. */
  private static void send(KafkaProcess kafka, List<DebeziumRecord> events) throws Exception {
    Map<String, Object> config =
        Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
    try (Producer<String, String> producer =
        new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (DebeziumRecord event : events) {
        ProducerRecord<String, String> record =
            new ProducerRecord<>(event.topic(), event.key(), event.value());
        event.headers().forEach((name, value) -> record.headers().add(name, value.getBytes(UTF_8)));
        sent.add(producer.send(record));
      }
      for (Future<RecordMetadata> record : sent) {
        record.get();
      }
    }
  }

  private static List<JsonNode> deadLetters(KafkaProcess kafka) throws Exception {
    ObjectMapper json = new ObjectMapper();
    Map<String, Object> config =
        Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
    TopicPartition partition = new TopicPartition(DEAD_LETTERS, 0);
    List<JsonNode> letters = new ArrayList<>();
    try (Consumer<String, String> consumer =
        new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      while (consumer.position(partition) < end) {
        for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofSeconds(1))) {
          letters.add(json.readTree(record.value()));
        }
      }
    }
    return letters;
  }
}
