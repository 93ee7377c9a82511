package dev.tidemark.iceberg;

import static dev.tidemark.iceberg.Warehouse.ORDERS;
import static dev.tidemark.iceberg.Warehouse.ORDERS_NAME;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.Iterables;
import com.google.common.collect.Streams;
import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.eventtime.EventTimeExtractor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.coders.NullableCoder;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.joda.time.Instant;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class WriteChangesTest {
  /** An order, and as metadata of the change when the source committed it. */
  private static final Schema SCHEMA =
      Schema.builder()
          .addInt64Field("id")
          .addNullableField("placed", FieldType.DATETIME)
          .addDateTimeField("_ts")
          .build();

  @Rule public final transient Warehouse warehouse = new Warehouse();
  @Rule public final transient TestPipeline pipeline = TestPipeline.create();

  @Test
  public void eachChangeIsARowWithItsKindInTheLastColumn() {
    write(TidemarkIcebergIO.writeChanges(), warehouse.write("_kind").to(ORDERS));

    assertThat(
        records(Expressions.alwaysTrue()), containsInAnyOrder("1 +I", "1 -U", "1 +U", "1 -D"));
    assertThat(records(Expressions.equal("_kind", "-D")), contains("1 -D"));
    assertThat(
        Iterables.getLast(warehouse.table(ORDERS_NAME).schema().columns()).name(), is("_kind"));
  }

  @Test
  public void kindColumnIsNamedAsAskedFor() {
    write(
        TidemarkIcebergIO.writeChanges().withKindColumn("op"),
        warehouse.write().to(ORDERS).withAccumulator(CommitAccumulator.rowsByKind("kinds", "op")));

    Map<String, String> summary = warehouse.summary(ORDERS_NAME);
    for (String kind : List.of("insert", "update-before", "update-after", "delete")) {
      assertThat(summary.get("tidemark.acc.kinds." + kind), is("1"));
    }
  }

  @Test
  public void deleteByKeyAloneLiesInTheNullPartitionOfItsColumns() {
    write(TidemarkIcebergIO.writeChanges(), warehouse.write("hour(placed)").to(ORDERS));

    assertThat(records(Expressions.isNull("placed")), contains("1 -D"));
    assertThat(partitions(), containsInAnyOrder("null", hour("2024-05-01T10:30:00Z")));
  }

  @Test
  public void deleteByKeyAloneHasTheEventTimeAndPartitionOfItsMetadata() {
    write(
        TidemarkIcebergIO.writeChanges(),
        warehouse
            .write("hour(_ts)")
            .to(ORDERS)
            .withEventTime(
                EventTimeExtractor.column("_ts")
                    .withRange(Warehouse.PLACED.maxPast(), Warehouse.PLACED.maxFuture())));

    assertThat(
        partitions(),
        containsInAnyOrder(hour("2024-05-01T11:00:00Z"), hour("2024-05-01T12:00:00Z")));
    assertThat(warehouse.summary(ORDERS_NAME).get("tidemark.event-time.count"), is("4"));
  }

  @Test
  public void kindColumnThatTheChangesHaveIsRefused() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                apply(
                    TidemarkIcebergIO.writeChanges().withKindColumn("placed"),
                    warehouse.write().to(ORDERS)));

    assertThat(e.getMessage(), containsString("Invalid kind column: placed"));
    assertThat(e.getMessage(), containsString("Choose another with withKindColumn"));
    pipeline.enableAbandonedNodeEnforcement(false);
  }

  @Test
  public void emptyKindColumnIsRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> TidemarkIcebergIO.writeChanges().withKindColumn(""));
    pipeline.enableAbandonedNodeEnforcement(false);
  }

  @Test
  public void changesWithoutTheirCoderAreRefused() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                pipeline
                    .apply(Create.of(changes()).withCoder(NullableCoder.of(ChangeCoder.of(SCHEMA))))
                    .apply(
                        TidemarkIcebergIO.writeChanges().withRows(warehouse.write().to(ORDERS))));

    assertThat(e.getMessage(), containsString("must be a ChangeCoder"));
    pipeline.enableAbandonedNodeEnforcement(false);
  }

  private void write(WriteChanges write, WriteRows rows) {
    PAssert.that(apply(write, rows).failed()).empty();
    pipeline.run();
  }

  private IcebergWriteResult apply(WriteChanges write, WriteRows rows) {
    return pipeline
        .apply(Create.of(changes()).withCoder(ChangeCoder.of(SCHEMA)))
        .apply(write.withRows(rows));
  }

  private static List<Change> changes() {
    String placed = "2024-05-01T10:30:00Z";
    return List.of(
        change(ChangeKind.INSERT, placed, "2024-05-01T11:00:00Z"),
        change(ChangeKind.UPDATE_BEFORE, placed, "2024-05-01T11:10:00Z"),
        change(ChangeKind.UPDATE_AFTER, placed, "2024-05-01T11:10:00Z"),
        change(ChangeKind.DELETE, null, "2024-05-01T12:00:00Z")
            .withUnknownColumns(List.of("placed")));
  }

  private static Change change(ChangeKind kind, String placed, String committed) {
    return Change.of(
        kind,
        Row.withSchema(SCHEMA)
            .addValues(1L, placed == null ? null : Instant.parse(placed), Instant.parse(committed))
            .build());
  }

  private List<String> records(Expression filter) {
    return Warehouse.records(warehouse.table(ORDERS_NAME), filter).stream()
        .map((Record record) -> record.getField("id") + " " + record.getField("_kind"))
        .toList();
  }

  /** The values of the one partition field, without repetition. */
  private List<String> partitions() {
    try (CloseableIterable<FileScanTask> tasks =
        warehouse.table(ORDERS_NAME).newScan().planFiles()) {
      return Streams.stream(tasks)
          .map(task -> task.file())
          .map(file -> String.valueOf(file.partition().get(0, Object.class)))
          .distinct()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String hour(String time) {
    return Long.toString(Instant.parse(time).getMillis() / 3_600_000);
  }
}
