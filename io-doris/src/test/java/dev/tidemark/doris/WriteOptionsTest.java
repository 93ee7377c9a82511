package dev.tidemark.doris;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.Assert.assertThrows;

import dev.tidemark.arrow.ChangeBatch;
import dev.tidemark.arrow.ChangeBatchCoder;
import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.doris.emulator.DatetimeBehaviour;
import dev.tidemark.doris.emulator.RequestInfo;
import dev.tidemark.doris.emulator.TransactionState;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.ValueProvider.StaticValueProvider;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.apache.beam.sdk.util.SerializableUtils;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.joda.time.Duration;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Each option takes effect, and what cannot be written is refused when it can be known. */
@RunWith(JUnit4.class)
public class WriteOptionsTest {
  private final Pipeline pipeline =
      Pipeline.create(PipelineOptionsFactory.fromArgs("--targetParallelism=1").create());
  private Shop shop;

  @Before
  public void open() {
    shop = Shop.open();
  }

  @After
  public void close() {
    shop.close();
  }

  private PCollection<Row> orders(Row... rows) {
    return pipeline.apply(Create.of(List.of(rows)).withRowSchema(Shop.SCHEMA));
  }

  private PCollection<Change> changes(Schema schema, Change... changes) {
    return pipeline.apply(Create.of(List.of(changes)).withCoder(ChangeCoder.of(schema)));
  }

  private List<RequestInfo> loads() {
    return shop.doris.requests().stream()
        .filter(request -> request.toString().contains("_stream_load"))
        .toList();
  }

