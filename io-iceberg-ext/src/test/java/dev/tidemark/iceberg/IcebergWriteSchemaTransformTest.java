package dev.tidemark.iceberg;

import static dev.tidemark.iceberg.Warehouse.ORDER;
import static dev.tidemark.iceberg.Warehouse.ORDERS_NAME;
import static dev.tidemark.iceberg.Warehouse.order;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.Iterables;
import dev.tidemark.action.AdvanceListener;
import dev.tidemark.action.MarkFinalPartitions;
import dev.tidemark.action.TagFinalPartitions;
import dev.tidemark.commit.RewindPolicy;
import dev.tidemark.datafile.FileOptions;
import dev.tidemark.eventtime.EventTimeExtractor;
import dev.tidemark.eventtime.EventTimeUnit;
import dev.tidemark.eventtime.NullPolicy;
import dev.tidemark.finalization.IdleHandling;
import dev.tidemark.finalization.LateAlertOptions;
import dev.tidemark.finalization.Policies;
import dev.tidemark.schematransform.ErrorOutput;
import dev.tidemark.schematransform.testing.FieldEffects;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.beam.sdk.Pipeline.PipelineExecutionException;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.apache.beam.sdk.values.PCollectionRowTuple;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expressions;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class IcebergWriteSchemaTransformTest {
  private static final IcebergWriteSchemaTransformProvider PROVIDER =
      new IcebergWriteSchemaTransformProvider();

  @Rule public final transient Warehouse warehouse = new Warehouse();
  @Rule public final transient TestPipeline pipeline = TestPipeline.create();

  @Test
  public void everyFieldTakesEffect() {
    EventTimeExtractor at = EventTimeExtractor.column("at");
    new FieldEffects<>(
            PROVIDER,
            IcebergWriteConfig.class,
            config -> config.settings(WriteRows.create()),
            """
            table: db.orders
            catalog_properties: {}
            writer_id: w
            event_time: {column: at}
            """,
            WriteRows.create().withWriterId("w").withEventTime(at))
        .field("writer_id: v", r -> r.withWriterId("v"))
        .field("create_table: {}", r -> r.withTableCreation(TableCreation.unpartitioned()))
        .field(
            "create_table: {partitions: [hour(at), id], properties: {a: b}, location: /there}",
            r ->
                r.withTableCreation(
                    TableCreation.unpartitioned()
                        .withPartitions("hour(at)", "id")
                        .withProperties(Map.of("a", "b"))
                        .withLocation("/there")))
        .field("added_columns: evolve", r -> r.withAddedColumns(AddedColumns.EVOLVE))
        .field(
            "event_time: {column: at, unit: micros}",
            r -> r.withEventTime(at.withUnit(EventTimeUnit.MICROS)))
        .field(
            "event_time: {column: at, format: yyyy-MM-dd}",
            r -> r.withEventTime(at.withFormat("yyyy-MM-dd")))
        .field(
            "event_time: {column: at, zone: Asia/Tokyo}",
            r -> r.withEventTime(at.withZone(ZoneId.of("Asia/Tokyo"))))
        .field(
            "event_time: {column: at, null_policy: REJECT}",
            r -> r.withEventTime(at.withNullPolicy(NullPolicy.REJECT)))
        .field(
            "event_time: {column: at, max_past_seconds: 60, max_future_seconds: 30}",
            r ->
                r.withEventTime(
                    at.withRange(Duration.standardMinutes(1), Duration.standardSeconds(30))))
        .field("finalization: {}", r -> r.withFinalization(FinalizationOptions.defaults()))
        .field(
            "finalization: {policy: 'inputWatermark(PT5M)'}",
            finalization(f -> f.withPolicy(Policies.inputWatermark(Duration.standardMinutes(5)))))
        .field(
            "finalization: {idle: WALL_CLOCK, idle_after_seconds: 90, proof_valid_for_seconds: 70}",
            finalization(
                f ->
                    f.withIdle(
                        IdleHandling.wallClock(Duration.standardSeconds(90))
                            .withProofValidFor(Duration.standardSeconds(70)))))
        .field(
            "finalization: {writer_idle: [{writer: v, idle: WALL_CLOCK, idle_after_seconds: 90,"
                + " proof_valid_for_seconds: 70}]}",
            finalization(
                f ->
                    f.withIdle(
                        "v",
                        IdleHandling.wallClock(Duration.standardSeconds(90))
                            .withProofValidFor(Duration.standardSeconds(70)))))
        .field(
            "finalization: {granularity_seconds: 900}",
            finalization(f -> f.withGranularity(Duration.standardMinutes(15))))
        .field(
            "finalization: {required_writers: [v, w]}",
            finalization(f -> f.withRequiredWriters(Set.of("v", "w"))))
        .field(
            "finalization: {late_threshold: 3, late_window_seconds: 60, backfill: true}",
            finalization(
                f ->
                    f.withLateAlerts(
                        LateAlertOptions.standard()
                            .withThreshold(3)
                            .withWindow(Duration.standardMinutes(1))
                            .withBackfill(true))))
        .field("on_rewind: park", r -> r.withOnRewind(RewindPolicy.PARK))
        .field("branch: audit", r -> r.toBranch("audit"))
        .field(
            "data_files: {target_file_size_bytes: 1, max_open_writers: 2, max_buffered_bytes: 3,"
                + " spill_buffer_bytes: 4, spill_directory: /spill, file_name_prefix: p}",
            r ->
                r.withFileOptions(
                    FileOptions.defaults()
                        .withTargetFileSizeBytes(1)
                        .withMaxOpenWriters(2)
                        .withMaxBufferedBytes(3)
                        .withSpillBufferBytes(4)
                        .withSpillDirectory("/spill")
                        .withFileNamePrefix("p")))
        .field("commit_concurrency: 2", r -> r.withCommitConcurrency(2))
        .field("heartbeat_interval_millis: 20", r -> r.withHeartbeatInterval(Duration.millis(20)))
        .field("parked_retry_millis: 30", r -> r.withParkedRetry(Duration.millis(30)))
        .field("row_grouping: 7", r -> r.withRowGrouping(7))
        .field("launch_check: false", WriteRows::withoutLaunchCheck)
        .refused(
            "commit_concurrency: 0",
            "Invalid field commit_concurrency: Invalid commit concurrency: 0 (must be at least 1)")
        .refused(
            "on_rewind: stop",
            "Invalid field on_rewind: stop is not known (must be one of [FAIL, PARK, ACCEPT])")
        .refused(
            "finalization: {granularity_seconds: 7}",
            "Invalid field finalization: Invalid field granularity_seconds: Invalid granularity: PT7S"
                + " (must be at least 15 minutes and divide a day, or be 1 to 31 whole days)")
        .refused(
            "finalization: {idle: WALL_CLOCK}",
            "Invalid field finalization: Invalid field idle_after_seconds: Invalid idle time: 0 ms (must"
                + " be positive where idle writers advance)")
        .refused(
            "finalization: {late_webhook: 'https://u:p@host/x'}",
            "Invalid field finalization: Invalid field late_webhook: it holds a password, which would be"
                + " in the job graph. Use a reference, ${env:NAME} or ${file:/path}, in its place")
        .refused(
            "finalization: {advance_webhook: 'https://host', webhook_secret: hunter2}",
            "Invalid field finalization: Invalid field advance_webhook: webhook_secret is the secret"
                + " itself, which would be in the job graph. Use a reference, ${env:NAME} or"
                + " ${file:/path}")
        .refused(
            "finalization: {tags: {every: WEEK}}",
            "Invalid field finalization: Invalid field tags: Invalid field every: WEEK is not known"
                + " (must be one of [HOUR, DAY])")
        .refused(
            "finalization: {markers: {location: here}}",
            "Invalid field finalization: Invalid field markers: Invalid field location: "
                + locationRefusal())
        .refused(
            "event_time: {column: at, zone: Mars}",
            "Invalid field event_time: Invalid field zone: Unknown time-zone ID: Mars")
        .refused(
            "accumulators: [{name: a, kind: MEDIAN, column: id}]",
            "Invalid field accumulators: MEDIAN is not known (must be one of [DISTINCT_COUNT,"
                + " QUANTILES, ROWS_BY_KIND])")
        .elsewhere(
            "table",
            "catalog_name",
            "catalog_properties",
            "config_properties",
            "accumulators",
            "finalization.late_webhook",
            "finalization.advance_webhook",
            "finalization.webhook_secret",
            "finalization.tags.every",
            "finalization.tags.zone",
            "finalization.tags.prefix",
            "finalization.tags.retention_seconds",
            "finalization.markers.every",
            "finalization.markers.zone",
            "finalization.markers.location",
            "kind_column",
            "error_handling")
        .areAll();
  }

  private static String locationRefusal() {
    return assertThrows(
            IllegalArgumentException.class, () -> MarkFinalPartitions.hourly().withLocation("here"))
        .getMessage();
  }

  private static Function<WriteRows, WriteRows> finalization(
      Function<FinalizationOptions, FinalizationOptions> setter) {
    return rows -> rows.withFinalization(setter.apply(FinalizationOptions.defaults()));
  }

  @Test
  public void webhookIsToldBesideTheLog() {
    FinalizationOptions options =
        FieldEffects.config(
                PROVIDER,
                IcebergWriteConfig.class,
                """
                table: a.b
                catalog_properties: {}
                writer_id: w
                event_time: {column: at}
                finalization: {late_webhook: '${env:HOOK}'}
                """)
            .getFinalization()
            .options();
    assertThat(
        options.listeners().stream().map(Object::toString).toList(),
        is(List.of(LateDataListener.logging().toString(), "WebhookLateData")));
  }

  @Test
  public void actionsOnFinalPartitionsAreThoseOfTheFields() {
    assertThat(
        advanceListeners(
            """
            finalization:
              advance_webhook: https://host/advances
              webhook_secret: ${env:HOOK}
              tags: {every: DAY, zone: Asia/Tokyo, prefix: done-, retention_seconds: 0}
              markers: {every: hour, location: '{location}/{partition}'}
            """),
        is(
            List.of(
                AdvanceListener.logging().toString(),
                "WebhookAdvance",
                TagFinalPartitions.daily(ZoneId.of("Asia/Tokyo")).withPrefix("done-").toString(),
                MarkFinalPartitions.hourly().toString())));
    assertThat(
        advanceListeners("finalization: {}"), is(List.of(AdvanceListener.logging().toString())));
  }

  private static List<String> advanceListeners(String finalization) {
    return FieldEffects.config(
            PROVIDER,
            IcebergWriteConfig.class,
            """
            table: a.b
            catalog_properties: {}
            writer_id: w
            event_time: {column: at}
            """
                + finalization)
        .getFinalization()
        .options()
        .advanceListeners()
        .stream()
        .map(Object::toString)
        .toList();
  }

  @Test
  public void secretsThemselvesAreRefusedAndNotTold() {
    for (String properties :
        List.of(
            "catalog_properties: {jdbc.password: hunter2}",
            "catalog_properties: {uri: 'jdbc:postgresql://u:hunter2@host/db'}",
            "config_properties: {fs.s3a.secret.key: hunter2}\ncatalog_properties: {}")) {
      String message =
          assertThrows(
                  IllegalArgumentException.class,
                  () ->
                      PROVIDER.from(
                          FieldEffects.row(PROVIDER, "table: a.b\nwriter_id: w\n" + properties)))
              .getMessage();
      assertThat(message, containsString("Use a reference, ${env:NAME} or ${file:/path}"));
      assertThat(message, not(containsString("hunter2")));
    }
  }

  @Test
  public void finalizationWithoutEventTimeIsRefused() {
    assertThat(
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    PROVIDER.from(
                        FieldEffects.row(
                            PROVIDER,
                            "{table: a.b, catalog_properties: {}, writer_id: w, finalization: {}}")))
            .getMessage(),
        is("Invalid field finalization: a watermark needs event time. Set event_time"));
  }

  private String config(String more) {
    return """
        table: db.orders
        catalog_name: lake
        catalog_properties: {type: hadoop, warehouse: '%s'}
        config_properties: {fs.file.impl: %s}
        writer_id: eu
        create_table: {partitions: [hour(placed)]}
        %s
        """
        .formatted(
            warehouse.config().properties().get("warehouse"),
            warehouse.config().hadoopConfiguration().get("fs.file.impl"),
            more);
  }

  private PCollectionRowTuple write(Schema schema, String more, Row... rows) {
    return PCollectionRowTuple.of(
            "input", pipeline.apply(Create.of(List.of(rows)).withRowSchema(schema)))
        .apply(PROVIDER.from(FieldEffects.row(PROVIDER, config(more))));
  }

  @Test
  public void rowsAreCommittedWithFactsAndAccumulators() {
    Row first = order(1, "2024-05-01T10:15:00Z", "eu");
    Row second = order(2, "2024-05-01T11:00:00Z", "us");
    PCollectionRowTuple outputs =
        write(
            ORDER,
            """
            event_time: {column: placed, max_past_seconds: 31536000000}
            finalization: {}
            accumulators:
              - {name: regions, kind: ROWS_BY_KIND, column: region}
              - {name: ids, kind: DISTINCT_COUNT, column: id}
              - {name: id-quantiles, kind: quantiles, column: id}
            error_handling: {output: failed}
            """,
            first,
            second);

    assertThat(outputs.getAll().keySet(), is(Set.of("commits", "advances", "late", "failed")));
    PAssert.that(outputs.get("commits"))
        .satisfies(
            commits -> {
              Row commit = Iterables.getOnlyElement(commits);
              assertThat(commit.getString("table"), is(ORDERS_NAME));
              assertThat(commit.getInt64("rows"), is(2L));
              assertThat(commit.getInt32("files"), is(2));
              assertThat(commit.getBoolean("replayed"), is(false));
              assertThat(
                  commit.getDateTime("event_time_min"), is(Instant.parse("2024-05-01T10:15:00Z")));
              assertThat(
                  commit.getDateTime("event_time_max"), is(Instant.parse("2024-05-01T11:00:00Z")));
              return null;
            });
    PAssert.that(outputs.get("failed")).empty();
    pipeline.run().waitUntilFinish();

    assertThat(warehouse.orders(ORDERS_NAME), containsInAnyOrder(first, second));
    Map<String, String> summary = warehouse.summary(ORDERS_NAME);
    assertThat(summary.get("tidemark.acc.regions.eu"), is("1"));
    assertThat(summary.get("tidemark.acc.ids.count"), is("2"));
    assertThat(summary.get("tidemark.acc.id-quantiles.q990"), is("2.0"));
  }

  @Test
  public void changesAreWrittenWithTheirKindInAColumn() {
    Schema schema = Schema.builder().addStringField("_kind").addFields(ORDER.getFields()).build();
    Row insert = Row.withSchema(schema).addValue("+I").addValues(values(1)).build();
    Row wrong = Row.withSchema(schema).addValue("?").addValues(values(2)).build();
    PCollectionRowTuple outputs =
        write(schema, "kind_column: op\nerror_handling: {output: failed}", insert, wrong);

    Schema logged =
        Schema.builder().addFields(ORDER.getFields()).addNullableStringField("op").build();
    PAssert.that(outputs.get("failed"))
        .containsInAnyOrder(
            Row.withSchema(ErrorOutput.schema(logged))
                .addValues(
                    Row.withSchema(logged).addValues(values(2)).addValue("?").build(),
                    "Cannot take a row for a change: Invalid change kind: ? (must be one of +I, -U,"
                        + " +U, -D)",
                    "{\"_kind\":\"?\"}")
                .build());
    pipeline.run().waitUntilFinish();

    Record record =
        Iterables.getOnlyElement(
            Warehouse.records(warehouse.table(ORDERS_NAME), Expressions.alwaysTrue()));
    assertThat(record.getField("id"), is(1L));
    assertThat(record.getField("op"), is("+I"));
  }

  private static Object[] values(long id) {
    return order(id, "2024-05-01T10:15:00Z", "eu").getValues().toArray();
  }

  @Test
  public void rowsGoToTheTablesThatTheyName() {
    Row eu = order(1, "2024-05-01T10:15:00Z", "eu");
    Row us = order(2, "2024-05-01T10:15:00Z", "us");
    Row none = order(3, "2024-05-01T10:15:00Z", null);
    PCollectionRowTuple outputs =
        write(ORDER, "table: 'db.orders_{region}'\nerror_handling: {output: failed}", eu, us, none);

    PAssert.that(outputs.get("failed"))
        .satisfies(
            failed -> {
              assertThat(Iterables.getOnlyElement(failed).getRow(ErrorOutput.FAILED_ROW), is(none));
              return null;
            });
    pipeline.run().waitUntilFinish();
    assertThat(warehouse.orders("db.orders_eu"), is(List.of(eu)));
    assertThat(warehouse.orders("db.orders_us"), is(List.of(us)));
  }

  @Test
  public void columnOfATableNameThatIsMissingIsRefused() {
    pipeline.enableAbandonedNodeEnforcement(false);
    assertThat(
        assertThrows(
                IllegalArgumentException.class,
                () -> write(ORDER, "table: 'db.orders_{shop}'", order(1, null, null)))
            .getMessage(),
        is(
            "Invalid field table: there is no column shop for db.orders_{shop}. The columns are [id,"
                + " placed, region]"));
  }

  @Test
  public void rowThatItsTableCannotHoldFailsThePipelineWithoutAnErrorOutput() {
    write(ORDER, "table: 'db.orders_{region}'", order(1, null, null));
    assertThat(
        assertThrows(PipelineExecutionException.class, () -> pipeline.run().waitUntilFinish())
            .getMessage(),
        containsString("set error_handling to have such records in an output"));
  }

  @Test
  public void displayDataHoldNoReferenceNorProperty() {
    WriteRows rows =
        FieldEffects.config(
                PROVIDER,
                IcebergWriteConfig.class,
                """
                table: a.b
                catalog_properties: {type: rest, token: '${env:NO_SUCH_TIDEMARK_TOKEN}'}
                writer_id: w
                """)
            .transform();
    assertThat(DisplayData.from(rows).toString(), not(containsString("NO_SUCH_TIDEMARK_TOKEN")));
    assertThat(rows.requiredCatalog().isAccessible(), is(false));
  }
}
