package dev.tidemark.iceberg;

import static dev.tidemark.iceberg.Warehouse.ORDER;
import static dev.tidemark.iceberg.Warehouse.ORDERS;
import static dev.tidemark.iceberg.Warehouse.ORDERS_NAME;
import static dev.tidemark.iceberg.Warehouse.PLACED;
import static dev.tidemark.iceberg.Warehouse.order;
import static dev.tidemark.iceberg.WriteMetrics.counter;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasEntry;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.Assert.assertThrows;

import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.commit.CommitContext;
import dev.tidemark.eventtime.EventTimeExtractor;
import dev.tidemark.eventtime.EventTimeUnit;
import dev.tidemark.finalization.Decision;
import dev.tidemark.finalization.FinalizationPolicy;
import dev.tidemark.finalization.LateAlertOptions;
import dev.tidemark.finalization.Lookback;
import dev.tidemark.finalization.Policies;
import dev.tidemark.finalization.WriterEvidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.beam.sdk.Pipeline.PipelineExecutionException;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Each option of a write takes effect. */
@RunWith(JUnit4.class)
public class WriteOptionsTest {
  private static final FinalizationOptions LAST_COMMIT =
      FinalizationOptions.defaults().withPolicy(Policies.minOfMins(Lookback.of(1, Duration.ZERO)));
  private static final BlockingQueue<String> TOLD = new LinkedBlockingQueue<>();

  @Rule public final transient Warehouse warehouse = new Warehouse();
  @Rule public final transient TestPipeline pipeline = Pipelines.onOneThread();

  @Test
  public void tableIsCreatedWithItsPropertiesAndTheDefaults() {
    run(
        warehouse
            .write()
            .to(ORDERS)
            .withTableCreation(
                TableCreation.unpartitioned().withProperties(Map.of("owner", "shop"))),
        order(1, null, "eu"));

    Map<String, String> properties = warehouse.table(ORDERS_NAME).properties();
    assertThat(properties, hasEntry("owner", "shop"));
    assertThat(properties, hasEntry("write.metadata.compression-codec", "gzip"));
    assertThat(
        warehouse.table(ORDERS_NAME).schema().columns().stream()
            .map(Types.NestedField::toString)
            .toList(),
        contains(
            "1: id: required long",
            "2: placed: optional timestamptz",
            "3: region: optional string"));
  }

  @Test
  public void tableIsCreatedAtItsLocation() {
    CatalogConfig catalog = FaultyCatalog.config();

    run(
        TidemarkIcebergIO.writeRows()
            .withCatalog(catalog)
            .withWriterId("eu")
            .to(ORDERS)
            .withTableCreation(TableCreation.unpartitioned().withLocation("memory:/elsewhere")),
        order(1, null, "eu"));

    assertThat(catalog.loadTable(ORDERS).location(), is("memory:/elsewhere"));
    assertThat(Warehouse.records(catalog.loadTable(ORDERS), Expressions.alwaysTrue()), hasSize(1));
  }

  @Test
  public void columnsAreAddedWhereThatIsAskedFor() {
    warehouse.create(ORDERS_NAME, Schema.builder().addInt64Field("id").build());

    run(
        warehouse.write().to(ORDERS).withAddedColumns(AddedColumns.EVOLVE),
        order(1, "2024-05-01T10:00:00Z", "eu"));

    assertThat(warehouse.orders(ORDERS_NAME), contains(order(1, "2024-05-01T10:00:00Z", "eu")));
  }

  @Test
  public void columnsAreRefusedByDefaultAlsoWhereNothingWasCheckedAtLaunch() {
    warehouse.create(ORDERS_NAME, Schema.builder().addInt64Field("id").build());

    apply(warehouse.write().to(ORDERS).withoutLaunchCheck(), order(1, null, "eu"));
    PipelineExecutionException e =
        assertThrows(PipelineExecutionException.class, () -> pipeline.run());

    assertThat(e.getMessage(), containsString("it has no column placed, region"));
    assertThat(warehouse.table(ORDERS_NAME).schema().columns(), hasSize(1));
  }