  private static void assertInvalid(String text, Runnable action) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, action::run);
    assertThat(e.getMessage(), containsString(text));
  }

  @Test
  public void requiredValuesAreNamed() {
    PCollection<Row> rows = orders(Shop.order(1, "a", 1));
    DorisWrite bare = DorisIO.write();
    assertInvalid("Set it with withFrontends", () -> rows.apply("1", bare));
    DorisWrite frontends = bare.withFrontends("fe:8030");
    assertInvalid("Set it with withUser", () -> rows.apply("2", frontends));
    DorisWrite user = frontends.withUser("u");
    assertInvalid("Set it with withPassword", () -> rows.apply("3", user));
    DorisWrite password = user.withPassword("p");
    assertInvalid("Set it with to", () -> rows.apply("4", password));
    assertInvalid("Set it with withLabelPrefix", () -> rows.apply("5", password.to(Shop.ORDERS)));
  }

  @Test
  public void invalidValuesAreRefusedAtOnce() {
    DorisWrite write = DorisIO.write();
    assertInvalid("number of shards: 0", () -> write.withShards(0));
    assertInvalid("most rows of a load: 0", () -> write.withMaxRows(0));
    assertInvalid("most bytes of a load: 5", () -> write.withMaxBytes(5));
    assertInvalid("longest wait of rows", () -> write.withMaxAge(Duration.ZERO));
    assertInvalid("load concurrency: 0", () -> write.withLoadConcurrency(0));
    assertInvalid("label prefix", () -> write.withLabelPrefix("a.b"));
    assertInvalid("frontends: none", () -> write.withFrontends());
    assertInvalid("user information", () -> write.withFrontends("http://me:secret@fe:8030"));
    assertInvalid("address: fe", () -> write.withBackends("fe"));
    assertInvalid("load timeout", () -> write.withLoadTimeout(Duration.ZERO));
    assertInvalid("Cannot set header label", () -> write.withHeader("label", "x"));
    assertInvalid("Cannot set header Format", () -> write.withHeader("Format", "csv"));
    assertInvalid("Cannot set header merge_type", () -> write.withHeader("merge_type", "DELETE"));
    assertInvalid("must not be empty", () -> DorisTable.of("", "t"));
    assertInvalid("named once", () -> DorisTable.of("d", "t").withKey("a", "a"));
  }

  @Test
  public void elementsWithoutASchemaAreRefused() {
    assertInvalid(
        "Cannot write elements with the coder",
        () -> pipeline.apply(Create.of("text")).apply(shop.write()));
  }

  @Test
  public void boundedInputInTwoPhasesIsRefused() {
    assertInvalid(
        "bounded input with two-phase commit",
        () ->
            orders(Shop.order(1, "a", 1))
                .apply(shop.write().withDelivery(DeliveryMode.TWO_PHASE_COMMIT)));
  }

  @Test
  public void batchesToSeveralTablesAreRefused() {
    assertInvalid(
        "Cannot write batches of changes to several tables",
        () ->
            pipeline
                .apply(Create.empty(ChangeBatchCoder.of()))
                .apply(shop.write().to(row -> Shop.ORDERS)));
  }

  @Test
  public void boundedAppendsAreRefused() {
    shop.doris.createTable(
        "CREATE TABLE shop.log (id BIGINT, name VARCHAR(40), amount INT)" + " DUPLICATE KEY(id)");
    assertInvalid(
        "a bundle that the runner repeats would append its rows twice",
        () ->
            run(
                orders(Shop.order(1, "a", 1))
                    .apply(shop.write().to(DorisTable.of("shop", "log")))));
  }

  private static void run(DorisWriteResult result) {
    result.getPipeline().run();
  }

  @Test
  public void tableIsLookedAtWhenThePipelineIsLaunched() {
    PCollection<Row> rows =
        pipeline.apply(
            Create.of(
                    Row.withSchema(Schema.builder().addInt64Field("number").build())
                        .addValue(1L)
                        .build())
                .withRowSchema(Schema.builder().addInt64Field("number").build()));
    assertInvalid("column number", () -> run(rows.apply(shop.write())));
    assertThat(loads(), hasSize(0));
  }

  @Test
  public void launchCheckCanBeLeftOut() {
    pipeline
        .apply(Create.empty(ChangeCoder.of(Shop.SCHEMA)))
        .apply(
            DorisIO.write()
                .withFrontends("127.0.0.1:1")
                .withUser("u")
                .withPassword("p")
                .to(Shop.ORDERS)
                .withLabelPrefix("x")
                .withoutLaunchCheck());
    pipeline.run();
    assertThat(shop.doris.requests(), hasSize(0));
  }

  @Test
  public void secretsAreNotShown() {
    DorisWrite write =
        shop.write()
            .withTrustStore("/etc/trust.p12", "store-secret")
            .withHeader("comment", "header-secret");
    String display = DisplayData.from(write).toString() + DisplayData.from(write).items();
    assertThat(display, containsString("shop.orders"));
    assertThat(display, containsString(shop.doris.frontend()));
    for (String text : List.of(display, write.toString(), write.cluster().toString())) {
      assertThat(text, not(containsString(Shop.PASSWORD)));
      assertThat(text, not(containsString(Shop.USER)));
      assertThat(text, not(containsString("store-secret")));
      assertThat(text, not(containsString("header-secret")));
    }
  }

  @Test
  public void valuesMayComeLate() {
    DorisWrite write =
        shop.write()
            .withUser(StaticValueProvider.of(Shop.USER))
            .withPassword(StaticValueProvider.of(Shop.PASSWORD))
            .withFrontends(StaticValueProvider.of(List.of(shop.doris.frontend())))
            .to(StaticValueProvider.of(Shop.ORDERS));
    orders(Shop.order(1, "a", 1)).apply(write);
    pipeline.run();
    assertThat(shop.orders(), is(Map.of(1L, "a 1")));
  }

  @Test
  public void settingsAreSerializable() {
    WriteSettings settings = FaultRunsTest.settings(shop, "x");
    assertThat(SerializableUtils.clone(settings).labelPrefix(), is("x"));
  }

  @Test
  public void loadsAreAsLargeAsTheyMayBe() {
    orders(Shop.order(1, "a", 1), Shop.order(2, "b", 2), Shop.order(3, "c", 3))
        .apply(shop.write().withShards(1).withMaxRows(1));
    pipeline.run();
    assertThat(shop.transactions(TransactionState.VISIBLE), hasSize(3));
    assertThat(shop.orders().size(), is(3));
  }

  @Test
  public void rowsThatTheTableCannotHoldAreInFailed() {
    shop.doris.createTable(
        "CREATE TABLE shop.prices (id BIGINT NOT NULL, price DECIMAL(5, 2) NOT NULL)"
            + " UNIQUE KEY(id)");
    Schema schema =
        Schema.builder()
            .addInt64Field("id")
            .addNullableField("price", Schema.FieldType.DECIMAL)
            .build();
    DorisWriteResult result =
        pipeline
            .apply(
                Create.of(
                        Row.withSchema(schema).addValues(1L, new BigDecimal("12.5")).build(),
                        Row.withSchema(schema).addValues(2L, new BigDecimal("12345.67")).build(),
                        Row.withSchema(schema).addValues(3L, null).build())
                    .withRowSchema(schema))
            .apply(shop.write().to(DorisTable.of("shop", "prices").withKey("id")));
    PAssert.that(
            result
                .failed()
                .apply(
                    MapElements.into(TypeDescriptors.strings())
                        .via(bad -> bad.getFailure().getDescription())))
        .satisfies(
            texts -> {
              String all = String.join("|", texts);
              assertThat(
                  all, containsString("Row for table shop.prices: Cannot write column price"));
              assertThat(all, containsString("column price is null, and NOT NULL in the table"));
              return null;
            });
    pipeline.run();
    assertThat(shop.doris.rows("shop", "prices"), hasSize(1));
    assertThat(shop.doris.rows("shop", "prices").get(0).get("price"), is(new BigDecimal("12.50")));
  }

  @Test
  public void rowsThatTheServerRefusesAreInFailedIfAskedFor() {
    String tooLong = "x".repeat(60);
    DorisWriteResult result =
        orders(
                Shop.order(1, "a", 1),
                Shop.order(2, tooLong, 2),
                Shop.order(3, "c", 3),
                Shop.order(4, "d", 4),
                Shop.order(5, tooLong, 5))
            .apply(shop.write().withShards(1).withRefusedRowsInFailed());
    PAssert.that(
            result
                .failed()
                .apply(
                    MapElements.into(TypeDescriptors.strings())
                        .via(
                            bad ->
                                bad.getRecord()
                                    .getHumanReadableJsonRecord()
                                    .replaceAll(".*\"id\":\"(\\d+)\".*", "$1"))))
        .containsInAnyOrder("2", "5");
    pipeline.run();
    assertThat(shop.orders(), is(Map.of(1L, "a 1", 3L, "c 3", 4L, "d 4")));
  }

  @Test
  public void rowsThatTheServerRefusesFailThePipelineOtherwise() {
    orders(Shop.order(2, "x".repeat(60), 2)).apply(shop.write());
    Pipeline.PipelineExecutionException e =
        assertThrows(Pipeline.PipelineExecutionException.class, pipeline::run);
    assertThat(e.getMessage(), containsString("shop.orders"));
    assertThat(e.getMessage(), not(containsString(Shop.PASSWORD)));
  }

  @Test
  public void partialUpdateLeavesOtherColumns() {
    shop.doris.createTable(
        "CREATE TABLE shop.wide (id BIGINT NOT NULL, name VARCHAR(40), amount INT)"
            + " UNIQUE KEY(id) PROPERTIES(\"enable_unique_key_merge_on_write\" = \"true\")");
    DorisTable wide = DorisTable.of("shop", "wide").withKey("id");
    orders(Shop.order(1, "a", 1)).apply("All", shop.write().to(wide));
    pipeline.run();
    Schema part = Schema.builder().addInt64Field("id").addInt32Field("amount").build();
    Pipeline second = Pipeline.create();
    second
        .apply(Create.of(Row.withSchema(part).addValues(1L, 7).build()).withRowSchema(part))
        .apply(shop.write().to(wide).withPartialUpdate());
    second.run();
    Map<String, Object> row = shop.doris.rows("shop", "wide").get(0);
    assertThat(row.get("name") + " " + row.get("amount"), is("a 7"));
  }

  private void datetimes(
      DatetimeEncoding encoding, DatetimeBehaviour behaviour, LocalDateTime expected) {
    try (Shop legacy = Shop.of(Shop.builder().datetimeBehaviour(behaviour))) {
      legacy.doris.createTable(
          "CREATE TABLE shop.times (id BIGINT NOT NULL, seen DATETIME(6)) UNIQUE KEY(id)");
      Schema schema =
          Schema.builder()
              .addInt64Field("id")
              .addLogicalTypeField("seen", SqlTypes.DATETIME)
              .build();
      Pipeline own = Pipeline.create();
      own.apply(
              Create.of(
                      Row.withSchema(schema)
                          .addValues(1L, LocalDateTime.parse("2026-03-01T10:20:30.123456"))
                          .build())
                  .withRowSchema(schema))
          .apply(
              legacy
                  .write()
                  .to(DorisTable.of("shop", "times").withKey("id"))
                  .withDatetimeEncoding(encoding));
      own.run();
      assertThat(legacy.doris.rows("shop", "times").get(0).get("seen"), is(expected));
    }
  }

  @Test
  public void datetimesAreStoredAsTheyAreMeant() {
    LocalDateTime meant = LocalDateTime.parse("2026-03-01T10:20:30.123456");
    datetimes(DatetimeEncoding.WALL_CLOCK, DatetimeBehaviour.WALL_CLOCK, meant);
    datetimes(DatetimeEncoding.LEGACY_PLUS_8, DatetimeBehaviour.LEGACY_PLUS_8, meant);
  }

  @Test
  public void datetimesAreEightHoursOffIfTheEncodingIsWrong() {
    datetimes(
        DatetimeEncoding.WALL_CLOCK,
        DatetimeBehaviour.LEGACY_PLUS_8,
        LocalDateTime.parse("2026-03-01T18:20:30.123456"));
  }

  @Test
  public void deletesOfKeysAloneFillNotNullColumns() {
    shop.doris.createTable(
        "CREATE TABLE shop.full (id BIGINT NOT NULL, name VARCHAR(40) NOT NULL, amount INT NOT"
            + " NULL, seen DATETIME(6) NOT NULL, price DECIMAL(9,2) NOT NULL, paid BOOLEAN NOT"
            + " NULL) UNIQUE KEY(id)");
    Schema schema =
        Schema.builder()
            .addInt64Field("id")
            .addNullableStringField("name")
            .addNullableInt32Field("amount")
            .addNullableLogicalTypeField("seen", SqlTypes.DATETIME)
            .addNullableField("price", Schema.FieldType.DECIMAL)
            .addNullableBooleanField("paid")
            .build();
    Row full =
        Row.withSchema(schema)
            .addValues(
                1L,
                "a",
                2,
                LocalDateTime.parse("2026-03-01T10:20:30"),
                new BigDecimal("1.25"),
                true)
            .build();
    Change gone =
        Change.of(
                ChangeKind.DELETE,
                Row.withSchema(schema).addValues(2L, null, null, null, null, null).build())
            .withUnknownColumns(List.of("name", "amount", "seen", "price", "paid"));
    DorisWriteResult result =
        changes(schema, Change.of(ChangeKind.INSERT, full), gone)
            .apply(shop.write().to(DorisTable.of("shop", "full").withKey("id")).withShards(1));
    PAssert.that(result.failed()).empty();
    pipeline.run();
    assertThat(
        shop.doris.rows("shop", "full").stream().map(row -> row.get("id")).toList(),
        is(List.of(1L)));
  }

  @Test
  public void incompleteUpsertsAreInFailed() {
    Change incomplete =
        Change.of(ChangeKind.UPDATE_AFTER, Shop.order(1, null, 2))
            .withUnknownColumns(List.of("name"));
    DorisWriteResult result = changes(Shop.SCHEMA, incomplete).apply(shop.write());
    PAssert.that(
            result
                .failed()
                .apply(
                    MapElements.into(TypeDescriptors.booleans())
                        .via(
                            bad ->
                                bad.getFailure()
                                    .getDescription()
                                    .contains("+U does not tell columns [name]"))))
        .containsInAnyOrder(true);
    pipeline.run();
    assertThat(shop.doris.transactions(), hasSize(0));
  }

  @Test
  public void inputOfUpdateBeforesAloneSendsNothing() {
    changes(Shop.SCHEMA, Change.of(ChangeKind.UPDATE_BEFORE, Shop.order(1, "a", 1)))
        .apply(shop.write());
    pipeline.run();
    assertThat(shop.doris.transactions(), hasSize(0));
  }

  @Test
  public void equalRowsOfTwoTablesAreTwoLoads() {
    shop.doris.createTable(
        "CREATE TABLE shop.orders2 (id BIGINT NOT NULL, name VARCHAR(40), amount INT NOT NULL)"
            + " UNIQUE KEY(id)");
    PCollection<Row> rows = orders(Shop.order(1, "a", 1));
    rows.apply("One", shop.write());
    rows.apply("Other", shop.write().to(DorisTable.of("shop", "orders2").withKey("id")));
    pipeline.run();
    assertThat(shop.doris.rows("shop", "orders2"), hasSize(1));
    assertThat(shop.doris.rows("shop", "orders"), hasSize(1));
  }

  @Test
  public void furtherHeadersAreSent() {
    orders(Shop.order(1, "a", 1)).apply(shop.write().withHeader("comment", "by-test"));
    pipeline.run();
    assertThat(
        loads().stream().map(Objects::toString).toList(), hasItem(containsString("by-test")));
  }

  @Test
  public void batchWithAColumnOfAnotherTypeIsRefused() {
    Schema narrow =
        Schema.builder()
            .addInt32Field("id")
            .addNullableStringField("name")
            .addInt32Field("amount")
            .build();
    ChangeBatch batch =
        Batches.of(
            narrow,
            Change.of(ChangeKind.INSERT, Row.withSchema(narrow).addValues(1, "a", 1).build()));
    pipeline.apply(Create.of(batch).withCoder(ChangeBatchCoder.of())).apply(shop.write());
    Pipeline.PipelineExecutionException e =
        assertThrows(Pipeline.PipelineExecutionException.class, pipeline::run);
    assertThat(e.getMessage(), containsString("column id is BIGINT there and Int(32, true)"));
    assertThat(shop.doris.transactions(), hasSize(0));
  }
}
