package dev.tidemark.iceberg;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.Iterables;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.merge.ExtraColumns;
import dev.tidemark.merge.MergeSource;
import dev.tidemark.merge.MergeSpec;
import dev.tidemark.merge.Removals;
import dev.tidemark.merge.Truncation;
import dev.tidemark.schematransform.testing.FieldEffects;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.values.PCollectionRowTuple;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expressions;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class IcebergMergeSchemaTransformTest {
  private static final IcebergMergeSchemaTransformProvider PROVIDER =
      new IcebergMergeSchemaTransformProvider();
  private static final TableIdentifier CHANGES = TableIdentifier.of("db", "changes");

  @Rule public final transient Warehouse warehouse = new Warehouse();
  @Rule public final transient TestPipeline pipeline = TestPipeline.create();

  @Test
  public void everyFieldTakesEffect() {
    MergeSpec empty = MergeSpec.into(TableIdentifier.of("db", "base"));
    new FieldEffects<>(
            PROVIDER,
            IcebergMergeConfig.class,
            IcebergMergeConfig::spec,
            """
            table: db.base
            catalog_properties: {}
            sources: [{name: a, table: db.changes}]
            key: [id]
            order: [seq]
            """,
            empty.withSource("a", CHANGES).withKey("id").withOrder("seq"))
        .field(
            "table: db.other",
            s ->
                MergeSpec.into(TableIdentifier.of("db", "other"))
                    .withSource("a", CHANGES)
                    .withKey("id")
                    .withOrder("seq"))
        .field("branch: audit", s -> s.withBranch("audit"))
        .field(
            "sources: [{name: b, table: db.changes, branch: audit}]",
            s ->
                empty
                    .withSource(MergeSource.of("b", CHANGES).withBranch("audit"))
                    .withKey("id")
                    .withOrder("seq"))
        .field("key: [id, region]", s -> s.withKey("id", "region"))
        .field("order: [lsn, seq]", s -> s.withOrder("lsn", "seq"))
        .field("kind_column: op", s -> s.withKindColumn("op"))
        .field("kinds: {c: insert}", s -> s.withKind("c", ChangeKind.INSERT))
        .field("truncate_kind: t", s -> s.withTruncateKind("t"))
        .field("truncates: APPLY", s -> s.withTruncates(Truncation.APPLY))
        .field("unknown_columns: _unknown", s -> s.withUnknownColumns("_unknown"))
        .field("without_columns: [_ts]", s -> s.withoutColumns("_ts"))
        .field("extra_columns: EVOLVE", s -> s.withExtraColumns(ExtraColumns.EVOLVE))
        .field("full_before_images: true", MergeSpec::withFullBeforeImages)
        .field("removals: EQUALITY", s -> s.withRemovals(Removals.EQUALITY))
        .field("rebuild: true", s -> s.withRebuild(true))
        .field("rows_in_memory: 7", s -> s.withRowsInMemory(7))
        .field("threads: 77", s -> s.withThreads(77))
        .field("max_replans: 3", s -> s.withMaxReplans(3))
        .field("spill_directory: /spill", s -> s.withSpillDirectory("/spill"))
        .refused(
            "truncates: LATER",
            "Invalid field truncates: LATER is not known (must be one of [REFUSE, APPLY])")
        .refused(
            "sources: []",
            "Cannot merge into table db.base: no source. Name a change table with withSource")
        .elsewhere(
            "catalog_name", "catalog_properties", "config_properties", "source_catalog_properties")
        .areAll();
  }

  private String catalog() {
    return """
        catalog_properties: {type: hadoop, warehouse: '%s'}
        config_properties: {fs.file.impl: %s}
        """
        .formatted(
            warehouse.config().properties().get("warehouse"),
            warehouse.config().hadoopConfiguration().get("fs.file.impl"));
  }

  @Test
  public void changesAreMergedIntoTheBaseTable() {
    Schema rows = Schema.builder().addInt64Field("id").addNullableStringField("name").build();
    Schema changes =
        Schema.builder()
            .addFields(rows.getFields())
            .addInt64Field("seq")
            .addStringField("_kind")
            .build();
    warehouse.create("db.base", rows);
    write(
        changes,
        Row.withSchema(changes).addValues(1L, "a", 1L, "+I").build(),
        Row.withSchema(changes).addValues(2L, "b", 2L, "+I").build(),
        Row.withSchema(changes).addValues(1L, "c", 3L, "+U").build(),
        Row.withSchema(changes).addValues(2L, null, 4L, "-D").build(),
        Row.withSchema(changes).addValues(3L, "d", 5L, "+I").build());

    PCollectionRowTuple outputs =
        PCollectionRowTuple.empty(pipeline)
            .apply(
                PROVIDER.from(
                    FieldEffects.row(
                        PROVIDER,
                        catalog()
                            + """
                            table: db.base
                            sources: [{name: a, table: db.changes}]
                            key: [id]
                            order: [seq]
                            """)));
    PAssert.that(outputs.get("merges"))
        .satisfies(
            merges -> {
              Row merge = Iterables.getOnlyElement(merges);
              assertThat(merge.getString("table"), is("db.base"));
              assertThat(merge.getString("status"), is("MERGED"));
              assertThat(merge.getInt64("keys"), is(3L));
              assertThat(merge.getInt64("rows_inserted"), is(2L));
              return null;
            });
    pipeline.run().waitUntilFinish();

    assertThat(
        Warehouse.records(warehouse.table("db.base"), Expressions.alwaysTrue()).stream()
            .map(IcebergMergeSchemaTransformTest::text)
            .toList(),
        containsInAnyOrder("1 c", "3 d"));
  }

  private static String text(Record record) {
    return record.getField("id") + " " + record.getField("name");
  }

  /** One bundle after another, so that the order column alone orders the changes. */
  private void write(Schema schema, Row... rows) {
    IcebergWriteSchemaTransformProvider write = new IcebergWriteSchemaTransformProvider();
    Pipeline own = Pipeline.create();
    PCollectionRowTuple.of("input", own.apply(Create.of(List.of(rows)).withRowSchema(schema)))
        .apply(
            write.from(
                FieldEffects.row(
                    write, catalog() + "table: db.changes\nwriter_id: w\ncreate_table: {}")));
    own.run().waitUntilFinish();
  }

  @Test
  public void inputIsRefused() {
    pipeline.enableAbandonedNodeEnforcement(false);
    Schema schema = Schema.builder().addInt64Field("id").build();
    PCollectionRowTuple input =
        PCollectionRowTuple.of("input", pipeline.apply(Create.empty(schema)));
    assertThat(
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    input.apply(
                        PROVIDER.from(
                            FieldEffects.row(
                                PROVIDER,
                                "{table: a.b, catalog_properties: {}, sources: [{name: a, table:"
                                    + " a.c}], key: [id], order: [seq]}"))))
            .getMessage(),
        is("Cannot merge an input: what is merged is in the change tables. Remove the input"));
  }

  @Test
  public void secretOfEitherCatalogIsRefusedAndNotTold() {
    for (String properties :
        List.of(
            "catalog_properties: {token: hunter2}",
            "catalog_properties: {}\nsource_catalog_properties: {token: hunter2}")) {
      String message =
          assertThrows(
                  IllegalArgumentException.class,
                  () ->
                      PROVIDER.from(
                          FieldEffects.row(
                              PROVIDER,
                              "table: a.b\nsources: [{name: a, table: a.c}]\nkey: [id]\norder: [seq]\n"
                                  + properties)))
              .getMessage();
      assertThat(message, containsString("Use a reference, ${env:NAME} or ${file:/path}"));
      assertThat(message, not(containsString("hunter2")));
    }
  }
}