  @Test
  public void missingTableFailsThePipelineWhereNothingWasCheckedAtLaunch() {
    apply(
        TidemarkIcebergIO.writeRows()
            .withCatalog(warehouse.config())
            .withWriterId("eu")
            .to(ORDERS)
            .withoutLaunchCheck(),
        order(1, null, "eu"));
    PipelineExecutionException e =
        assertThrows(PipelineExecutionException.class, () -> pipeline.run());

    assertThat(e.getMessage(), containsString("it does not exist"));
  }

  @Test
  public void missingTableFailsItsRowsWhereAFunctionNamesTheTables() {
    IcebergWriteResult written =
        apply(
            TidemarkIcebergIO.writeRows()
                .withCatalog(warehouse.config())
                .withWriterId("eu")
                .to(row -> ORDERS_NAME),
            order(1, null, "eu"));
    PAssert.thatSingleton(written.failed())
        .satisfies(
            failed -> {
              assertThat(failed.getFailure().getDescription(), containsString("it does not exist"));
              return null;
            });
    pipeline.run();
  }

  @Test
  public void factsAboutEventTimeAreInTheSummary() {
    run(
        warehouse.write().to(ORDERS).withEventTime(PLACED),
        order(1, "2024-05-01T10:00:00Z", "eu"),
        order(2, "2024-05-01T12:00:00Z", "eu"),
        order(3, null, "eu"));

    Map<String, String> summary = warehouse.summary(ORDERS_NAME);
    assertThat(summary, hasEntry("tidemark.event-time.count", "2"));
    assertThat(summary, hasEntry("tidemark.event-time.min", millis("2024-05-01T10:00:00Z")));
    assertThat(summary, hasEntry("tidemark.event-time.max", millis("2024-05-01T12:00:00Z")));
    assertThat(
        warehouse.table(ORDERS_NAME).properties(),
        hasEntry("tidemark.event-time.column", "placed"));
  }

  @Test
  public void shippedAccumulatorsAreInTheSummary() {
    Row[] rows = new Row[101];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = order(i, null, i % 2 == 0 ? "eu" : "us");
    }

    run(
        warehouse
            .write()
            .to(ORDERS)
            .withAccumulator(CommitAccumulator.distinctCount("regions", "region"))
            .withAccumulator(CommitAccumulator.quantiles("ids", "id"))
            .withAccumulator(CommitAccumulator.rowsByKind("rows", "region")),
        rows);

