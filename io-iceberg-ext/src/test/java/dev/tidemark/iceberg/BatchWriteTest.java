package dev.tidemark.iceberg;

import static dev.tidemark.iceberg.Warehouse.ORDER;
import static dev.tidemark.iceberg.Warehouse.ORDERS;
import static dev.tidemark.iceberg.Warehouse.ORDERS_NAME;
import static dev.tidemark.iceberg.Warehouse.order;
import static dev.tidemark.iceberg.WriteMetrics.counter;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import dev.tidemark.datafile.FileOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.WithTimestamps;
import org.apache.beam.sdk.transforms.windowing.AfterPane;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.Repeatedly;
import org.apache.beam.sdk.transforms.windowing.Sessions;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.expressions.Expressions;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class BatchWriteTest {
  @Rule public final transient Warehouse warehouse = new Warehouse();
  @Rule public final transient TestPipeline pipeline = TestPipeline.create();

  @Test
  public void rowsAreReadBackFromATableThatWasCreatedForThem() {
    List<Row> rows = randomOrders(200);

    IcebergWriteResult written =
        pipeline
            .apply(Create.of(rows).withRowSchema(ORDER))
            .apply(warehouse.write("hour(placed)", "bucket(4, id)", "region").to(ORDERS));

    PAssert.thatSingleton(written.commits())
        .satisfies(
            commit -> {
              assertThat(commit.table(), is(ORDERS_NAME));
              assertThat(commit.rows(), is(200L));
              assertThat(commit.replayed(), is(false));
              return null;
            });
    PAssert.that(written.failed()).empty();
    PAssert.that(written.advances()).empty();
    PAssert.that(written.late()).empty();
    PipelineResult result = pipeline.run();

    assertThat(warehouse.orders(ORDERS_NAME), containsInAnyOrder(rows.toArray()));
    assertThat(
        warehouse.table(ORDERS_NAME).spec().fields().stream().map(PartitionField::name).toList(),
        contains("placed_hour", "id_bucket", "region"));
    assertThat(counter(result, "writtenRows"), is(200L));
    assertThat(counter(result, "commits"), is(1L));
    assertThat(counter(result, "committedRows"), is(200L));
    assertThat(
        counter(result, "committedFiles"), is((long) warehouse.livePaths(ORDERS_NAME).size()));
    assertThat(counter(result, "orphanFiles"), is(0L));
  }

  @Test
  public void eachRowGoesToTheTableThatTheFunctionNames() {
    List<Row> rows = randomOrders(60);

    IcebergWriteResult written =
        pipeline
            .apply(Create.of(rows).withRowSchema(ORDER))
            .apply(warehouse.write().to(row -> "db.orders_" + row.getString("region")));
    PAssert.that(written.failed()).empty();
    pipeline.run();

    for (String region : List.of("eu", "us", "asia")) {
      Object[] expected =
          rows.stream().filter(row -> region.equals(row.getString("region"))).toArray();
      assertThat(warehouse.orders("db.orders_" + region), containsInAnyOrder(expected));
      assertThat(warehouse.snapshots("db.orders_" + region), hasSize(1));
    }
  }

  @Test
  public void rowsWithoutADestinationAreReported() {
    IcebergWriteResult written =
        pipeline
            .apply(Create.of(order(1, null, "eu"), order(2, null, null)).withRowSchema(ORDER))
            .apply(
                warehouse.write().to(row -> row.getString("region") == null ? null : ORDERS_NAME));
    PAssert.thatSingleton(written.failed())
        .satisfies(
            failed -> {
              assertThat(failed.getFailure().getDescription(), containsString("names no table"));
              return null;
            });
    PipelineResult result = pipeline.run();

    assertThat(warehouse.orders(ORDERS_NAME), contains(order(1, null, "eu")));
    assertThat(counter(result, "rejectedRows"), is(1L));
  }

  @Test
  public void eachWindowIsOneCommit() {
    PCollection<Row> rows = windowed(Window.into(FixedWindows.of(Duration.standardHours(1))));

    IcebergWriteResult written = rows.apply(warehouse.write().to(ORDERS));
    PAssert.that(written.failed()).empty();
    pipeline.run();

    assertThat(warehouse.orders(ORDERS_NAME), containsInAnyOrder(HOURLY.toArray()));
    assertThat(rowsPerSnapshot(), containsInAnyOrder("3", "1", "2"));
  }

  @Test
  public void earlyPanesOfTheInputLoseNothingAndAddNoCommit() {
    PCollection<Row> rows =
        windowed(
            Window.<Row>into(FixedWindows.of(Duration.standardHours(1)))
                .triggering(Repeatedly.forever(AfterPane.elementCountAtLeast(1)))
                .withAllowedLateness(Duration.standardDays(1))
                .accumulatingFiredPanes());

    IcebergWriteResult written = rows.apply(warehouse.write().to(ORDERS));
    PAssert.that(written.failed()).empty();
    pipeline.run();

    assertThat(warehouse.orders(ORDERS_NAME), containsInAnyOrder(HOURLY.toArray()));
    assertThat(rowsPerSnapshot(), containsInAnyOrder("3", "1", "2"));
  }

  @Test
  public void mergingWindowsAreRefused() {
    PCollection<Row> rows =
        windowed(Window.into(Sessions.withGapDuration(Duration.standardMinutes(5))));
    pipeline.enableAbandonedNodeEnforcement(false);

    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> rows.apply(warehouse.write().to(ORDERS)));

    assertThat(e.getMessage(), containsString("Put them into fixed or global windows"));
  }

  @Test
  public void groupedRowsMakeFewFiles() {
    List<Row> rows = randomOrders(400);

    pipeline
        .apply(Create.of(rows).withRowSchema(ORDER))
        .apply(warehouse.write().to(ORDERS).withRowGrouping(100_000));
    pipeline.run();

    assertThat(warehouse.orders(ORDERS_NAME), containsInAnyOrder(rows.toArray()));
    int shards = 4;
    assertThat(warehouse.livePaths(ORDERS_NAME).size() <= shards, is(true));
  }

  @Test
  public void filesAreNamedAndSizedByTheOptions() {
    pipeline
        .apply(Create.of(randomOrders(50)).withRowSchema(ORDER))
        .apply(
            warehouse
                .write()
                .to(ORDERS)
                .withFileOptions(FileOptions.defaults().withFileNamePrefix("nightly")));
    pipeline.run();

    for (String path : warehouse.livePaths(ORDERS_NAME)) {
      assertThat(path, containsString("nightly-"));
    }
  }

  @Test
  public void branchTakesTheCommitAndMainStays() {
    Row there = order(1, "2024-05-01T10:00:00Z", "eu");
    pipeline
        .apply(Create.of(there).withRowSchema(ORDER))
        .apply(warehouse.write().to(ORDERS).toBranch("audit"));
    pipeline.run();

    assertThat(warehouse.table(ORDERS_NAME).currentSnapshot() == null, is(true));
    Snapshot audit = warehouse.table(ORDERS_NAME).snapshot("audit");
    assertThat(audit.summary().get("added-records"), is("1"));
    assertThat(audit.summary().get("tidemark.audit.writer"), is(Warehouse.WRITER));
  }

  @Test
  public void twoRunsOfOneWriterBothCommit() {
    for (int run = 1; run <= 2; run++) {
      TestPipeline each = TestPipeline.create().enableAbandonedNodeEnforcement(false);
      each.apply(Create.of(order(run, null, "eu")).withRowSchema(ORDER))
          .apply(warehouse.write().to(ORDERS));
      each.run();
    }
    pipeline.enableAbandonedNodeEnforcement(false);

    assertThat(
        warehouse.orders(ORDERS_NAME),
        containsInAnyOrder(order(1, null, "eu"), order(2, null, "eu")));
  }

  @Test
  public void twoWritesFitIntoOnePipeline() {
    PCollection<Row> rows = pipeline.apply(Create.of(order(1, null, "eu")).withRowSchema(ORDER));
    rows.apply("One", warehouse.write().to(ORDERS));
    rows.apply("Other", warehouse.write().to(row -> "db.copies").withWriterId("copies"));
    pipeline.run();

    assertThat(warehouse.orders(ORDERS_NAME), equalTo(warehouse.orders("db.copies")));
    assertThat(
        warehouse.orders("db.copies", Expressions.equal("id", 1L)), contains(order(1, null, "eu")));
  }

  private static final List<Row> HOURLY =
      List.of(
          order(1, "2024-05-01T10:00:00Z", "eu"),
          order(2, "2024-05-01T10:59:59Z", "us"),
          order(3, "2024-05-01T10:30:00Z", "eu"),
          order(4, "2024-05-01T11:00:00Z", "eu"),
          order(5, "2024-05-01T23:00:00Z", "eu"),
          order(6, "2024-05-01T23:00:01Z", "us"));

  private PCollection<Row> windowed(Window<Row> window) {
    return pipeline
        .apply(Create.of(HOURLY).withRowSchema(ORDER))
        .apply(WithTimestamps.of((Row row) -> row.getDateTime("placed").toInstant()))
        .setRowSchema(ORDER)
        .apply(window);
  }

  private List<String> rowsPerSnapshot() {
    return warehouse.snapshots(ORDERS_NAME).stream()
        .map(snapshot -> snapshot.summary().get("added-records"))
        .toList();
  }

  private static List<Row> randomOrders(int count) {
    Random random = new Random(7);
    Instant start = Instant.parse("2024-05-01T00:00:00Z");
    List<String> regions = List.of("eu", "us", "asia");
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(
          Row.withSchema(ORDER)
              .addValues(
                  (long) i,
                  start.plus(Duration.standardMinutes(random.nextInt(6 * 60))),
                  regions.get(random.nextInt(regions.size())))
              .build());
    }
    return rows;
  }
}
