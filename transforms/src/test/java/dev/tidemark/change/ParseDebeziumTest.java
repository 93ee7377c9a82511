package dev.tidemark.change;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterables;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.transforms.errorhandling.ErrorHandler.BadRecordErrorHandler;
import org.apache.beam.sdk.util.CoderUtils;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class ParseDebeziumTest {
  private static final String TOPIC = "pg.shop.t";
  private static final String UNAVAILABLE = "__debezium_unavailable_value";
  private static final long LSN = 31_292_264;
  private static final Schema SCHEMA =
      Schema.builder()
          .addInt32Field("id")
          .addStringField("name")
          .addNullableStringField("body")
          .build();
  private static final DebeziumTable TABLE = DebeziumTable.of(TOPIC, SCHEMA).withKey("id");
  private static final DebeziumTable FULL = TABLE.withFullBeforeImages();

  @Rule public final transient TestPipeline pipeline = TestPipeline.create();

  // Kinds of events.

  @Test
  public void snapshotReadAndCreateGiveInserts() throws Exception {
    for (String op : List.of("r", "c")) {
      Change change = Iterables.getOnlyElement(changes(TABLE, event(op, null, row(1, "a", "b"))));
      assertThat(change.kind(), is(ChangeKind.INSERT));
      assertThat(change.row(), equalTo(rowOf(TABLE, 1, "a", "b")));
      assertThat(change.imageComplete(), is(true));
    }
  }

  @Test
  public void updateWithoutFullImagesGivesTheRowAfter() throws Exception {
    Change change = Iterables.getOnlyElement(changes(TABLE, event("u", null, row(1, "a", "b"))));
    assertThat(change.kind(), is(ChangeKind.UPDATE_AFTER));
    assertThat(change.row(), equalTo(rowOf(TABLE, 1, "a", "b")));
  }

  @Test
  public void updateWithFullImagesGivesBothHalvesInOrder() throws Exception {
    List<Change> halves = changes(FULL, event("u", row(1, "old", null), row(1, "new", null)));
    assertThat(halves.get(0).kind(), is(ChangeKind.UPDATE_BEFORE));
    assertThat(halves.get(0).row(), equalTo(rowOf(FULL, 1, "old", null)));
    assertThat(halves.get(1).kind(), is(ChangeKind.UPDATE_AFTER));
    assertThat(halves.get(1).row(), equalTo(rowOf(FULL, 1, "new", null)));
    assertThat(halves.get(1).position(), greaterThan(halves.get(0).position()));
  }

  @Test
  public void beforeImageThatIsNotDeclaredFullGivesNoChange() throws Exception {
    List<Change> changes = changes(TABLE, event("u", row(1, "", null), row(1, "new", null)));
    assertThat(Iterables.getOnlyElement(changes).kind(), is(ChangeKind.UPDATE_AFTER));
  }

  @Test
  public void updateWithoutBeforeImageOfTableDeclaredFullFails() {
    assertThat(
        failure(FULL, event("u", null, row(1, "a", null))),
        containsString("no before image although full ones are declared"));
  }

  @Test
  public void deleteUnderDefaultReplicaIdentityTellsTheKeyOnly() throws Exception {
    // The empty name is made up by the connector: the column must not be null.
    Change change = Iterables.getOnlyElement(changes(TABLE, event("d", row(1, "", null), null)));
    assertThat(change.kind(), is(ChangeKind.DELETE));
    assertThat(change.row(), equalTo(rowOf(TABLE, 1, null, null)));
    assertThat(change.imageComplete(), is(false));
    assertThat(change.unknownColumns(), equalTo(ImmutableSet.of("name", "body")));
    assertThat(change.isKnown("id"), is(true));
    assertThat(change.isKnown("name"), is(false));
  }

  @Test
  public void deleteUnderFullReplicaIdentityTellsTheRow() throws Exception {
    Change change = Iterables.getOnlyElement(changes(FULL, event("d", row(1, "a", null), null)));
    assertThat(change.row(), equalTo(rowOf(FULL, 1, "a", null)));
    assertThat(change.imageComplete(), is(true));
  }

  @Test
  public void keyOfDeleteComesFromTheRecordsKeyIfTheImageLacksIt() throws Exception {
    Change change = Iterables.getOnlyElement(changes(TABLE, event("d", null, null)));
    assertThat(change.row().getInt32("id"), is(1));
  }

  @Test
  public void deleteWithKeyOfTableDeclaredWithoutOneFails() {
    assertThat(
        failure(DebeziumTable.of(TOPIC, SCHEMA), event("d", row(1, "", null), null)),
        containsString("the table is declared without one"));
  }

  @Test
  public void nonKeyColumnsAreNullableUnlessBeforeImagesAreFull() {
    assertThat(TABLE.rowSchema().getField("id").getType().getNullable(), is(false));
    assertThat(TABLE.rowSchema().getField("name").getType().getNullable(), is(true));
    assertThat(FULL.rowSchema(), equalTo(SCHEMA));
  }

  @Test
  public void changeOfKeyGivesDeleteAndInsert() throws Exception {
    DebeziumRecord delete =
        record("{\"id\":1}", event("d", row(1, "", null), null))
            .withHeaders(ImmutableMap.of("__debezium.newkey", "{\"id\":2}"));
    DebeziumRecord create =
        record("{\"id\":2}", event("c", null, row(2, "a", null)))
            .withHeaders(ImmutableMap.of("__debezium.oldkey", "{\"id\":1}"));
    DebeziumRecord tombstone = DebeziumRecord.of(TOPIC, "{\"id\":1}", null);
    ParseDebeziumResult result = parse(ParseDebezium.forTables(TABLE), delete, tombstone, create);
    PAssert.that(result.changes())
        .satisfies(
            changes -> {
              List<Change> sorted = new ArrayList<>(ImmutableList.copyOf(changes));
              sorted.sort((a, b) -> a.position().compareTo(b.position()));
              assertThat(sorted.get(0).kind(), is(ChangeKind.DELETE));
              assertThat(sorted.get(0).row().getInt32("id"), is(1));
              assertThat(sorted.get(1).kind(), is(ChangeKind.INSERT));
              assertThat(sorted.get(1).row().getInt32("id"), is(2));
              assertThat(sorted.size(), is(2));
              return null;
            });
    PipelineResult run = pipeline.run();
    run.waitUntilFinish();
    assertThat(counter(run, "keyChanges"), is(1L));
    assertThat(counter(run, "tombstones"), is(1L));
  }

  @Test
  public void recordsWithoutRowsAreCounted() {
    ParseDebeziumResult result =
        parse(
            ParseDebezium.forTables(TABLE),
            DebeziumRecord.of(TOPIC, "{\"id\":1}", null),
            DebeziumRecord.of(TOPIC, "{\"id\":1}", "null"),
            DebeziumRecord.of(TOPIC, "{\"id\":1}", "{\"schema\":null,\"payload\":null}"),
            DebeziumRecord.of(
                "pg.transaction",
                "{\"id\":\"7\"}",
                "{\"status\":\"BEGIN\",\"id\":\"7\",\"event_count\":null,\"ts_ms\":1}"),
            DebeziumRecord.of("pg.message", "{\"prefix\":\"p\"}", event("m", null, null)),
            DebeziumRecord.of("__debezium-heartbeat.pg", "{}", "{\"ts_ms\":1}"));
    PAssert.that(result.changes()).empty();
    PAssert.that(result.failed()).empty();
    PipelineResult run = pipeline.run();
    run.waitUntilFinish();
    assertThat(counter(run, "tombstones"), is(3L));
    assertThat(counter(run, "transactionMarkers"), is(1L));
    assertThat(counter(run, "logicalMessages"), is(1L));
    assertThat(counter(run, "heartbeats"), is(1L));
  }

  @Test
  public void truncateFailsByDefault() {
    assertFailure(
        parse(ParseDebezium.forTables(TABLE), record("null", event("t", null, null))),
        "the table was truncated");
  }

  @Test
  public void truncateIsIgnoredByOption() {
    ParseDebeziumResult result =
        parse(
            ParseDebezium.forTables(TABLE.withTruncates(Truncates.IGNORE)),
            record("null", event("t", null, null)));
    PAssert.that(result.failed()).empty();
    PAssert.that(result.truncates()).empty();
    PipelineResult run = pipeline.run();
    run.waitUntilFinish();
    assertThat(counter(run, "truncates"), is(1L));
  }

  @Test
  public void truncateIsReportedByOption() {
    ParseDebeziumResult result =
        parse(
            ParseDebezium.forTables(TABLE.withTruncates(Truncates.REPORT)),
            record("null", event("t", null, null)));
    PAssert.that(result.truncates())
        .containsInAnyOrder(
            Row.withSchema(ParseDebezium.TRUNCATE_SCHEMA)
                .addValues(TOPIC, LSN, Instant.parse("2026-11-30T09:09:01.123456Z"))
                .build());
    pipeline.run().waitUntilFinish();
  }

  // Columns that come and go.

  @Test
  public void columnThatARecordLacksIsNullOrTheDeclaredDefault() throws Exception {
    String event = event("c", null, "{\"id\":1,\"name\":\"a\"}");
    assertThat(
        Iterables.getOnlyElement(changes(TABLE, event)).row().getString("body"), nullValue());
    assertThat(
        Iterables.getOnlyElement(changes(TABLE.withDefault("body", "x"), event))
            .row()
            .getString("body"),
        is("x"));
  }

  @Test
  public void explicitNullIsNotReplacedByTheDefault() throws Exception {
    Change change =
        Iterables.getOnlyElement(
            changes(TABLE.withDefault("body", "x"), event("c", null, row(1, "a", null))));
    assertThat(change.row().getString("body"), nullValue());
  }

  @Test
  public void nullInRequiredColumnFails() {
    assertThat(
        failure(FULL, event("c", null, "{\"id\":1,\"name\":null}")),
        is("column name: null but not nullable"));
    assertThat(
        failure(FULL, event("c", null, "{\"id\":1}")), is("column name: absent without a default"));
  }

  @Test
  public void undeclaredColumnFailsUnlessIgnored() throws Exception {
    String event = event("c", null, "{\"id\":1,\"name\":\"a\",\"body\":null,\"extra\":1}");
    assertThat(failure(TABLE, event), containsString("column extra is not declared"));
    assertThat(
        Iterables.getOnlyElement(changes(TABLE.ignoringUndeclaredColumns(), event)).row(),
        equalTo(rowOf(TABLE, 1, "a", null)));
  }

  // Values left out by the source.

  @Test
  public void unavailableValueFailsByDefault() {
    String reason = failure(TABLE, event("u", null, row(1, "a", UNAVAILABLE)));
    assertThat(reason, containsString("column body: the source left out a large value"));
  }

  @Test
  public void unavailableValueIsFilledFromTheBeforeImage() throws Exception {
    DebeziumTable table = FULL.withUnavailableValues(UnavailableValues.FILL_FROM_BEFORE);
    List<Change> halves =
        changes(table, event("u", row(1, "old", "large"), row(1, "new", UNAVAILABLE)));
    assertThat(halves.get(1).row(), equalTo(rowOf(table, 1, "new", "large")));
    assertThat(halves.get(1).imageComplete(), is(true));
  }

  @Test
  public void unavailableValueThatTheBeforeImageLacksTooFails() {
    DebeziumTable table = FULL.withUnavailableValues(UnavailableValues.FILL_FROM_BEFORE);
    assertThat(
        failure(table, event("u", row(1, "a", UNAVAILABLE), row(1, "b", UNAVAILABLE))),
        containsString("column body"));
  }

  @Test
  public void unavailableValueIsEmittedAsUnknown() throws Exception {
    DebeziumTable table = TABLE.withUnavailableValues(UnavailableValues.EMIT_UNKNOWN);
    Change change =
        Iterables.getOnlyElement(changes(table, event("u", null, row(1, "a", UNAVAILABLE))));
    assertThat(change.row(), equalTo(rowOf(table, 1, "a", null)));
    assertThat(change.unknownColumns(), equalTo(ImmutableSet.of("body")));
  }

  @Test
  public void fillingWithoutFullBeforeImagesIsRefused() {
    pipeline.enableAbandonedNodeEnforcement(false);
    ParseDebezium parse =
        ParseDebezium.forTables(TABLE.withUnavailableValues(UnavailableValues.FILL_FROM_BEFORE));
    assertThrows(IllegalArgumentException.class, () -> parse(parse, record("{}", "{}")));
  }

  @Test
  public void placeholderOfTheConnectorCanBeSet() {
    assertFailure(
        parse(
            ParseDebezium.forTables(TABLE).withUnavailableValue("@toast"),
            record("{\"id\":1}", event("u", null, row(1, "a", "@toast")))),
        "the source left out a large value");
  }

  // Forms.

  @Test
  public void envelopesSchemaGoesBeforeWhatIsDeclared() throws Exception {
    DebeziumTable table =
        DebeziumTable.of(TOPIC, Schema.builder().addField("d", FieldType.DECIMAL).build())
            .withScale("d", 9);
    String struct =
        "{\"type\":\"struct\",\"field\":\"after\",\"fields\":[{\"type\":\"bytes\",\"field\":\"d\","
            + "\"name\":\"org.apache.kafka.connect.data.Decimal\",\"parameters\":{\"scale\":\"2\"}}]}";
    String schema =
        "{\"type\":\"struct\",\"fields\":["
            + struct
            + ",{\"field\":\"op\",\"type\":\"string\"},{\"field\":\"source\",\"type\":\"struct\"}]}";
    String event = event("c", null, "{\"d\":\"AJY=\"}");
    Change change =
        Iterables.getOnlyElement(
            changes(table, "{\"schema\":" + schema + ",\"payload\":" + event + "}"));
    assertThat(change.row().getDecimal("d"), equalTo(new BigDecimal("1.50")));
  }

  @Test
  public void flattenedDeleteTellsTheKeyOnly() throws Exception {
    String row =
        "{\"id\":1,\"name\":\"\",\"body\":null,\"__deleted\":\"true\",\"__op\":\"d\",\"__lsn\":5}";
    Change change = Iterables.getOnlyElement(changes(TABLE, row));
    assertThat(change.kind(), is(ChangeKind.DELETE));
    assertThat(change.unknownColumns(), equalTo(ImmutableSet.of("name", "body")));
  }

  @Test
  public void flattenedRowWithoutOperationFails() {
    assertThat(
        failure(TABLE, "{\"id\":1,\"name\":\"a\",\"body\":null,\"__deleted\":\"false\"}"),
        containsString("Add op to add.fields"));
  }

  @Test
  public void recordWithoutLogPositionFails() {
    assertThat(
        failure(TABLE, "{\"id\":1,\"name\":\"a\",\"body\":null,\"__op\":\"c\"}"),
        containsString("does not tell its log position"));
  }

  @Test
  public void incrementalSnapshotReadGoesAfterTheChangeOfItsLsn() throws Exception {
    String read = event("r", null, row(1, "a", null));
    Change reread =
        Iterables.getOnlyElement(
            changes(TABLE, read.replace("\"snapshot\":\"false\"", "\"snapshot\":\"incremental\"")));
    Change create = Iterables.getOnlyElement(changes(TABLE, event("c", null, row(1, "b", null))));
    assertThat(reread.position(), greaterThan(create.position()));
  }

  // Outputs.

  @Test
  public void metadataColumnsFollowTheTablesOwn() {
    ParseDebeziumResult result =
        parse(
            ParseDebezium.forTables(TABLE)
                .withMetadata(ChangeMetadata.values())
                .withMetadata(ChangeMetadata.LSN, "log_position"),
            record("{\"id\":1}", event("d", row(1, "", null), null)));
    Schema schema = result.schema(TOPIC);
    assertThat(schema.getFieldNames().subList(0, 4).get(3), is("log_position"));
    PAssert.that(result.changes())
        .satisfies(
            changes -> {
              Row row = Iterables.getOnlyElement(changes).row();
              assertThat(row.getInt64("log_position"), is(LSN));
              assertThat(
                  row.getInt64("_position"),
                  is(LogPosition.of(LSN, LogPosition.Step.REMOVE, 2).packed()));
              assertThat(
                  row.getLogicalTypeValue("_ts", Instant.class),
                  is(Instant.parse("2026-11-30T09:09:01.123456Z")));
              assertThat(row.getString("_kind"), is("-D"));
              assertThat(row.getString("_op"), is("d"));
              assertThat(row.getInt64("_tx"), is(752L));
              assertThat(row.getInt64("_tx_order"), is(2L));
              assertThat(row.getArray("_unknown"), equalTo(List.of("name", "body")));
              return null;
            });
    pipeline.run().waitUntilFinish();
  }

  @Test
  public void metadataColumnMustNotHideAColumnOfTheTable() {
    pipeline.enableAbandonedNodeEnforcement(false);
    ParseDebezium parse = ParseDebezium.forTables(TABLE).withMetadata(ChangeMetadata.LSN, "body");
    assertThrows(IllegalArgumentException.class, () -> parse(parse, record("{}", "{}")));
  }

  @Test
  public void changesGoToTheirTablesOutput() {
    DebeziumTable other = DebeziumTable.of("pg.shop.other", SCHEMA).withKey("id");
    ParseDebeziumResult result =
        parse(
            ParseDebezium.forTables(TABLE, other),
            record("{\"id\":1}", event("c", null, row(1, "a", null))),
            DebeziumRecord.of("pg.shop.other", "{\"id\":2}", event("c", null, row(2, "b", null))));
    PAssert.that(result.changes(TOPIC)).satisfies(changes -> onlyId(changes, 1));
    PAssert.that(result.changes("pg.shop.other")).satisfies(changes -> onlyId(changes, 2));
    assertThrows(IllegalStateException.class, result::changes);
    assertThrows(IllegalArgumentException.class, () -> result.changes("pg.shop.third"));
    pipeline.run().waitUntilFinish();
  }

  @Test
  public void recordOfOtherTopicFailsUnlessIgnored() {
    DebeziumRecord record =
        DebeziumRecord.of("pg.shop.other", "{\"id\":2}", event("c", null, row(2, "b", null)));
    assertFailure(parse(ParseDebezium.forTables(TABLE), record), "no table is declared");
  }

  @Test
  public void recordOfOtherTopicIsIgnoredByOption() {
    ParseDebeziumResult result =
        parse(
            ParseDebezium.forTables(TABLE).ignoringOtherTopics(),
            DebeziumRecord.of("pg.shop.other", null, "{\"any\":\"thing\"}"),
            DebeziumRecord.of("other", null, event("c", null, row(2, "b", null))));
    PAssert.that(result.failed()).empty();
    PipelineResult run = pipeline.run();
    run.waitUntilFinish();
    assertThat(counter(run, "otherTopics"), is(2L));
  }

  @Test
  public void failedRecordNamesColumnAndTypeAndCanBeParsedAgain() {
    String secret = "hunter2";
    String value = event("c", null, "{\"id\":\"" + secret + "\",\"name\":\"a\",\"body\":null}");
    DebeziumRecord record = record("{\"id\":1}", value);
    ParseDebeziumResult result = parse(ParseDebezium.forTables(TABLE), record);
    PAssert.that(result.failed())
        .satisfies(
            failed -> {
              BadRecord bad = Iterables.getOnlyElement(failed);
              assertThat(
                  bad.getFailure().getDescription(),
                  is(
                      "Cannot parse change of pg.shop.t: column id: expected INT32 but found"
                          + " STRING"));
              assertThat(bad.getFailure().getException(), nullValue());
              assertThat(
                  bad.getRecord().getHumanReadableJsonRecord(), is("{\"topic\":\"pg.shop.t\"}"));
              assertThat(decode(bad), equalTo(record("{\"id\":1}", value)));
              return null;
            });
    PipelineResult run = pipeline.run();
    run.waitUntilFinish();
    assertThat(counter(run, "failedRecords"), is(1L));
  }

  @Test
  public void textThatIsNoJsonIsNotQuoted() {
    for (String text :
        List.of(
            "hunter2", "{\"id\":hunter2}", "{} hunter2", "{\"payload\":{}} 1", "[1]", "\"a\"")) {
      assertThat(
          failure(TABLE, text), allOf(containsString("the "), not(containsString("hunter2"))));
    }
  }

  @Test
  public void badRecordErrorHandlerReceivesFailedRecords() {
    BadRecordErrorHandler<PCollection<BadRecord>> handler =
        pipeline.registerBadRecordErrorHandler(new PassThrough());
    parse(
        ParseDebezium.forTables(TABLE).withBadRecordErrorHandler(handler),
        record("{\"id\":1}", "{}"));
    handler.close();
    PCollection<BadRecord> handled = handler.getOutput();
    PAssert.that(handled)
        .satisfies(
            failed -> {
              assertThat(
                  Iterables.getOnlyElement(failed).getFailure().getDescription(),
                  containsString("neither a change event"));
              return null;
            });
    pipeline.run().waitUntilFinish();
  }

  private static final class PassThrough
      extends PTransform<PCollection<BadRecord>, PCollection<BadRecord>> {
    @Override
    public PCollection<BadRecord> expand(PCollection<BadRecord> input) {
      return input;
    }
  }

  private void assertFailure(ParseDebeziumResult result, String reason) {
    PAssert.that(result.failed())
        .satisfies(
            failed -> {
              assertThat(
                  Iterables.getOnlyElement(failed).getFailure().getDescription(),
                  containsString(reason));
              return null;
            });
    pipeline.run().waitUntilFinish();
  }

  private ParseDebeziumResult parse(ParseDebezium parse, DebeziumRecord... records) {
    return pipeline.apply(Create.of(List.of(records))).apply(parse);
  }

  private static Void onlyId(Iterable<Change> changes, int id) {
    assertThat(Iterables.getOnlyElement(changes).row().getInt32("id"), is(id));
    return null;
  }

  private static DebeziumRecord decode(BadRecord bad) {
    try {
      return CoderUtils.decodeFromByteArray(
          DebeziumRecordCoder.of(), bad.getRecord().getEncodedRecord());
    } catch (CoderException e) {
      throw new AssertionError(e);
    }
  }

  private static List<Change> changes(DebeziumTable table, String value) throws Exception {
    EventReader reader = new EventReader();
    TableParser parser =
        new TableParser(
            table,
            ImmutableMap.of(),
            new UnavailableValue(UNAVAILABLE),
            reader,
            new ParseDebeziumMetrics());
    DebeziumRecord record = record("{\"id\":1}", value);
    return parser.parse(record, reader.readValue(record.valueBytes()));
  }

  private static String failure(DebeziumTable table, String value) {
    return assertThrows(UnparsableChangeException.class, () -> changes(table, value)).getMessage();
  }

  private static DebeziumRecord record(String key, String value) {
    return DebeziumRecord.of(TOPIC, key, value);
  }

  private static String event(String op, String before, String after) {
    return String.format(
        "{\"before\":%s,\"after\":%s,\"source\":{\"ts_ms\":1796029741123,\"ts_us\":1796029741123456,"
            + "\"snapshot\":\"false\",\"schema\":\"shop\",\"table\":\"t\",\"txId\":752,\"lsn\":%d},"
            + "\"transaction\":{\"id\":\"752:1\",\"total_order\":2},\"op\":\"%s\"}",
        before, after, LSN, op);
  }

  private static String row(int id, String name, String body) {
    return String.format(
        "{\"id\":%d,\"name\":\"%s\",\"body\":%s}",
        id, name, body == null ? "null" : "\"" + body + "\"");
  }

  private static Row rowOf(DebeziumTable table, Object... values) {
    return Row.withSchema(table.rowSchema()).addValues(values).build();
  }

  private static long counter(PipelineResult result, String name) {
    return Iterables.getOnlyElement(
            result
                .metrics()
                .queryMetrics(
                    MetricsFilter.builder()
                        .addNameFilter(MetricNameFilter.named(ParseDebezium.class, name))
                        .build())
                .getCounters())
        .getCommitted();
  }
}