    Map<String, String> summary = warehouse.summary(ORDERS_NAME);
    assertThat(summary, hasEntry("tidemark.acc.regions.count", "2"));
    assertThat(summary, hasEntry("tidemark.acc.ids.q500", "50.0"));
    assertThat(summary, hasEntry("tidemark.acc.rows.eu", "51"));
    assertThat(summary, hasEntry("tidemark.acc.rows.us", "50"));
  }

  @Test
  public void batchMovesTheWatermarkToo() {
    IcebergWriteResult written =
        apply(
            warehouse.write().to(ORDERS).withEventTime(PLACED).withFinalization(LAST_COMMIT),
            order(1, "2024-05-01T10:59:00Z", "eu"));
    PAssert.that(
            written
                .advances()
                .apply(
                    MapElements.into(TypeDescriptors.strings())
                        .via(advance -> advance.finalizedUntil().toString())))
        .containsInAnyOrder("2024-05-01T10:00:00.000Z");
    pipeline.run();

    Map<String, String> properties = warehouse.table(ORDERS_NAME).properties();
    assertThat(properties, hasEntry("tidemark.finalized-until", "2024-05-01T10:00:00Z"));
    assertThat(properties, hasEntry("tidemark.policy", "minOfMins(1, PT0S)"));
  }

  @Test
  public void granularityRoundsTheWatermarkDown() {
    run(
        warehouse
            .write()
            .to(ORDERS)
            .withEventTime(PLACED)
            .withFinalization(LAST_COMMIT.withGranularity(Duration.standardMinutes(15))),
        order(1, "2024-05-01T10:59:00Z", "eu"));

    assertThat(
        warehouse.table(ORDERS_NAME).properties(),
        hasEntry("tidemark.finalized-until", "2024-05-01T10:45:00Z"));
  }

  @Test
  public void watermarkWaitsForTheRequiredWriters() {
    run(
        warehouse
            .write()
            .to(ORDERS)
            .withEventTime(PLACED)
            .withFinalization(LAST_COMMIT.withRequiredWriters(Set.of("eu", "us"))),
        order(1, "2024-05-01T10:59:00Z", "eu"));

    assertThat(
        warehouse.table(ORDERS_NAME).properties().get("tidemark.finalized-until"), is(nullValue()));
  }

  @Test
  public void backfillTellsNobodyAndReportsAllTheSame() {
    TOLD.clear();
    FinalizationOptions options =
        LAST_COMMIT.withLateDataListeners(alert -> TOLD.add(alert.toText()));
    finalizedAtTen();

    IcebergWriteResult written =
        apply(
            warehouse
                .write()
                .to(ORDERS)
                .withEventTime(PLACED)
                .withFinalization(
                    options.withLateAlerts(LateAlertOptions.standard().withBackfill(true))),
            order(2, "2024-05-01T08:00:00Z", "eu"));
    PAssert.that(
            written.late().apply(MapElements.into(TypeDescriptors.longs()).via(LateData::records)))
        .containsInAnyOrder(1L);
    pipeline.run();

    assertThat(TOLD, hasSize(0));
  }

  @Test
  public void listenerThatFailsHoldsNothingUp() throws Exception {
    TOLD.clear();
    finalizedAtTen();

    PipelineResult result =
        run(
            warehouse
                .write()
                .to(ORDERS)
                .withEventTime(PLACED)
                .withFinalization(
                    LAST_COMMIT.withLateDataListeners(
                        alert -> {
                          TOLD.add(alert.toText());
                          throw new IllegalStateException("no pager");
                        })),
            order(2, "2024-05-01T08:00:00Z", "eu"));

    assertThat(TOLD.poll(30, TimeUnit.SECONDS), containsString("late records"));
    assertThat(counter(result, "lateRecords"), is(1L));
    assertThat(warehouse.orders(ORDERS_NAME), hasSize(2));
  }

  @Test
  public void policyThatThrowsIsCountedAndTheRowsAreCommitted() {
    PipelineResult result =
        run(
            warehouse
                .write()
                .to(ORDERS)
                .withEventTime(PLACED)
                .withFinalization(LAST_COMMIT.withPolicy(new Throwing())),
            order(1, "2024-05-01T10:59:00Z", "eu"));

    assertThat(counter(result, "failedAdvances"), is(1L));
    assertThat(warehouse.orders(ORDERS_NAME), hasSize(1));
  }

  @Test
  public void foreignAppendsAreJudgedByTheUnitOfTheColumn() {
    Schema schema = Schema.builder().addInt64Field("id").addInt64Field("at").build();
    EventTimeExtractor at =
        EventTimeExtractor.column("at")
            .withUnit(EventTimeUnit.MICROS)
            .withRange(PLACED.maxPast(), PLACED.maxFuture());
    Table table = warehouse.create(ORDERS_NAME, schema);
    long ten = Instant.parse("2024-05-01T10:00:00Z").getMillis();
    WriteRows write = warehouse.write().to(ORDERS).withEventTime(at).withFinalization(LAST_COMMIT);
    runOther(schema, write, Row.withSchema(schema).addValues(1L, ten * 1000).build());
    table.newAppend().appendFile(foreign(table, (ten - 1) * 1000, 40)).commit();
    table.newAppend().appendFile(foreign(table, (ten + 1) * 1000, 500)).commit();

    IcebergWriteResult written =
        pipeline
            .apply(
                Create.of(Row.withSchema(schema).addValues(2L, ten * 1000).build())
                    .withRowSchema(schema))
            .apply(write);
    PAssert.thatSingleton(written.late())
        .satisfies(
            late -> {
              assertThat(late.writer(), is(nullValue()));
              assertThat(late.records(), is(40L));
              assertThat(late.exact(), is(false));
              return null;
            });
    PipelineResult result = pipeline.run();

    assertThat(counter(result, "foreignRecordsBelow"), is(40L));
  }

  @Test
  public void parkedTableIsTriedAgainAndTheOthersGoOn() {
    CatalogConfig catalog = FaultyCatalog.config();
    for (String name : List.of("db.eu", "db.us")) {
      Warehouse.create(catalog, name, ORDER);
    }
    IcebergWriteResult written =
        pipeline
            .apply(
                TestStream.create(ORDER)
                    .addElements(order(1, null, "eu"), order(2, null, "us"))
                    .advanceWatermarkToInfinity())
            .apply(
                TidemarkIcebergIO.writeRows()
                    .withCatalog(catalog)
                    .withWriterId("eu")
                    .to(row -> "db." + row.getString("region"))
                    .withCommitHook(new Revoking())
                    .withParkedRetry(Duration.millis(10)));
    PAssert.that(
            written
                .commits()
                .apply(MapElements.into(TypeDescriptors.strings()).via(TableCommit::table)))
        .containsInAnyOrder("db.eu");
    PAssert.that(written.failed())
        .satisfies(
            records -> {
              List<String> reasons = new ArrayList<>();
              records.forEach(record -> reasons.add(record.getFailure().getDescription()));
              assertThat(
                  reasons,
                  containsInAnyOrder(containsString("revoked"), containsString("The input ended")));
              return null;
            });
    PipelineResult result = pipeline.run();

    assertThat(counter(result, "parkedResults"), is(1L));
    FaultyCatalog.mend();
    assertThat(
        catalog.loadTable(TableIdentifier.parse("db.us")).currentSnapshot(), is(nullValue()));
  }

  private static String millis(String time) {
    return Long.toString(Instant.parse(time).getMillis());
  }

  /** A table whose watermark stands at ten o'clock. */
  private void finalizedAtTen() {
    runOther(
        ORDER,
        warehouse.write().to(ORDERS).withEventTime(PLACED).withFinalization(LAST_COMMIT),
        order(1, "2024-05-01T10:00:00Z", "eu"));
  }

  private PipelineResult run(WriteRows write, Row... rows) {
    PAssert.that(apply(write, rows).failed()).empty();
    return pipeline.run();
  }

  private IcebergWriteResult apply(WriteRows write, Row... rows) {
    return pipeline.apply(Create.of(List.of(rows)).withRowSchema(ORDER)).apply(write);
  }

  /** Runs another pipeline before the one of the test. */
  private static void runOther(Schema schema, WriteRows write, Row row) {
    TestPipeline other = TestPipeline.create().enableAbandonedNodeEnforcement(false);
    other.apply(Create.of(row).withRowSchema(schema)).apply(write);
    other.run();
  }

  private static DataFile foreign(Table table, long lowestAt, long records) {
    int id = table.schema().findField("at").fieldId();
    return DataFiles.builder(PartitionSpec.unpartitioned())
        .withPath(table.location() + "/data/foreign-" + lowestAt + ".parquet")
        .withFileSizeInBytes(100)
        .withMetrics(
            new Metrics(
                records,
                null,
                null,
                null,
                null,
                Map.of(id, Conversions.toByteBuffer(Types.LongType.get(), lowestAt)),
                null))
        .build();
  }

  /** The grant is revoked between the write and the commit of a table. */
  private static final class Revoking implements SerializableCommitHook {
    @Override
    public void beforeCommit(CommitContext context) {
      if (context.table().name().endsWith("us")) {
        FaultyCatalog.forbid("db.us");
        throw new IllegalStateException("Not this time");
      }
    }
  }

  private static final class Throwing implements FinalizationPolicy {
    @Override
    public Decision decide(WriterEvidence evidence) {
      throw new IllegalStateException("not like this");
    }

    @Override
    public String describe() {
      return "throwing()";
    }

    @Override
    public Lookback lookback() {
      return Lookback.of(1, Duration.ZERO);
    }
  }
}
