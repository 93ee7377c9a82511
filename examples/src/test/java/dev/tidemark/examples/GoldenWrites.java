package dev.tidemark.examples;

import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.doris.DeliveryMode;
import dev.tidemark.doris.DorisIO;
import dev.tidemark.doris.DorisTable;
import dev.tidemark.doris.DorisWrite;
import dev.tidemark.doris.emulator.DorisEmulator;
import dev.tidemark.doris.emulator.TransactionInfo;
import dev.tidemark.doris.emulator.TransactionState;
import dev.tidemark.eventtime.EventTimeExtractor;
import dev.tidemark.finalization.IdleHandling;
import dev.tidemark.finalization.Lookback;
import dev.tidemark.finalization.Policies;
import dev.tidemark.flink.TidemarkFlinkOptions;
import dev.tidemark.flink.testing.EmbeddedFlink;
import dev.tidemark.flink.testing.IdSource;
import dev.tidemark.iceberg.CommitAccumulator;
import dev.tidemark.iceberg.FinalizationOptions;
import dev.tidemark.iceberg.TableCreation;
import dev.tidemark.iceberg.TidemarkIcebergIO;
import dev.tidemark.iceberg.WriteRows;
import dev.tidemark.upsert.MaterializeUpserts;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.apache.flink.api.common.JobID;
import org.apache.iceberg.catalog.TableIdentifier;
import org.joda.time.Duration;

/**
 * The pipeline of the recorded savepoint: a finalized write to Iceberg, upserts into a table of
 * Doris, and a write to another one in two phases.
 *
 * <p>Ids below {@link #COMMITTED} were committed and loaded before the savepoint was taken. Those
 * up to {@link #HELD} are held in it, for no checkpoint had completed since: data files in the
 * commit stage, rows in the stage of loads, orders as candidates in the journal of upserts. With
 * the ids after those the last order of each customer is taken back, which shows the one before it,
 * that only the restored journal knows.
 */
final class GoldenWrites {
  static final int CUSTOMERS = 40;
  static final int COMMITTED = 60;
  static final int HELD = 3 * CUSTOMERS;
  static final int ALL = 4 * CUSTOMERS;
  static final String WRITER = "golden";
  static final String UPSERTS = "upserts";
  static final String TWO_PHASES = "two_phases";

  /**
   * Of the recorded table, whose files name each other by this, from the folder of the module, in
   * which tests run.
   */
  static final Path WAREHOUSE = Path.of("target", "golden-writes");

  static final TableIdentifier TABLE = TableIdentifier.of("shop", "ids");

  private static final String DATABASE = "shop";
  private static final String USER = "golden";
  private static final String PASSWORD = "golden-password";
  private static final Instant FIRST_EVENT = Instant.ofEpochMilli(IdSource.START.getMillis());
  private static final int SHARDS = 4;
  private static final Schema LOGGED =
      Schema.builder()
          .addInt64Field("id")
          .addLogicalTypeField("at", SqlTypes.TIMESTAMP)
          .addStringField("text")
          .build();
  private static final Schema SERVED =
      Schema.builder().addInt64Field("customer").addInt64Field("number").build();

  private static final Set<Long> READ = ConcurrentHashMap.newKeySet();

  private GoldenWrites() {}

  static void reset() {
    READ.clear();
    IdSource.release();
  }

  /** How many ids were read. */
  static int read() {
    return READ.size();
  }

  static CatalogConfig catalog() {
    return CatalogConfig.of("lake", Map.of("type", "hadoop", "warehouse", WAREHOUSE.toString()));
  }

  /** An emulator with two empty tables. */
  static DorisEmulator startDoris() {
    DorisEmulator doris = DorisEmulator.builder().user(USER).password(PASSWORD).start();
    for (String table : List.of(UPSERTS, TWO_PHASES)) {
      doris.createTable(
          "CREATE TABLE "
              + DATABASE
              + "."
              + table
              + " (customer BIGINT NOT NULL, number BIGINT) UNIQUE KEY(customer)"
              + " PROPERTIES(\"enable_unique_key_merge_on_write\" = \"true\")");
    }
    return doris;
  }

  /** The order of each customer that a table of Doris shows. */
  static Map<Long, Long> orders(DorisEmulator doris, String table) {
    Map<Long, Long> orders = new TreeMap<>();
    doris
        .rows(DATABASE, table)
        .forEach(row -> orders.put((Long) row.get("customer"), (Long) row.get("number")));
    return orders;
  }

