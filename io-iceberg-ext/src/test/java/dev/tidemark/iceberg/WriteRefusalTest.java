package dev.tidemark.iceberg;

import static dev.tidemark.iceberg.Warehouse.ORDER;
import static dev.tidemark.iceberg.Warehouse.ORDERS;
import static dev.tidemark.iceberg.Warehouse.ORDERS_NAME;
import static dev.tidemark.iceberg.Warehouse.PLACED;
import static dev.tidemark.iceberg.Warehouse.order;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import dev.tidemark.eventtime.EventTimeExtractor;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.PipelineRunner;
import org.apache.beam.sdk.coders.RowCoder;
import org.apache.beam.sdk.coders.SerializableCoder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.SimpleFunction;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.catalog.TableIdentifier;
import org.joda.time.Duration;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** What is refused before any data moves, with the remedy. */
@RunWith(JUnit4.class)
public class WriteRefusalTest {
  private static final AtomicInteger MOVED = new AtomicInteger();

  @Rule public final Warehouse warehouse = new Warehouse();

  private final Pipeline pipeline = Pipeline.create();

  @Before
  public void nothingMoved() {
    MOVED.set(0);
  }

  @Test
  public void missingCatalogTableAndWriterIdAreNamed() {
    WriteRows none = TidemarkIcebergIO.writeRows();

    assertRefused(() -> apply(none), "Missing required value: catalog. Set it with withCatalog");
    assertRefused(
        () -> apply(none.withCatalog(warehouse.config())),
        "Missing required value: writer id. Set it with withWriterId");
    assertRefused(
        () -> apply(none.withCatalog(warehouse.config()).withWriterId("eu")),
        "Missing required value: table. Set it with to");
  }

  @Test
  public void invalidWriterIdIsRefusedAtOnce() {
    assertRefused(
        () -> TidemarkIcebergIO.writeRows().withWriterId("eu west"), "Invalid writer id: eu west");
    assertRefused(() -> TidemarkIcebergIO.writeRows().withWriterId(""), "Invalid writer id");
  }

  @Test
  public void missingTableIsRefusedAtLaunch() {
    apply(uncreated().to(ORDERS));

    assertRefused(
        pipeline::run,
        "Cannot write to table db.orders: it does not exist",
        "Create it, correct the name, or use withTableCreation");
  }

  @Test
  public void missingNamespaceIsRefusedAtLaunch() {
    apply(uncreated().to(TableIdentifier.of("nowhere", "orders")));

    assertRefused(pipeline::run, "Cannot write to table nowhere.orders: it does not exist");
  }

  @Test
  public void wrongColumnNameIsRefusedAtLaunch() {
    warehouse.create(
        ORDERS_NAME, Schema.builder().addInt64Field("id").addStringField("Region").build());
    apply(uncreated().to(ORDERS));

    assertRefused(
        pipeline::run,
        "Cannot write to table db.orders: it has no column placed, region",
        "use withAddedColumns(AddedColumns.EVOLVE)",
        "The table has [id, Region]");
  }

  @Test
  public void wrongColumnTypeIsRefusedAtLaunch() {
    warehouse.create(ORDERS_NAME, wrongType());
    apply(uncreated().to(ORDERS));

    assertRefused(pipeline::run, "placed");
  }

  @Test
  public void wrongColumnTypeIsRefusedAtLaunchThoughColumnsMayBeAdded() {
    warehouse.create(ORDERS_NAME, wrongType());
    apply(uncreated().to(ORDERS).withAddedColumns(AddedColumns.EVOLVE));

    assertRefused(pipeline::run, "placed");
    assertThat(warehouse.table(ORDERS_NAME).schema().findField("region") == null, is(true));
  }

  @Test
  public void wrongEventTimeColumnIsRefused() {
    assertRefused(
        () -> apply(complete().withEventTime(EventTimeExtractor.column("shipped"))), "shipped");
  }

  @Test
  public void finalizationWithoutEventTimeIsRefused() {
    assertRefused(
        () -> apply(warehouse.write().to(ORDERS).withFinalization(FinalizationOptions.defaults())),
        "without event time. Add withEventTime");
  }

  @Test
  public void rowsWithoutSchemaAreRefused() {
    PCollection<Row> rows =
        pipeline
            .apply(Create.of(1))
            .apply(
                MapElements.via(
                    new SimpleFunction<Integer, Row>() {
                      @Override
                      public Row apply(Integer id) {
                        return order(id, null, null);
                      }
                    }))
            .setCoder(SerializableCoder.of(Row.class));

    assertRefused(() -> rows.apply(complete()), "Set it with setRowSchema");
  }

