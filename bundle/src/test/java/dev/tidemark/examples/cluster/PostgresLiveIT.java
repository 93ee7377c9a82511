package dev.tidemark.examples.cluster;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/**
 * A PostgreSQL under load, Debezium, Kafka and the pipeline: when the load has stopped, Doris has
 * PostgreSQL's rows, and so has who folds the change tables by key.
 */
@RunWith(JUnit4.class)
public final class PostgresLiveIT {
  private static final boolean LONG = Boolean.getBoolean("tidemark.long");
  private static final Duration LOAD = LONG ? Duration.ofMinutes(4) : Duration.ofSeconds(15);

  /** What a busy machine has not done while the load ran, it does after that. */
  private static final Duration SETTLED = Duration.ofMinutes(LONG ? 10 : 3);

  private static final Duration BETWEEN_TRANSACTIONS = Duration.ofMillis(10);
  private static final long SEED = 17;

  private static final String TABLES =
      """
      {
        "tables": [
          {
            "name": "customers",
            "topic": "source.shop.customers",
            "columns": {
              "id": "integer not null", "name": "text not null", "email": "text",
              "vip": "boolean not null", "balance": "numeric(12,2)", "created": "timestamptz not null"
            },
            "key": ["id"]
          },
          {
            "name": "orders",
            "topic": "source.shop.orders",
            "columns": {
              "order_id": "bigint not null", "region": "text not null", "customer_id": "integer",
              "total": "numeric(14,4)", "status": "text not null", "placed": "timestamp not null",
              "note": "text"
            },
            "key": ["order_id", "region"],
            "replicaIdentityFull": true
          },
          {
            "name": "order_items",
            "topic": "source.shop.order_items",
            "columns": {
              "order_id": "bigint not null", "line_no": "smallint not null", "sku": "text",
              "qty": "integer", "price": "numeric(10,2)"
            },
            "key": ["order_id", "line_no"]
          }
        ]
      }
      """;

  /** Says where it hangs, if it does: a query of Spark has no end of its own. */
  @Rule
  public final Timeout limit =
      Timeout.builder()
          .withTimeout(LONG ? 40 : 15, TimeUnit.MINUTES)
          .withLookingForStuckThread(true)
          .build();

  private final Instant begun = Instant.now();

  /** How values of a column read as texts, in PostgreSQL and in Spark. */
  private enum Kind {
    PLAIN("%s::text", "cast(%s as string)"),
    INSTANT(
        "to_char(%s AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')",
        "date_format(%s, 'yyyy-MM-dd HH:mm:ss.SSSSSS')"),
    LOCAL_TIME(
        "to_char(%s, 'YYYY-MM-DD HH24:MI:SS.US')", "date_format(%s, 'yyyy-MM-dd HH:mm:ss.SSSSSS')");

    private final String postgres;
    private final String spark;

    Kind(String postgres, String spark) {
      this.postgres = postgres;
      this.spark = spark;
    }
  }

  /** A table: its key, and its columns with the types that they have in Doris. */
  private record Table(String name, List<String> key, Map<String, String> columns) {
    private Kind kind(String column) {
      return switch (column) {
        case "created" -> Kind.INSTANT;
        case "placed" -> Kind.LOCAL_TIME;
        default -> Kind.PLAIN;
      };
    }

    String createInDoris() {
      return "CREATE TABLE "
          + name
          + " ("
          + columns.entrySet().stream()
              .map(column -> column.getKey() + " " + column.getValue())
              .collect(Collectors.joining(", "))
          + ") UNIQUE KEY("
          + String.join(", ", key)
          + ") DISTRIBUTED BY HASH("
          + key.get(0)
          + ") BUCKETS 1";
    }

    private String texts(Function<Kind, String> form) {
      return columns.keySet().stream()
          .map(column -> String.format(form.apply(kind(column)), column))
          .collect(Collectors.joining(", "));
    }

    Set<String> inPostgres(SourceDatabase database) throws Exception {
      return database.query("SELECT " + texts(kind -> kind.postgres) + " FROM shop." + name);
    }

    Set<String> inDoris(DorisProcess doris) throws IOException {
      Set<String> rows = new TreeSet<>();
      for (Map<String, JsonNode> row : doris.rows(CdcStage.DATABASE, name)) {
        List<String> values = new ArrayList<>();
        columns.forEach((column, type) -> values.add(text(row.get(column), type)));
        rows.add(String.join("|", values));
      }
      return rows;
    }

    /** As PostgreSQL shows it. */
    private static String text(JsonNode value, String type) {
      if (value.isNull()) {
        return "null";
      }
      if (type.startsWith("DECIMAL")) {
        int scale = Integer.parseInt(type.replaceAll(".*, *(\\d+)\\).*", "$1"));
        return new BigDecimal(value.asText()).setScale(scale).toPlainString();
      }
      return type.startsWith("BOOLEAN") ? Boolean.toString(value.asBoolean()) : value.asText();
    }

