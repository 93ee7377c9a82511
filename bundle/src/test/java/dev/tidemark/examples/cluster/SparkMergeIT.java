package dev.tidemark.examples.cluster;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.Assert.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.examples.cluster.OrderEvents.Order;
import dev.tidemark.sensor.Finalization;
import dev.tidemark.sensor.FinalizationReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/**
 * Upserts that stay in Spark, and plain SQL: what docs/how-to-merge-with-spark.md and
 * docs/how-to-read-with-sql.md say, with Spark in a process of its own and Iceberg's REST catalog.
 */
@RunWith(JUnit4.class)
public final class SparkMergeIT {
  private static final String UNTIL = "tidemark.finalized-until";
  private static final String CONSUMED = "tidemark.source.orders.consumed-snapshot-id";
  private static final int BATCH = 200;

  private static Path folder;
  private static RestCatalogProcess server;
  private static CatalogConfig catalog;
  private static SparkReader spark;

  private OrderChanges source;
  private ChangeTable changes;
  private ChangeTable base;

  @BeforeClass
  public static void start() throws Exception {
    folder = ServerJars.newFolder("spark-merge");
    server = RestCatalogProcess.start(folder);
    catalog = OrderChanges.catalog(server.uri());
    spark = SparkReader.start(folder, server.uri());
  }

  @AfterClass
  public static void stop() {
    spark.close();
    server.close();
  }

  @Before
  public void createTables() throws Exception {
    Instant first = Instant.now().minus(Duration.ofHours(30)).truncatedTo(ChronoUnit.HOURS);
    source = new OrderChanges(catalog, new OrderEvents(7, first, Duration.ofSeconds(45)));
    source.write(BATCH);
    changes = new ChangeTable(spark, CdcStage.DATABASE, "orders_changes");
    base = new ChangeTable(spark, CdcStage.DATABASE, "orders");
    spark.query(
        "CREATE TABLE lake.shop.orders (id BIGINT, customer INT, status STRING, amount BIGINT)"
            + " USING iceberg PARTITIONED BY (status)"
            + " TBLPROPERTIES ('write.merge.mode'='merge-on-read')");
  }

  @After
  public void dropTables() throws IOException {
    spark.query("DROP TABLE IF EXISTS lake.shop.orders");
    spark.query("DROP TABLE lake.shop.orders_changes");
  }

  @Test
  public void rowsAndWatermarkAppearInOneVersion() throws Exception {
    run();
    source.write(BATCH);
    String stated = changes.properties().get(UNTIL);

    run();

    assertThat(rows(), is(equalTo(source.events().rows())));
    List<JsonNode> versions = base.versions();
    for (int i = 0; i < versions.size(); i++) {
      boolean last = i == versions.size() - 1;
      JsonNode version = versions.get(i);
      assertThat(version.path("current-snapshot-id").asLong() == base.head(), is(last));
      assertThat(version.path("properties").path(UNTIL).asText().equals(stated), is(last));
    }
  }

  @Test
  public void sensorTakesTheBaseTablesWatermark() throws Exception {
    source.write(BATCH);
    run();

    FinalizationReport stated = report("orders_changes");
    FinalizationReport carried = report("orders");
    assertThat(carried.finalizedUntil(), is(equalTo(stated.finalizedUntil())));
    assertThat(carried.finalizedSince(), is(equalTo(stated.finalizedSince())));
    assertThat(carried.snapshotState(), is(FinalizationReport.SnapshotState.HELD));
  }

  @Test
  public void watermarkIsThatOfThePinnedVersion() throws Exception {
    String stated = changes.properties().get(UNTIL);
    Map<Long, Order> expected = new TreeMap<>(source.events().rows());
    spark.query("orders plan");
    source.write(BATCH);
    assertThat(changes.properties().get(UNTIL), is(not(equalTo(stated))));

    spark.query("orders merge");
    spark.query("orders publish");

    assertThat(rows(), is(equalTo(expected)));
    assertThat(base.properties().get(UNTIL), is(equalTo(stated)));
  }

