package dev.tidemark.iceberg;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.merge.MergeResult;
import dev.tidemark.merge.MergeSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.StreamingOptions;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.Wait;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expressions;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class MergeChangesTest {
  private static final TableIdentifier BASE = TableIdentifier.of("db", "items");
  private static final TableIdentifier CHANGES = TableIdentifier.of("db", "items_changes");

  private static final Schema ITEM =
      Schema.builder().addInt64Field("id").addStringField("shelf").build();
  private static final Schema CHANGE =
      Schema.builder().addFields(ITEM.getFields()).addInt64Field("_position").build();

  private static final MergeSpec SPEC =
      MergeSpec.into(BASE).withSource("items", CHANGES).withKey("id").withOrder("_position");

  @Rule public final transient Warehouse warehouse = new Warehouse();
  @Rule public final transient TestPipeline pipeline = TestPipeline.create();

  private static Change change(ChangeKind kind, long id, String shelf, long position) {
    return Change.of(kind, Row.withSchema(CHANGE).addValues(id, shelf, position).build());
  }

  /** Appends changes by the transform that users append them with. */
  private void write(List<Change> changes) {
    Pipeline writes = Pipeline.create();
    writes
        .apply(Create.of(changes).withCoder(ChangeCoder.of(CHANGE)))
        .apply(TidemarkIcebergIO.writeChanges().withRows(warehouse.write().to(CHANGES)));
    writes.run().waitUntilFinish();
  }

  private MergeChanges merge(MergeSpec spec) {
    return TidemarkIcebergIO.mergeChanges().withCatalog(warehouse.config()).withSpec(spec);
  }

  private List<String> items() {
    List<String> items = new ArrayList<>();
    Table table = warehouse.table(BASE.toString());
    for (Record record : Warehouse.records(table, Expressions.alwaysTrue())) {
      items.add(record.getField("id") + " " + record.getField("shelf"));
    }
    return items;
  }

  @Test
  public void changesAreMergedInParts() {
    Warehouse.create(warehouse.config(), BASE.toString(), ITEM, "shelf");
    List<Change> inserts = new ArrayList<>();
    for (long id = 0; id < 50; id++) {
      inserts.add(change(ChangeKind.INSERT, id, "s" + id % 4, id));
    }
    write(inserts);
    Pipeline first = Pipeline.create();
    first.apply(merge(SPEC.withRowsInMemory(7)));
    first.run().waitUntilFinish();
    assertThat(items().size(), is(50));

    write(
        List.of(
            change(ChangeKind.DELETE, 1, "s1", 100),
            change(ChangeKind.UPDATE_AFTER, 2, "s9", 101),
            change(ChangeKind.UPDATE_AFTER, 2, "s8", 102),
            change(ChangeKind.INSERT, 99, "s0", 103)));
    MergeChangesResult merged = pipeline.apply(merge(SPEC.withRowsInMemory(2)));
    PAssert.thatSingleton(merged.merges())
        .satisfies(
            result -> {
              assertThat(result.status(), is(MergeResult.Status.MERGED));
              assertThat(result.keys(), is(3L));
              assertThat(result.rowsInserted(), is(2L));
              assertThat(result.rowsDeleted(), is(2L));
              return null;
            });
    pipeline.run();
    assertThat(items().size(), is(50));
    assertThat(items(), hasItems("2 s8", "99 s0"));
  }

  @Test
  public void lateChangeIsLeftOutInEveryPart() {
    Warehouse.create(warehouse.config(), BASE.toString(), ITEM, "shelf");
    write(
        List.of(
            change(ChangeKind.INSERT, 1, "s1", 50),
            change(ChangeKind.DELETE, 2, "s1", 51),
            change(ChangeKind.INSERT, 3, "s3", 52)));
    Pipeline first = Pipeline.create();
    first.apply(merge(SPEC));
    first.run().waitUntilFinish();

    write(
        List.of(
            change(ChangeKind.UPDATE_AFTER, 1, "s9", 10),
            change(ChangeKind.INSERT, 2, "s9", 11),
            change(ChangeKind.DELETE, 3, "s9", 12),
            change(ChangeKind.INSERT, 4, "s4", 13)));
    MergeChangesResult merged = pipeline.apply(merge(SPEC.withRowsInMemory(1)));
    PAssert.thatSingleton(merged.merges())
        .satisfies(
            result -> {
              assertThat(result.keys(), is(1L));
              assertThat(result.keysSuperseded(), is(3L));
              assertThat(result.mergedFilesRead(), is(greaterThan(0)));
              return null;
            });
    pipeline.run();
    assertThat(items(), containsInAnyOrder("1 s1", "3 s3", "4 s4"));
  }

  @Test
  public void nothingToMergeIsAResultToo() {
    Warehouse.create(warehouse.config(), BASE.toString(), ITEM);
    write(List.of(change(ChangeKind.INSERT, 1, "s1", 1)));
    Pipeline first = Pipeline.create();
    first.apply(merge(SPEC));
    first.run().waitUntilFinish();
    MergeChangesResult merged = pipeline.apply(merge(SPEC));
    PAssert.thatSingleton(merged.merges())
        .satisfies(
            result -> {
              assertThat(result.status(), is(MergeResult.Status.NOTHING));
              return null;
            });
    PAssert.that(pipeline.apply(Create.of("after")).apply(Wait.on(merged.merges())))
        .containsInAnyOrder("after");
    pipeline.run();
    assertThat(items(), containsInAnyOrder("1 s1"));
  }

  @Test
  public void streamingIsRefused() {
    StreamingOptions options = PipelineOptionsFactory.as(StreamingOptions.class);
    options.setStreaming(true);
    Pipeline streaming = Pipeline.create(options);
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> streaming.apply(merge(SPEC)));
    assertThat(refused.getMessage(), containsString("MergeChanges in a streaming pipeline"));
  }

  @Test
  public void missingSettingsAreRefused() {
    Pipeline unnamed = Pipeline.create();
    assertThat(
        assertThrows(
                IllegalArgumentException.class,
                () -> unnamed.apply(TidemarkIcebergIO.mergeChanges().withSpec(SPEC)))
            .getMessage(),
        containsString("withCatalog"));
    Pipeline unordered = Pipeline.create();
    MergeSpec spec = MergeSpec.into(BASE).withSource("items", CHANGES).withKey("id");
    assertThat(
        assertThrows(IllegalArgumentException.class, () -> unordered.apply(merge(spec)))
            .getMessage(),
        containsString("withOrder"));
  }

  @Test
  public void displayDataTellsTheSpec() {
    assertThat(DisplayItems.of(merge(SPEC)).toString(), containsString("db.items_changes"));
  }
}
