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
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;

import dev.tidemark.eventtime.NullPolicy;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.coders.RowCoder;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Types;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Values that break other writers, and rows that their table cannot hold. */
@RunWith(JUnit4.class)
public class BadInputTest {
  @Rule public final transient Warehouse warehouse = new Warehouse();
  @Rule public final transient TestPipeline pipeline = TestPipeline.create();

  @Test
  public void nullHourPartitionIsWrittenAndFound() {
    Row without = order(1, null, "eu");
    Row with = order(2, "2024-05-01T10:30:00Z", "eu");

    write(warehouse.write("hour(placed)").to(ORDERS), without, with);

    assertThat(warehouse.orders(ORDERS_NAME), containsInAnyOrder(without, with));
    assertThat(warehouse.orders(ORDERS_NAME, Expressions.isNull("placed")), contains(without));
    assertThat(
        warehouse.orders(
            ORDERS_NAME, Expressions.greaterThanOrEqual("placed", "2024-05-01T10:00:00+00:00")),
        contains(with));
  }

  @Test
  public void identityPartitionsTakeEveryText() {
    List<String> regions = new ArrayList<>();
    regions.add(null);
    regions.addAll(
        List.of(
            "null",
            "a/b",
            "a=b",
            "",
            " ",
            "region=x/../y",
            "100%",
            "%2F",
            "\uD83C\uDF0A tide",
            "__HIVE_DEFAULT_PARTITION__"));
    Row[] rows = new Row[regions.size()];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = order(i, "2024-05-01T10:30:00Z", regions.get(i));
    }

    write(warehouse.write("region").to(ORDERS), rows);