  /** Each customer's order when the customer's orders begin at this one. */
  static Map<Long, Long> ordersFrom(long first) {
    Map<Long, Long> orders = new TreeMap<>();
    for (long order = first; order < first + CUSTOMERS; order++) {
      orders.put(order % CUSTOMERS, order);
    }
    return orders;
  }

  /** Labels of visible loads into a table. */
  static List<String> labels(DorisEmulator doris, String table) {
    return doris.transactions().stream()
        .filter(info -> info.table().equals(table) && info.state() == TransactionState.VISIBLE)
        .map(TransactionInfo::label)
        .toList();
  }

  private static final class LogFn extends DoFn<Long, Row> {
    @ProcessElement
    public void process(@Element Long id, OutputReceiver<Row> out) {
      READ.add(id);
      out.output(
          Row.withSchema(LOGGED)
              .attachValues(id, FIRST_EVENT.plusSeconds(120 * id), "row " + id % 10));
    }
  }

  private static final class OrderFn extends DoFn<Long, Change> {
    @ProcessElement
    public void process(@Element Long id, OutputReceiver<Change> out) {
      long order = id < HELD ? id : id - CUSTOMERS;
      out.output(
          Change.of(
              id < HELD ? ChangeKind.INSERT : ChangeKind.DELETE,
              Row.withSchema(SERVED).addValues(order % CUSTOMERS, order).build()));
    }
  }

  /** Leaves out what the savepoint would hold as transactions that no server has open any more. */
  private static final class TwoPhasesFn extends DoFn<Long, Change> {
    @ProcessElement
    public void process(@Element Long id, OutputReceiver<Change> out) {
      if (id < COMMITTED || id >= HELD) {
        out.output(
            Change.of(
                ChangeKind.UPDATE_AFTER,
                Row.withSchema(SERVED).addValues(id % CUSTOMERS, id).build()));
      }
    }
  }

  static TidemarkFlinkOptions options(EmbeddedFlink flink, int parallelism, long interval) {
    TidemarkFlinkOptions options = flink.options(parallelism, interval);
    options.setMaxParallelism(64);
    options.setNumberOfExecutionRetries(0);
    options.setJobName("golden-writes");
    return options;
  }

  static JobID run(EmbeddedFlink flink, TidemarkFlinkOptions options, DorisEmulator doris)
      throws Exception {
    Pipeline pipeline = Pipeline.create(options);
    PCollection<Long> ids = pipeline.apply("Ids", Read.from(IdSource.of(ALL, 2_000, false)));
    ids.apply("Rows", ParDo.of(new LogFn())).setRowSchema(LOGGED).apply("Log", log());
    ids.apply("Orders", ParDo.of(new OrderFn()))
        .setCoder(ChangeCoder.of(SERVED))
        .apply(
            "Upserts",
            MaterializeUpserts.create()
                .withSinkKey("customer")
                .withUpsertKey("customer", "number")
                .withShards(SHARDS))
        .changes()
        .apply("Serve", serve(doris, UPSERTS, DeliveryMode.LABELS));
    ids.apply("Latest", ParDo.of(new TwoPhasesFn()))
        .setCoder(ChangeCoder.of(SERVED))
        .apply("ServeInTwoPhases", serve(doris, TWO_PHASES, DeliveryMode.TWO_PHASE_COMMIT));
    return flink.submit(pipeline);
  }

  private static WriteRows log() {
    return TidemarkIcebergIO.writeRows()
        .withCatalog(catalog())
        .to(TABLE)
        .withWriterId(WRITER)
        .withTableCreation(TableCreation.unpartitioned().withPartitions("hour(at)"))
        .withEventTime(EventTimeExtractor.column("at"))
        .withFinalization(
            FinalizationOptions.defaults()
                .withPolicy(Policies.minOfMins(Lookback.of(2, Duration.ZERO)))
                // The input watermark stays below the first event: it attests, and moves nothing.
                .withIdle(IdleHandling.inputWatermark(Duration.standardMinutes(1))))
        .withAccumulator(
            CommitAccumulator.of(
                "rows", schema -> Count.<Row>combineFn(), rows -> Map.of("count", rows.toString())))
        .withHeartbeatInterval(Duration.millis(500));
  }

  private static DorisWrite serve(DorisEmulator doris, String table, DeliveryMode mode) {
    return DorisIO.write()
        .withFrontends(doris.frontend())
        .withUser(USER)
        .withPassword(PASSWORD)
        .to(DorisTable.of(DATABASE, table).withKey("customer"))
        .withLabelPrefix(WRITER)
        .withDelivery(mode)
        .withShards(2)
        .withHeartbeatInterval(Duration.millis(200));
  }
}
