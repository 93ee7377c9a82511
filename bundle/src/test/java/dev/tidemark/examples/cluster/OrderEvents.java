package dev.tidemark.examples.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Changes of one table as Debezium tells them, a log position each, and the rows that they come to.
 * Their times go on by a step with each, some minutes out of order; one in five thousand is hours
 * behind.
 */
final class OrderEvents {
  static final String TOPIC = "source.shop.orders";

  /** The declaration of the table. */
  static final String TABLES =
      """
      {
        "tables": [
          {
            "name": "orders",
            "topic": "source.shop.orders",
            "columns": {
              "id": "bigint not null", "customer": "integer", "status": "text", "amount": "bigint"
            },
            "key": ["id"]
          }
        ]
      }
      """;

  static final String CREATE_IN_DORIS =
      "CREATE TABLE orders (id BIGINT NOT NULL, customer INT, status STRING, amount BIGINT)"
          + " UNIQUE KEY(id) DISTRIBUTED BY HASH(id) BUCKETS 1";

  private static final int KEYS = 500;
  private static final long FIRST_POSITION = 1_000_000;
  private static final int STRAGGLER = 5_003;
  private static final Duration BEHIND = Duration.ofHours(5);
  private static final int DISORDER_MILLIS = 120_000;
  private static final String[] STATUS = {"new", "paid", "shipped", "returned"};

  private final ObjectMapper json = new ObjectMapper();
  private final Random random;
  private final Instant start;
  private final Duration step;
  private final TreeMap<Long, Order> rows = new TreeMap<>();
  private int count;

  OrderEvents(long seed, Instant start, Duration step) {
    this.random = new Random(seed);
    this.start = start;
    this.step = step;
  }

  /** A row as it is to be in the end. */
  record Order(long id, int customer, String status, long amount) {}

  /** The next event, and after a delete its tombstone. */
  List<ProducerRecord<byte[], byte[]>> next() {
    long id = random.nextInt(KEYS);
    Order before = rows.get(id);
    boolean deleted = before != null && random.nextInt(8) == 0;
    Order after =
        deleted
            ? null
            : new Order(
                id,
                random.nextInt(1_000),
                STATUS[random.nextInt(STATUS.length)],
                random.nextInt(1_000_000));
    ObjectNode event = json.createObjectNode();
    // As with REPLICA IDENTITY DEFAULT: deletes tell the key, and updates nothing of before.
    event.set("before", deleted ? json.createObjectNode().put("id", id) : null);
    event.set("after", after == null ? null : json.valueToTree(after));
    long millis = nextMillis();
    event
        .putObject("source")
        .put("connector", "postgresql")
        .put("ts_ms", millis)
        .put("snapshot", "false")
        .put("schema", "shop")
        .put("table", "orders")
        .put("ts_us", millis * 1_000)
        .put("txId", count)
        .put("lsn", FIRST_POSITION + count);
    event.put("op", deleted ? "d" : before == null ? "c" : "u").put("ts_ms", millis);
    if (after == null) {
      rows.remove(id);
    } else {
      rows.put(id, after);
    }
    count++;
    byte[] key = json.createObjectNode().put("id", id).toString().getBytes(UTF_8);
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    records.add(new ProducerRecord<>(TOPIC, key, event.toString().getBytes(UTF_8)));
    if (deleted) {
      records.add(new ProducerRecord<>(TOPIC, key, null));
    }
    return records;
  }

  private long nextMillis() {
    long millis = start.toEpochMilli() + count * step.toMillis() - random.nextInt(DISORDER_MILLIS);
    return count % STRAGGLER == STRAGGLER - 1 ? millis - BEHIND.toMillis() : millis;
  }

  int count() {
    return count;
  }

  /** What each event's position is in the change table, whatever its step: the log's. */
  List<Long> positions() {
    List<Long> positions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      positions.add(FIRST_POSITION + i);
    }
    return positions;
  }

  /** The rows that the events come to. */
  Map<Long, Order> rows() {
    return rows;
  }

  /** The rows that Doris has. */
  static Map<Long, Order> in(DorisProcess doris) throws IOException {
    Map<Long, Order> rows = new TreeMap<>();
    for (Map<String, JsonNode> row : doris.rows(CdcStage.DATABASE, "orders")) {
      long id = row.get("id").asLong();
      rows.put(
          id,
          new Order(
              id,
              row.get("customer").asInt(),
              row.get("status").asText(),
              row.get("amount").asLong()));
    }
    return rows;
  }
}