    assertThat(warehouse.orders(ORDERS_NAME), containsInAnyOrder(rows));
    for (int i = 0; i < rows.length; i++) {
      String region = regions.get(i);
      assertThat(
          warehouse.orders(
              ORDERS_NAME,
              region == null ? Expressions.isNull("region") : Expressions.equal("region", region)),
          contains(rows[i]));
    }
  }

  @Test
  public void rowThatTheTableCannotHoldIsReportedWithItsReason() {
    Table table = warehouse.create(ORDERS_NAME);
    table.updateSchema().allowIncompatibleChanges().requireColumn("region").commit();
    Row good = order(1, null, "eu");
    Row bad = order(2, "2024-05-01T10:30:00Z", null);

    PCollection<BadRecord> failed = apply(warehouse.write().to(ORDERS), good, bad).failed();
    PAssert.thatSingleton(failed)
        .satisfies(
            record -> {
              assertThat(
                  record.getFailure().getDescription(),
                  containsString("Row for table db.orders: Cannot write row: column region"));
              assertThat(decoded(record), is(bad));
              assertThat(
                  record.getRecord().getHumanReadableJsonRecord(),
                  is("{\"id\":\"2\",\"placed\":\"2024-05-01T10:30:00.000Z\",\"region\":null}"));
              return null;
            });
    PipelineResult result = pipeline.run();

    assertThat(warehouse.orders(ORDERS_NAME), contains(good));
    assertThat(counter(result, "rejectedRows"), is(1L));
    assertThat(counter(result, "committedRows"), is(1L));
  }

  @Test
  public void rejectedRowsAreInNoFactAndNoAccumulator() {
    Table table = warehouse.create(ORDERS_NAME);
    table.updateSchema().allowIncompatibleChanges().requireColumn("region").commit();

    apply(
        warehouse
            .write()
            .to(ORDERS)
            .withEventTime(PLACED)
            .withAccumulator(CommitAccumulator.distinctCount("ids", "id")),
        order(1, "2024-05-01T12:00:00Z", "eu"),
        order(2, "2024-05-01T03:00:00Z", null));
    pipeline.run();

    assertThat(warehouse.summary(ORDERS_NAME).get("tidemark.event-time.count"), is("1"));
    assertThat(warehouse.summary(ORDERS_NAME).get("tidemark.acc.ids.count"), is("1"));
  }

  @Test
  public void rowWithoutEventTimeIsReportedWhereThatIsAskedFor() {
    Row good = order(1, "2024-05-01T10:30:00Z", "eu");
    Row bad = order(2, null, "eu");

    PCollection<BadRecord> failed =
        apply(
                warehouse
                    .write()
                    .to(ORDERS)
                    .withEventTime(PLACED.withNullPolicy(NullPolicy.REJECT)),
                good,
                bad)
            .failed();
    PAssert.thatSingleton(failed)
        .satisfies(
            record -> {
              assertThat(decoded(record), is(bad));
              assertThat(record.getFailure().getDescription(), containsString("placed"));
              return null;
            });
    pipeline.run();

    assertThat(warehouse.orders(ORDERS_NAME), contains(good));
  }

  @Test
  public void onlyRejectedRowsMakeNoFileAndNoCommit() {
    Table table = warehouse.create(ORDERS_NAME);
    table.updateSchema().allowIncompatibleChanges().requireColumn("region").commit();

    IcebergWriteResult written = apply(warehouse.write().to(ORDERS), order(1, null, null));
    PAssert.that(written.commits()).empty();
    pipeline.run();

    assertThat(warehouse.snapshots(ORDERS_NAME), is(empty()));
  }

  @Test
  public void tableThatDoesNotTakeTheRowsFailsItsOwnRowsOnly() {
    Schema strange = Schema.builder().addStringField("id").addStringField("region").build();
    warehouse.create("db.us", strange);
    Row here = order(1, null, "eu");

    IcebergWriteResult written =
        apply(
            warehouse.write().to(row -> "db." + row.getString("region")),
            here,
            order(2, null, "us"),
            order(3, null, "us"));
    PAssert.that(written.failed())
        .satisfies(
            records -> {
              List<String> reasons = new ArrayList<>();
              records.forEach(record -> reasons.add(record.getFailure().getDescription()));
              assertThat(
                  reasons,
                  contains(
                      containsString("Row for table db.us: Cannot write"),
                      containsString("Row for table db.us: Cannot write")));
              return null;
            });
    pipeline.run();

    assertThat(warehouse.orders("db.eu"), contains(here));
    assertThat(warehouse.snapshots("db.us"), is(empty()));
  }

  @Test
  public void unnamableTableFailsItsOwnRowsOnly() {
    Row here = order(1, null, "eu");

    IcebergWriteResult written =
        apply(
            warehouse.write().to(row -> row.getInt64("id") == 1 ? ORDERS_NAME : ""),
            here,
            order(2, null, "us"));
    PAssert.thatSingleton(written.failed())
        .satisfies(
            record -> {
              assertThat(decoded(record), is(order(2, null, "us")));
              return null;
            });
    pipeline.run();

    assertThat(warehouse.orders(ORDERS_NAME), contains(here));
  }

  @Test
  public void decimalsFitTheColumnsOfAnExistingTable() {
    Schema prices = Schema.builder().addInt64Field("id").addDecimalField("price").build();
    warehouse
        .config()
        .catalog()
        .createTable(
            ORDERS,
            new org.apache.iceberg.Schema(
                Types.NestedField.required(1, "id", Types.LongType.get()),
                Types.NestedField.required(2, "price", Types.DecimalType.of(9, 2))));
    Row row = Row.withSchema(prices).addValues(1L, new BigDecimal("12.34")).build();

    pipeline
        .apply(Create.of(row).withRowSchema(prices))
        .apply(
            TidemarkIcebergIO.writeRows()
                .withCatalog(warehouse.config())
                .withWriterId("eu")
                .to(ORDERS));
    pipeline.run();

    assertThat(
        Warehouse.records(warehouse.table(ORDERS_NAME), Expressions.alwaysTrue())
            .get(0)
            .getField("price"),
        is(new BigDecimal("12.34")));
  }

  private void write(WriteRows write, Row... rows) {
    PAssert.that(apply(write, rows).failed()).empty();
    pipeline.run();
  }

  private IcebergWriteResult apply(WriteRows write, Row... rows) {
    return pipeline.apply(Create.of(List.of(rows)).withRowSchema(ORDER)).apply(write);
  }

  private static Row decoded(BadRecord record) {
    try {
      return RowCoder.of(ORDER)
          .decode(new ByteArrayInputStream(record.getRecord().getEncodedRecord()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
