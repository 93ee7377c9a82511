package dev.tidemark.doris;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.Iterables;
import dev.tidemark.schematransform.ErrorOutput;
import dev.tidemark.schematransform.testing.FieldEffects;
import dev.tidemark.streamload.RetryPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.beam.sdk.Pipeline.PipelineExecutionException;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.values.PCollectionRowTuple;
import org.apache.beam.sdk.values.Row;
import org.joda.time.Duration;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class DorisWriteSchemaTransformTest {
  private static final DorisWriteSchemaTransformProvider PROVIDER =
      new DorisWriteSchemaTransformProvider();
  private static final String REQUIRED =
      """
      frontends: ['fe:8030']
      user: loader
      password: ${env:DORIS}
      database: shop
      table: orders
      label_prefix: p
      """;

  @Rule public final transient TestPipeline pipeline = TestPipeline.create();
  @Rule public final transient TemporaryFolder folder = new TemporaryFolder();

  private transient Shop shop;

  @Before
  public void open() {
    shop = Shop.open();
  }

  @After
  public void close() {
    assertThat(shop.doris.violations(), empty());
    shop.close();
  }

  @Test
  public void everyFieldTakesEffect() {
    new FieldEffects<>(
            PROVIDER,
            DorisWriteConfig.class,
            config -> config.settings(DorisIO.write()),
            REQUIRED,
            DorisIO.write().withLabelPrefix("p"))
        .field("backends: ['be:8040']", w -> w.withBackends("be:8040"))
        .field("connect_timeout_millis: 5", w -> w.withConnectTimeout(Duration.millis(5)))
        .field("load_timeout_millis: 6", w -> w.withLoadTimeout(Duration.millis(6)))
        .field(
            "retry: {max_attempts: 2, first_wait_millis: 3, first_slow_wait_millis: 4,"
                + " longest_wait_millis: 5, settle_time_millis: 6, total_time_millis: 7}",
            w ->
                w.withRetryPolicy(
                    RetryPolicy.defaults()
                        .withMaxAttempts(2)
                        .withFirstWait(java.time.Duration.ofMillis(3))
                        .withFirstSlowWait(java.time.Duration.ofMillis(4))
                        .withLongestWait(java.time.Duration.ofMillis(5))
                        .withSettleTime(java.time.Duration.ofMillis(6))
                        .withTotalTime(java.time.Duration.ofMillis(7))))
        .field("label_prefix: q", w -> w.withLabelPrefix("q"))
        .field("delivery: two_phase_commit", w -> w.withDelivery(DeliveryMode.TWO_PHASE_COMMIT))
        .field("shards: 2", w -> w.withShards(2))
        .field("max_rows: 9", w -> w.withMaxRows(9))
        .field("max_bytes: 2048", w -> w.withMaxBytes(2048))
        .field("max_age_millis: 30", w -> w.withMaxAge(Duration.millis(30)))
        .field("headers: {timeout: '60'}", w -> w.withHeader("timeout", "60"))
        .field("partial_update: true", DorisWrite::withPartialUpdate)
        .field("sequence_column: seq", w -> w.withSequenceColumn("seq"))
        .field(
            "datetime_encoding: LEGACY_PLUS_8",
            w -> w.withDatetimeEncoding(DatetimeEncoding.LEGACY_PLUS_8))
        .field("defaulted_columns: [a, b]", w -> w.withDefaultedColumns("a", "b"))
        .field("refused_rows_in_failed: true", DorisWrite::withRefusedRowsInFailed)
        .field("load_concurrency: 2", w -> w.withLoadConcurrency(2))
        .field("heartbeat_interval_millis: 40", w -> w.withHeartbeatInterval(Duration.millis(40)))
        .field("launch_check: false", DorisWrite::withoutLaunchCheck)
        .refused(
            "shards: 0",
            "Invalid field shards: Invalid number of shards: 0 (must be >= 1 and <= 1024)")
        .refused(
            "delivery: twice",
            "Invalid field delivery: twice is not known (must be one of [LABELS, TWO_PHASE_COMMIT])")
        .refused(
            "retry: {max_attempts: 0}",
            "Invalid field retry: Invalid field max_attempts: Invalid attempts: 0 (must be at least 1)")
        .elsewhere(
            "frontends",
            "user",
            "password",
            "trust_store",
            "trust_store_password",
            "database",
            "table",
            "key",
            "error_handling")
        .areAll();
  }

  @Test
  public void clusterAndTableAreThoseOfTheFields() {
    DorisWrite write =
        FieldEffects.config(
                PROVIDER,
                DorisWriteConfig.class,
                REQUIRED
                    + """
                    key: [id, region]
                    trust_store: /trust.p12
                    trust_store_password: ${env:TRUST}
                    """)
            .transform();
    OneTable table = (OneTable) write.requiredDestinations();
    assertThat(table.table().get(), is(DorisTable.of("shop", "orders").withKey("id", "region")));
    ClusterSettings cluster = write.cluster();
    assertThat(cluster.frontends().get(), is(List.of("fe:8030")));
    assertThat(cluster.user().get(), is("loader"));
    assertThat(cluster.trustStore().get(), is("/trust.p12"));
    assertThat(cluster.password().toString(), is("password"));
    assertThat(cluster.trustStorePassword().toString(), is("trust_store_password"));
  }

  @Test
  public void fieldsOfTheClusterThatAreWrongAreRefused() {
    assertRefused(
        "password: hunter2",
        "Invalid field password: it is the password itself, which would be in the job graph. Use a"
            + " reference, ${env:NAME} or ${file:/path}");
    assertRefused(
        "trust_store: /trust.p12",
        "Invalid fields: trust_store and trust_store_password go together. Set both or none");
    assertRefused(
        "table: a/b",
        "Invalid field table: Invalid name of a table: 'a/b' (must not be empty, nor contain / or ?)");
    assertRefused(
        "key: []", "Invalid field key: Invalid key of table shop.orders: it must have a column");
  }

  private static void assertRefused(String field, String message) {
    assertThat(
        assertThrows(
                IllegalArgumentException.class,
                () -> PROVIDER.from(FieldEffects.row(PROVIDER, REQUIRED + field)))
            .getMessage(),
        is(message));
  }

  private PCollectionRowTuple write(Schema schema, String more, Row... rows) throws Exception {
    Path password = folder.newFile().toPath();
    Files.writeString(password, Shop.PASSWORD + "\n");
    return PCollectionRowTuple.of(
            "input", pipeline.apply(Create.of(List.of(rows)).withRowSchema(schema)))
        .apply(
            PROVIDER.from(
                FieldEffects.row(
                    PROVIDER,
                    """
                    frontends: ['%s']
                    user: %s
                    password: ${file:%s}
                    database: shop
                    table: orders
                    key: [id]
                    label_prefix: test
                    %s
                    """
                        .formatted(shop.doris.frontend(), Shop.USER, password, more))));
  }

  @Test
  public void rowsAreUpserted() throws Exception {
    PCollectionRowTuple outputs =
        write(Shop.SCHEMA, "", Shop.order(1, "a", 10), Shop.order(2, null, 20));

    assertThat(outputs.getAll().keySet(), is(Set.of("loads")));
    PAssert.that(outputs.get("loads"))
        .satisfies(
            loads -> {
              long rows = 0;
              for (Row load : loads) {
                assertThat(load.getString("database"), is("shop"));
                assertThat(load.getString("table"), is("orders"));
                assertThat(load.getInt64("deletes"), is(0L));
                rows += load.getInt64("rows");
              }
              assertThat(rows, is(2L));
              return null;
            });
    pipeline.run().waitUntilFinish();
    assertThat(shop.orders(), is(Map.of(1L, "a 10", 2L, "null 20")));
  }

  @Test
  public void changesAreUpsertsAndDeletesAndTheWrongOnesErrors() throws Exception {
    Schema schema =
        Schema.builder().addFields(Shop.SCHEMA.getFields()).addStringField("_kind").build();
    Row wrong = change(schema, Shop.order(3, "c", 30), "?");
    PCollectionRowTuple outputs =
        write(
            schema,
            "error_handling: {output: failed}",
            change(schema, Shop.order(1, "a", 10), "+I"),
            change(schema, Shop.order(2, "b", 20), "-D"),
            wrong);

    PAssert.that(outputs.get("failed"))
        .satisfies(
            failed -> {
              Row error = Iterables.getOnlyElement(failed);
              assertThat(error.getRow(ErrorOutput.FAILED_ROW), is(wrong));
              return null;
            });
    pipeline.run().waitUntilFinish();
    assertThat(shop.orders(), is(Map.of(1L, "a 10")));
  }

  private static Row change(Schema schema, Row row, String kind) {
    return Row.withSchema(schema).addValues(row.getValues().toArray()).addValue(kind).build();
  }

  /** The server names a row of a batch of columns; the element that it came as is gone by then. */
  @Test
  public void rowThatTheServerRefusesIsAnErrorWithItsValues() throws Exception {
    Row tooLong = Shop.order(1, "x".repeat(41), 10);
    PCollectionRowTuple outputs =
        write(
            Shop.SCHEMA,
            "refused_rows_in_failed: true\nerror_handling: {output: failed}",
            tooLong,
            Shop.order(2, "b", 20));

    PAssert.that(outputs.get("failed"))
        .satisfies(
            failed -> {
              Row error = Iterables.getOnlyElement(failed);
              assertThat(error.getRow(ErrorOutput.FAILED_ROW), is(nullValue()));
              assertThat(error.getString(ErrorOutput.DETAILS), containsString("\"id\":\"1\""));
              assertThat(
                  error.getString(ErrorOutput.ERROR_MESSAGE),
                  containsString("Row for table shop.orders: "));
              return null;
            });
    pipeline.run().waitUntilFinish();
    assertThat(shop.orders(), is(Map.of(2L, "b 20")));
  }

  @Test
  public void rowThatIsNoChangeFailsThePipelineWithoutAnErrorOutput() throws Exception {
    Schema schema =
        Schema.builder().addFields(Shop.SCHEMA.getFields()).addStringField("_kind").build();
    write(schema, "", change(schema, Shop.order(3, "c", 30), "?"));
    String message =
        assertThrows(PipelineExecutionException.class, () -> pipeline.run().waitUntilFinish())
            .getMessage();
    assertThat(message, containsString("set error_handling to have such records in an output"));
    assertThat(message, not(containsString(Shop.PASSWORD)));
  }
}