    /** The last change of each key, if it does not delete it. */
    Set<String> folded(SparkReader spark) throws IOException {
      String last =
          "SELECT *, row_number() OVER (PARTITION BY "
              + String.join(", ", key)
              + " ORDER BY _position DESC) AS nth FROM "
              + SparkReader.CATALOG
              + "."
              + CdcStage.DATABASE
              + "."
              + name;
      Set<String> rows = new TreeSet<>();
      for (JsonNode row :
          spark.query(
              "SELECT concat_ws('|', "
                  + columns.keySet().stream()
                      .map(
                          column ->
                              "coalesce(" + String.format(kind(column).spark, column) + ", 'null')")
                      .collect(Collectors.joining(", "))
                  + ") AS texts FROM ("
                  + last
                  + ") WHERE nth = 1 AND _kind IN ('+I', '+U')")) {
        rows.add(row.path("texts").asText());
      }
      return rows;
    }
  }

  @Test
  public void dorisAndChangeTablesBecomeWhatPostgresHolds() throws Exception {
    try (CdcStage stage = CdcStage.start("postgres", false);
        SourceDatabase database = SourceDatabase.start(stage.folder());
        Connection connection = database.connect()) {
      say("servers are up");
      ShopWorkload workload = new ShopWorkload(connection, SEED);
      workload.create();
      for (Table table : tables()) {
        stage.kafka().createTopics(Set.of(SourceDatabase.PREFIX + ".shop." + table.name()), 2);
        stage.doris().run(CdcStage.DATABASE, table.createInDoris());
      }
      database.startDebezium(stage.folder(), stage.kafka().bootstrapServers());
      say("Debezium reads");
      stage.prepare(TABLES, List.of());
      try (SparkReader spark = SparkReader.start(stage.folder(), stage.catalog().uri())) {
        stage.submit(2, "");
        say("the job runs");
        int transactions = load(workload);
        say(transactions + " transactions were run");
        for (Table table : tables()) {
          check(stage, database, spark, table);
        }
        stage.flink().rest().stopWithSavepoint(stage.job());
      }
    }
  }

  private static int load(ShopWorkload workload) throws Exception {
    long end = System.nanoTime() + LOAD.toNanos();
    int transactions = 0;
    while (System.nanoTime() < end) {
      workload.next();
      if (++transactions % 400 == 0) {
        workload.large(300);
      }
      LockSupport.parkNanos(BETWEEN_TRANSACTIONS.toNanos());
    }
    assertThat(transactions, is(greaterThan(400)));
    return transactions;
  }

  private void check(CdcStage stage, SourceDatabase database, SparkReader spark, Table table)
      throws Exception {
    Set<String> expected = table.inPostgres(database);
    assertThat(expected.size(), is(greaterThan(50)));
    Poll.until(
        "Doris and PostgreSQL have the same rows of " + table.name(),
        SETTLED,
        () -> table.inDoris(stage.doris()).equals(expected),
        () -> stage.flink().rest().failures(stage.job()) + stage.flink().tails());
    Poll.until(
        "the change table of " + table.name() + " folds to PostgreSQL's rows",
        SETTLED,
        () -> table.folded(spark).equals(expected),
        () -> stage.flink().rest().failures(stage.job()) + stage.flink().tails());
    assertThat(table.inPostgres(database), is(equalTo(expected)));
    say(table.name() + ": " + expected.size() + " rows in PostgreSQL, Doris and Iceberg");
  }

  private static List<Table> tables() {
    return List.of(
        new Table(
            "customers",
            List.of("id"),
            columns(
                "id INT NOT NULL",
                "name STRING",
                "email STRING",
                "vip BOOLEAN",
                "balance DECIMAL(12, 2)",
                "created DATETIME(6)")),
        new Table(
            "orders",
            List.of("order_id", "region"),
            columns(
                "order_id BIGINT NOT NULL",
                "region VARCHAR(32) NOT NULL",
                "customer_id INT",
                "total DECIMAL(14, 4)",
                "status STRING",
                "placed DATETIME(6)",
                "note STRING")),
        new Table(
            "order_items",
            List.of("order_id", "line_no"),
            columns(
                "order_id BIGINT NOT NULL",
                "line_no SMALLINT NOT NULL",
                "sku STRING",
                "qty INT",
                "price DECIMAL(10, 2)")));
  }

  private static Map<String, String> columns(String... declared) {
    Map<String, String> columns = new LinkedHashMap<>();
    for (String column : declared) {
      int space = column.indexOf(' ');
      columns.put(column.substring(0, space), column.substring(space + 1));
    }
    return columns;
  }

  private void say(String what) {
    System.out.printf(
        "postgres: %5.1f s  %s%n",
        Duration.between(begun, Instant.now()).toMillis() / 1_000.0, what);
  }
}