  @Test
  public void partitionFieldOfAMissingColumnIsRefused() {
    assertRefused(
        () -> apply(warehouse.write("hour(shipped)").to(ORDERS)),
        "Cannot partition a table by [hour(shipped)]",
        "Correct withPartitions",
        "placed timestamptz");
  }

  @Test
  public void partitionTransformThatDoesNotFitItsColumnIsRefused() {
    assertRefused(
        () -> apply(warehouse.write("hour(region)").to(row -> "db." + row.getString("region"))),
        "Cannot partition a table by [hour(region)]",
        "region string");
  }

  @Test
  public void severalTablesAtOneLocationAreRefused() {
    WriteRows write =
        warehouse
            .write()
            .withTableCreation(TableCreation.unpartitioned().withLocation("/somewhere"));

    assertRefused(
        () -> apply(write.to(row -> "db." + row.getString("region"))),
        "Cannot create several tables at one location",
        "Leave out withLocation");
  }

  @Test
  public void unknownRunnerOfAStreamIsRefused() {
    PipelineOptions options = PipelineOptionsFactory.create();
    options.setRunner(UnknownRunner.class);
    Pipeline elsewhere = Pipeline.create(options);
    elsewhere
        .apply(
            TestStream.create(RowCoder.of(ORDER))
                .addElements(order(1, null, "eu"))
                .advanceWatermarkToInfinity())
        .apply(complete());

    assertRefused(
        elsewhere::run,
        "as a streaming pipeline",
        "UnknownRunner",
        "tidemark-runner-flink-glue",
        "read a bounded input");
  }

  @Test
  public void unknownRunnerOfABatchIsTaken() {
    PipelineOptions options = PipelineOptionsFactory.create();
    options.setRunner(UnknownRunner.class);
    Pipeline elsewhere = Pipeline.create(options);
    elsewhere.apply(Create.of(order(1, null, "eu")).withRowSchema(ORDER)).apply(complete());

    assertThrows(UnknownRunner.Reached.class, elsewhere::run);
  }

  @Test
  public void valuesOutOfRangeAreRefusedAtOnce() {
    WriteRows write = TidemarkIcebergIO.writeRows();

    assertRefused(() -> write.withCommitConcurrency(0), "must be at least 1");
    assertRefused(() -> write.withRowGrouping(0), "must be at least 1");
    assertRefused(() -> write.withHeartbeatInterval(Duration.millis(9)), "at least PT0.010S");
    assertRefused(() -> write.withParkedRetry(Duration.ZERO), "at least PT0.010S");
    assertRefused(() -> write.toBranch("a..b"), "Invalid branch");
    assertRefused(
        () -> write.to(TableIdentifier.of("my.db", "orders")), "no level of its name", "a dot");
  }

  @Test
  public void accumulatorNamesAreCheckedAndUnique() {
    CommitAccumulator<?, ?> regions = CommitAccumulator.distinctCount("regions", "region");

    assertRefused(
        () -> complete().withAccumulator(regions).withAccumulator(regions), "must be unique");
    assertRefused(
        () -> CommitAccumulator.distinctCount("Regions", "region"), "Invalid accumulator name");
    assertRefused(
        () -> apply(complete().withAccumulator(CommitAccumulator.rowsByKind("k", "kind"))),
        "Invalid column to count by: kind");
  }

  private static Schema wrongType() {
    return Schema.builder().addInt64Field("id").addStringField("placed").build();
  }

  private WriteRows uncreated() {
    return TidemarkIcebergIO.writeRows().withCatalog(warehouse.config()).withWriterId("eu");
  }

  private WriteRows complete() {
    return warehouse.write().to(ORDERS).withEventTime(PLACED);
  }

  private void apply(WriteRows write) {
    pipeline
        .apply(Create.of(order(1, null, "eu")).withRowSchema(ORDER))
        .apply(
            MapElements.via(
                new SimpleFunction<Row, Row>() {
                  @Override
                  public Row apply(Row row) {
                    MOVED.incrementAndGet();
                    return row;
                  }
                }))
        .setRowSchema(ORDER)
        .apply(write);
  }

  private static void assertRefused(ThrowingRunnable action, String... parts) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, action);
    for (String part : parts) {
      assertThat(e.getMessage(), containsString(part));
    }
    assertThat(MOVED.get(), is(0));
  }

  /** A runner that nobody vouches for. */
  public static final class UnknownRunner extends PipelineRunner<PipelineResult> {
    static final class Reached extends RuntimeException {}

    public static UnknownRunner fromOptions(PipelineOptions options) {
      return new UnknownRunner();
    }

    @Override
    public PipelineResult run(Pipeline pipeline) {
      throw new Reached();
    }
  }
}