  @Test
  public void onlyWhatIsNewIsReadAndARepeatedRunAddsNothing() throws Exception {
    run();
    source.write(BATCH);
    run();
    assertThat(newChanges(), is(BATCH));
    long published = base.head();

    run();

    assertThat(base.head(), is(published));
    assertThat(rows(), is(equalTo(source.events().rows())));
  }

  private static int newChanges() throws IOException {
    return spark.query("SELECT count(*) AS n FROM new_changes").get(0).path("n").asInt();
  }

  @Test
  public void runThatSomebodyCommittedBesideIsNotPublished() throws Exception {
    run();
    String until = base.properties().get(UNTIL);
    source.write(BATCH);
    spark.query("orders plan");
    spark.query("orders merge");
    spark.query("INSERT INTO lake.shop.orders VALUES (-1, 0, 'new', 0)");
    Map<Long, Order> between = rows();

    IOException refused = assertThrows(IOException.class, () -> spark.query("orders publish"));

    assertThat(refused.getMessage(), containsString("somebody else committed. Run again"));
    assertThat(rows(), is(equalTo(between)));
    assertThat(base.properties().get(UNTIL), is(equalTo(until)));
    run();
    Map<Long, Order> expected = new TreeMap<>(source.events().rows());
    expected.put(-1L, new Order(-1, 0, "new", 0));
    assertThat(rows(), is(equalTo(expected)));
  }

  @Test
  public void killedRunIsRepeatedFromTheBeginning() throws Exception {
    run();
    source.write(BATCH);
    long before = base.head();
    spark.query("orders plan");
    spark.query("orders merge");
    restartSpark();
    assertThat("nothing is published", base.head(), is(before));

    spark.query("orders plan");
    spark.query("orders merge");
    spark.query("orders publish");
    long published = base.head();
    restartSpark();
    assertThat("the tag is behind", tagged(), is(not(equalTo(changes.head()))));
    run();

    assertThat(rows(), is(equalTo(source.events().rows())));
    assertThat(base.properties().get(UNTIL), is(equalTo(changes.properties().get(UNTIL))));
    assertThat("the last run merged nothing", base.head(), is(published));
    assertThat(tagged(), is(changes.head()));
  }

  private void restartSpark() throws Exception {
    spark.kill();
    spark = SparkReader.start(folder, server.uri());
    changes = new ChangeTable(spark, CdcStage.DATABASE, "orders_changes");
    base = new ChangeTable(spark, CdcStage.DATABASE, "orders");
  }

  private long tagged() throws IOException {
    return changes
        .query(
            "SELECT snapshot_id AS s FROM {table}.refs WHERE name = 'tidemark-consumed-shop.orders'")
        .get(0)
        .path("s")
        .asLong();
  }

  /** The watermark moves alone when a writer attests that nothing older comes. */
  @Test
  public void movedWatermarkIsCarriedWithoutAChange() throws Exception {
    run();
    Instant moved = Instant.parse(changes.properties().get(UNTIL)).plus(Duration.ofHours(1));
    spark.query(
        "ALTER TABLE lake.shop.orders_changes SET TBLPROPERTIES ('%s'='%s', '%s-ms'='%d')"
            .formatted(UNTIL, moved, UNTIL, moved.toEpochMilli()));
    long before = base.head();

    run();

    assertThat(report("orders").finalizedUntil(), is(equalTo(moved)));
    assertThat(report("orders").snapshotState(), is(FinalizationReport.SnapshotState.HELD));
    assertThat("a snapshot fences the watermark", base.head(), is(not(equalTo(before))));
    assertThat(rows(), is(equalTo(source.events().rows())));
  }

