package dev.tidemark.change;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import dev.tidemark.schematransform.ErrorOutput;
import dev.tidemark.schematransform.testing.FieldEffects;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.beam.sdk.Pipeline.PipelineExecutionException;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.FixedPrecisionNumeric;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.values.PCollectionRowTuple;
import org.apache.beam.sdk.values.Row;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class ParseDebeziumSchemaTransformTest {
  private static final ParseDebeziumSchemaTransformProvider PROVIDER =
      new ParseDebeziumSchemaTransformProvider();
  private static final Schema VALUES = Schema.builder().addNullableStringField("value").build();
  private static final String ONE_TABLE =
      """
      tables:
        - topic: pg.shop.t
          columns: [id integer not null, name text]
          key: [id]
      """;

  @Rule public final transient TestPipeline pipeline = TestPipeline.create();

  @Test
  public void everyFieldOfATableTakesEffect() {
    Schema schema =
        Schema.builder()
            .addInt32Field("id")
            .addNullableField("at", FieldType.logicalType(SqlTypes.DATETIME))
            .addNullableField("a price", FieldType.logicalType(FixedPrecisionNumeric.of(8, 2)))
            .build();
    DebeziumTable plain =
        DebeziumTable.of("pg.shop.t", schema).withTimeUnit("at", ChronoUnit.MILLIS);
    assertTable("", plain);
    assertTable("key: [id]", plain.withKey("id"));
    assertTable("full_before_images: true", plain.withFullBeforeImages());
    assertTable(
        "time_unit: NANOS", DebeziumTable.of("pg.shop.t", schema).withTimeUnit(ChronoUnit.NANOS));
    assertTable("time_units: {at: micros}", plain.withTimeUnit("at", ChronoUnit.MICROS));
    assertTable("decimals_as_text: true", plain.withDecimalsAsText());
    assertTable(
        "defaults: {a price: '1.50', id: '7'}",
        plain.withDefault("a price", new BigDecimal("1.50")).withDefault("id", 7));
    assertTable(
        "unavailable_values: EMIT_UNKNOWN",
        plain.withUnavailableValues(UnavailableValues.EMIT_UNKNOWN));
    assertTable("truncates: ignore", plain.withTruncates(Truncates.IGNORE));
    assertTable("ignore_undeclared_columns: true", plain.ignoringUndeclaredColumns());
    assertThat(
        "fields of a table",
        PROVIDER
            .configurationSchema()
            .getField("tables")
            .getType()
            .getCollectionElementType()
            .getRowSchema()
            .getFieldCount(),
        is(12));
  }

  private static void assertTable(String field, DebeziumTable expected) {
    ParseDebeziumConfig config =
        FieldEffects.config(
            PROVIDER,
            ParseDebeziumConfig.class,
            """
            tables:
              - topic: pg.shop.t
                columns: [id integer not null, at timestamp(3), '"a price" numeric(8,2)']
                %s
            """
                .formatted(field));
    assertThat(field, config.getTables().get(0).table(), is(expected));
  }

  @Test
  public void everyFieldTakesEffect() {
    ParseDebezium plain =
        ParseDebezium.forTables(
            DebeziumTable.of(
                    "pg.shop.t",
                    Schema.builder().addInt32Field("id").addNullableStringField("name").build())
                .withKey("id"));
    new FieldEffects<>(
            PROVIDER, ParseDebeziumConfig.class, ParseDebeziumConfig::transform, ONE_TABLE, plain)
        .field(
            "metadata: [{value: position}, {value: SOURCE_TIME, column: at}]",
            parse ->
                parse
                    .withMetadata(ChangeMetadata.POSITION)
                    .withMetadata(ChangeMetadata.SOURCE_TIME, "at"))
        .field("unavailable_value: none", parse -> parse.withUnavailableValue("none"))
        .field("ignore_other_topics: true", ParseDebezium::ignoringOtherTopics)
        .refused(
            "metadata: [{value: ts}]",
            "Invalid field metadata: ts is not known (must be one of [LSN, POSITION, SOURCE_TIME,"
                + " KIND, OPERATION, TRANSACTION, TRANSACTION_ORDER, UNKNOWN_COLUMNS])")
        .refused(
            "unavailable_value: ''",
            "Invalid field unavailable_value: Invalid unavailable value: it must not be empty")
        .elsewhere("topic_column", "key_column", "value_column", "error_handling")
        .areAll();
  }

  @Test
  public void tablesThatCannotBeReadAreRefused() {
    assertRefused("tables: []", "Invalid field tables: Missing required value: tables");
    assertRefused(
        "tables: [{topic: a, columns: [id]}]",
        "Invalid field tables, topic a: Invalid field columns: 'id' (must be a name and a type, such as"
            + " 'id bigint not null')");
    assertRefused(
        "tables: [{topic: a, columns: [id money]}]",
        "Invalid field tables, topic a: Invalid field columns: 'money' is no type that is read; an"
            + " enumeration, for example, is declared as text");
    assertRefused(
        "tables: [{topic: a, columns: [id int, id int]}]",
        "Invalid field tables, topic a: Invalid field columns: there are two of name id");
    assertRefused(
        "tables: [{topic: a, columns: [id int], key: [key]}]",
        "Invalid field tables, topic a: Invalid field key: Cannot find column key of a");
    assertRefused(
        "tables: [{topic: a, columns: [id int], defaults: {x: '1'}}]",
        "Invalid field tables, topic a: Invalid field defaults: column x is not declared");
    assertRefused(
        "tables: [{topic: a, columns: [id int], time_unit: DAYS}]",
        "Invalid field tables, topic a: Invalid field time_unit: Invalid time unit: Days (must be MILLIS,"
            + " MICROS or NANOS)");
    assertRefused(
        "tables: [{topic: a, name: a, columns: [id int]}, {topic: b, columns: [id int]}]",
        "Invalid field tables: the table of topic b has no name, which its output needs as there are"
            + " several tables. Set it");
  }

  private static void assertRefused(String yaml, String message) {
    assertThat(
        assertThrows(
                IllegalArgumentException.class,
                () -> PROVIDER.from(FieldEffects.row(PROVIDER, yaml)))
            .getMessage(),
        is(message));
  }

  @Test
  public void changesOfEachTableAreAnOutput() {
    Schema input =
        Schema.builder()
            .addByteArrayField("payload")
            .addByteArrayField("key")
            .addStringField("source")
            .build();
    PCollectionRowTuple outputs =
        PCollectionRowTuple.of(
                "input",
                pipeline.apply(
                    Create.of(
                            record(
                                input,
                                "a",
                                "{\"op\":\"c\",%s,\"after\":{\"id\":1,\"name\":\"x\"}}"),
                            record(input, "b", "{\"op\":\"d\",%s,\"before\":{\"at\":1000}}"),
                            record(input, "a", "{\"op\":\"t\",%s}"),
                            record(input, "c", "{\"op\":\"c\",%s,\"after\":{}}"))
                        .withRowSchema(input)))
            .apply(
                PROVIDER.from(
                    FieldEffects.row(
                        PROVIDER,
                        """
                        tables:
                          - {topic: a, name: first, columns: [id int not null, name text], key: [id], truncates: REPORT}
                          - {topic: b, name: second, columns: [at timestamp(3)], full_before_images: true}
                        metadata: [{value: LSN}]
                        topic_column: source
                        value_column: payload
                        key_column: key
                        error_handling: {output: failed}
                        """)));

    assertThat(
        outputs.getAll().keySet(), is(java.util.Set.of("first", "second", "truncates", "failed")));
    Schema first =
        ChangeRows.schema(
            Schema.builder()
                .addInt32Field("id")
                .addNullableStringField("name")
                .addInt64Field("_lsn")
                .build());
    PAssert.that(outputs.get("first"))
        .containsInAnyOrder(
            Row.withSchema(first).addValues(1, "x", 9L, "+I", position("ADD"), null).build());
    Schema second = outputs.get("second").getSchema();
    PAssert.that(outputs.get("second"))
        .containsInAnyOrder(
            Row.withSchema(second)
                .addValues(
                    LocalDateTime.of(1970, 1, 1, 0, 0, 1), 9L, "-D", position("REMOVE"), null)
                .build());
    PAssert.that(outputs.get("truncates"))
        .satisfies(
            rows -> {
              assertThat(rows.iterator().next().getString("topic"), is("a"));
              return null;
            });
    Row failed = record(input, "c", "{\"op\":\"c\",%s,\"after\":{}}");
    PAssert.that(outputs.get("failed"))
        .containsInAnyOrder(
            Row.withSchema(ErrorOutput.schema(RecordColumns.SCHEMA))
                .addValues(
                    Row.withSchema(RecordColumns.SCHEMA)
                        .addValues("c", "k".getBytes(UTF_8), failed.getBytes("payload"))
                        .build(),
                    "Cannot parse change of c: no table is declared for the topic. Declare it, or set"
                        + " ignoringOtherTopics()",
                    "{\"topic\":\"c\"}")
                .build());
    pipeline.run().waitUntilFinish();
  }

  private static Row position(String step) {
    return Row.withSchema(ChangeRows.POSITION_SCHEMA).addValues(9L, step, 0L).build();
  }

  private static Row record(Schema schema, String topic, String value) {
    String source = "\"source\":{\"lsn\":9,\"ts_ms\":1700000000000}";
    return Row.withSchema(schema)
        .addValues(value.replace("%s", source).getBytes(UTF_8), "k".getBytes(UTF_8), topic)
        .build();
  }

  @Test
  public void recordThatCannotBeParsedFailsThePipelineWithoutAnErrorOutput() {
    PCollectionRowTuple.of(
            "input",
            pipeline.apply(
                Create.of(Row.withSchema(VALUES).addValues("no json").build())
                    .withRowSchema(VALUES)))
        .apply(PROVIDER.from(FieldEffects.row(PROVIDER, ONE_TABLE)));
    assertThat(
        assertThrows(PipelineExecutionException.class, () -> pipeline.run().waitUntilFinish())
            .getMessage(),
        containsString("set error_handling to have such records in an output"));
  }

  @Test
  public void columnsThatTheInputLacksAreRefused() {
    for (List<String> wrong :
        List.of(
            List.of(
                "value_column: payload",
                "Invalid field value_column: the input has no column payload, but [value]. Name another"
                    + " one"),
            List.of(
                "topic_column: topic",
                "Invalid field topic_column: the input has no column topic, but [value]. Name another"
                    + " one"),
            List.of(
                "error_handling: {output: output}",
                "Invalid field error_handling: output is the name of another output. Choose another"
                    + " one"))) {
      TestPipeline own = TestPipeline.create().enableAbandonedNodeEnforcement(false);
      PCollectionRowTuple input = PCollectionRowTuple.of("input", own.apply(Create.empty(VALUES)));
      assertThat(
          assertThrows(
                  IllegalArgumentException.class,
                  () ->
                      input.apply(
                          PROVIDER.from(
                              FieldEffects.row(PROVIDER, ONE_TABLE + "\n" + wrong.get(0)))))
              .getMessage(),
          is(wrong.get(1)));
    }
  }
}
