package dev.tidemark.upsert;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import dev.tidemark.candidates.UpsertSemantics.HardBound;
import dev.tidemark.candidates.UpsertStrategy;
import dev.tidemark.change.ChangeRows;
import dev.tidemark.schematransform.ErrorOutput;
import dev.tidemark.schematransform.testing.FieldEffects;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.values.PCollectionRowTuple;
import org.apache.beam.sdk.values.Row;
import org.joda.time.Duration;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class MaterializeUpsertsSchemaTransformTest {
  private static final MaterializeUpsertsSchemaTransformProvider PROVIDER =
      new MaterializeUpsertsSchemaTransformProvider();

  @Rule public final transient TestPipeline pipeline = TestPipeline.create();

  @Test
  public void everyFieldTakesEffect() {
    new FieldEffects<>(
            PROVIDER,
            MaterializeUpsertsConfig.class,
            MaterializeUpsertsConfig::transform,
            "sink_key: [id]",
            MaterializeUpserts.create().withSinkKey("id"))
        .field("upsert_key: [id, line]", t -> t.withUpsertKey("id", "line"))
        .field("strategy: map", t -> t.withStrategy(UpsertStrategy.MAP))
        .field("high_threshold: 9\nlow_threshold: 8", t -> t.withThresholds(9, 8))
        .field("time_to_live_seconds: 60", t -> t.withTimeToLive(Duration.standardMinutes(1)))
        .field("shards: 16", t -> t.withShards(16))
        .field("order_by: seq", t -> t.withOrderBy("seq"))
        .field("order_by_position: true", MaterializeUpserts::withOrderByPosition)
        .field("batch_rows: 10", t -> t.withBatchRows(10))
        .field("batch_bytes: 4096", t -> t.withBatchBytes(4096))
        .field("batch_age_millis: 20", t -> t.withBatchAge(Duration.millis(20)))
        .field("soft_bound: 3", t -> t.withSoftBound(3))
        .field(
            "hard_bound: 5\nat_hard_bound: DROP_OLDEST",
            t -> t.withHardBound(5, HardBound.DROP_OLDEST))
        .field("insert_only: true", MaterializeUpserts::withInsertOnly)
        .field("store_memory_bytes: 2097152", t -> t.withStoreMemory(2 << 20))
        .field("store_directory: /data", t -> t.withStoreDirectory("/data"))
        .field("initial_state: /from", t -> t.withInitialState("/from"))
        .field("export: /to", t -> t.withExport("/to"))
        .refused(
            "high_threshold: 9",
            "Invalid fields: high_threshold and low_threshold go together. Set both or none")
        .refused(
            "hard_bound: 9",
            "Invalid fields: hard_bound and at_hard_bound go together. Set both or none")
        .refused(
            "strategy: fast",
            "Invalid field strategy: fast is not known (must be one of [LEGACY, VALUE, MAP,"
                + " ADAPTIVE])")
        .refused(
            "batch_rows: 0",
            "Invalid field batch_rows: Invalid rows of a batch: 0 (must be >= 1 and <= 100000)")
        .elsewhere("error_handling")
        .areAll();
  }

  @Test
  public void fieldsThatContradictAreRefused() {
    assertThat(
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    PROVIDER.from(
                        FieldEffects.row(
                            PROVIDER,
                            "{sink_key: [id], soft_bound: 9, hard_bound: 8, at_hard_bound: FAIL}")))
            .getMessage(),
        is(
            "Invalid bounds: soft 9 and hard 8 candidates (the soft one must not be above the hard"
                + " one)"));
  }

  @Test
  public void rowsThatFailAreRowsOfTheErrorOutputAsTheyCame() {
    Schema schema =
        Schema.builder().addStringField("_kind").addInt32Field("id").addStringField("name").build();
    Row noKind = Row.withSchema(schema).addValues("?", 1, "a").build();
    PCollectionRowTuple outputs =
        PCollectionRowTuple.of(
                "input",
                pipeline.apply(
                    Create.of(noKind, Row.withSchema(schema).addValues("+I", 2, "b").build())
                        .withRowSchema(schema)))
            .apply(
                PROVIDER.from(
                    FieldEffects.row(
                        PROVIDER,
                        "{sink_key: [id], insert_only: true, error_handling: {output: failed}}")));

    Schema rows =
        ChangeRows.schema(Schema.builder().addInt32Field("id").addStringField("name").build());
    PAssert.that(outputs.get("output"))
        .containsInAnyOrder(Row.withSchema(rows).addValues(2, "b", "+I", null, null).build());
    PAssert.that(outputs.get("failed"))
        .containsInAnyOrder(
            Row.withSchema(ErrorOutput.schema(schema))
                .addValues(
                    noKind,
                    "Cannot take a row for a change: Invalid change kind: ? (must be one of +I, -U,"
                        + " +U, -D)",
                    "{\"_kind\":\"?\"}")
                .build());
    pipeline.run().waitUntilFinish();
  }

  @Test
  public void inputWithoutKindIsRefused() {
    Schema schema = Schema.builder().addInt32Field("id").build();
    pipeline.enableAbandonedNodeEnforcement(false);
    PCollectionRowTuple input =
        PCollectionRowTuple.of("input", pipeline.apply(Create.empty(schema)));
    assertThat(
        assertThrows(
                IllegalArgumentException.class,
                () -> input.apply(PROVIDER.from(FieldEffects.row(PROVIDER, "sink_key: [id]"))))
            .getMessage(),
        is(
            "Cannot find column _kind, which tells the kind of a change (one of +I, -U, +U, -D). The"
                + " columns are [id]"));
  }
}