  @Test
  public void rolledBackBaseTableIsMergedAgainFromWhereItIs() throws Exception {
    run();
    long first = base.head();
    source.write(BATCH);
    run();
    spark.query("CALL lake.system.rollback_to_snapshot('shop.orders', " + first + ")");
    assertThat(report("orders").snapshotState(), is(FinalizationReport.SnapshotState.ROLLED_BACK));

    run();

    assertThat(newChanges(), is(BATCH));
    assertThat(rows(), is(equalTo(source.events().rows())));
    assertThat(report("orders").snapshotState(), is(FinalizationReport.SnapshotState.HELD));
  }

  @Test
  public void rangeThatIsNoAppendIsRefused() throws Exception {
    run();
    spark.query("DELETE FROM lake.shop.orders_changes WHERE id = 1");

    spark.query("orders plan");
    IOException refused = assertThrows(IOException.class, () -> spark.query("orders merge"));

    assertThat(
        refused.getMessage(),
        allOf(containsString("it is no append but"), containsString("Rebuild")));
  }

  /** The tag keeps the snapshot that was consumed, and not those after it. */
  @Test
  public void rangeThatExpiredIsRefused() throws Exception {
    run();
    source.write(BATCH);
    source.write(BATCH);
    spark.query(
        "CALL lake.system.expire_snapshots(table => 'shop.orders_changes',"
            + " older_than => TIMESTAMP '2100-01-01 00:00:00', retain_last => 1)");

    spark.query("orders plan");
    IOException refused = assertThrows(IOException.class, () -> spark.query("orders merge"));

    assertThat(refused.getMessage(), containsString("its head does not descend from it. Rebuild"));
  }

  @Test
  public void plainSqlMergesTheSame() throws Exception {
    Map<String, String> values = new HashMap<>();
    run();
    source.write(BATCH);

    SqlBlocks.run("how-to-merge-with-spark.md", "In plain SQL", values, spark::query);

    assertThat(rows(), is(equalTo(source.events().rows())));
    FinalizationReport carried = report("orders");
    assertThat(carried.finalizedUntil(), is(equalTo(report("orders_changes").finalizedUntil())));
    assertThat(carried.snapshotState(), is(FinalizationReport.SnapshotState.HELD));
    assertThat(base.properties().get(CONSUMED), is(equalTo(Long.toString(changes.head()))));
  }

  /** What plain SQL says is what the library says. */
  @Test
  public void plainSqlReadsTheWatermarkAndTheFacts() throws Exception {
    source.write(BATCH);
    Map<String, String> values = new HashMap<>();

    List<JsonNode> facts = SqlBlocks.run("how-to-read-with-sql.md", "Spark", values, spark::query);

    FinalizationReport report = report("orders_changes");
    assertThat(Instant.parse(values.get("watermark")), is(equalTo(report.finalizedUntil())));
    assertThat(values.get("moved_by"), is(equalTo(String.valueOf(report.watermarkSnapshotId()))));
    assertThat(values.get("held"), is("1"));
    assertThat(values.get("snapshot"), is(equalTo(String.valueOf(report.headSnapshotId()))));
    assertThat(Integer.parseInt(values.get("records")), is(greaterThan(0)));
    assertThat(facts.size(), is(2));
    assertThat(facts.get(1).path("records").asInt(), is(BATCH));
    assertThat(
        Instant.parse(facts.get(1).path("finalized_until_before").asText())
            .isBefore(report.finalizedUntil()),
        is(true));
  }

  private void run() throws IOException {
    spark.query("orders run");
    assertThat(base.properties(), hasKey(CONSUMED));
  }

  private static FinalizationReport report(String table) {
    return Finalization.of(catalog, TableIdentifier.of(CdcStage.DATABASE, table)).report();
  }

  private Map<Long, Order> rows() throws IOException {
    Map<Long, Order> rows = new TreeMap<>();
    for (JsonNode row : base.query("SELECT * FROM {table}")) {
      long id = row.path("id").asLong();
      Order order =
          new Order(
              id,
              row.path("customer").asInt(),
              row.path("status").asText(),
              row.path("amount").asLong());
      assertThat("two rows of " + id, rows.put(id, order), is(nullValue()));
    }
    return rows;
  }
}
