package dev.tidemark.examples.cdc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableMap;
import dev.tidemark.change.PostgresTypes;
import java.math.BigDecimal;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.FixedPrecisionNumeric;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.junit.Test;

/** What a declaration says, and what is said of a wrong one. */
public class SourceTablesTest {
  private static final String COLUMNS = "'columns': {'id': 'int not null', 't': 'timestamp(3)'}";

  private static List<SourceTable> parse(String json) {
    return SourceTables.parse(json.replace('\'', '"').getBytes(UTF_8));
  }

  private static SourceTable table(String fields) {
    return parse("{'tables': [{'name': 'a', 'topic': 't', 'key': ['id'], " + fields + "}]}").get(0);
  }

  private static String refusal(String json) {
    return assertThrows(IllegalArgumentException.class, () -> parse(json)).getMessage();
  }

  private static String tableRefusal(String fields) {
    return assertThrows(IllegalArgumentException.class, () -> table(fields)).getMessage();
  }

  @Test
  public void typesOfPostgresAreFields() {
    Map<String, FieldType> types =
        ImmutableMap.<String, FieldType>builder()
            .put("smallint", FieldType.INT16)
            .put("INTEGER", FieldType.INT32)
            .put("bigint", FieldType.INT64)
            .put("real", FieldType.FLOAT)
            .put("double  precision", FieldType.DOUBLE)
            .put("boolean", FieldType.BOOLEAN)
            .put("varchar(20)", FieldType.STRING)
            .put("character varying(20)", FieldType.STRING)
            .put("uuid", FieldType.STRING)
            .put("jsonb", FieldType.STRING)
            .put("bytea", FieldType.BYTES)
            .put("numeric(12, 2)", FieldType.logicalType(FixedPrecisionNumeric.of(12, 2)))
            .put("numeric(12)", FieldType.logicalType(FixedPrecisionNumeric.of(12, 0)))
            .put("date", FieldType.logicalType(SqlTypes.DATE))
            .put("time(3)", FieldType.logicalType(SqlTypes.TIME))
            .put("timestamp", FieldType.logicalType(SqlTypes.DATETIME))
            .put("timestamp(3) without time zone", FieldType.logicalType(SqlTypes.DATETIME))
            .put("timestamp(6) with time zone", FieldType.logicalType(SqlTypes.TIMESTAMP))
            .put("timestamptz", FieldType.logicalType(SqlTypes.TIMESTAMP))
            .put("text[]", FieldType.array(FieldType.STRING.withNullable(true)))
            .build();
    types.forEach(
        (text, type) -> {
          assertThat(text, PostgresTypes.parse(text).type(), is(type.withNullable(true)));
          assertThat(text, PostgresTypes.parse(text + " NOT NULL").type(), is(type));
        });
  }

  @Test
  public void unitOfTimesFollowsPrecisionAndMode() {
    String columns =
        "'columns': {'id': 'int not null', 'm': 'timestamp(3)', 'u': 'timestamp', 't': 'time(0)',"
            + " 'z': 'timestamptz'}";
    assertThat(
        table(columns).timeUnits(),
        is(Map.of("m", ChronoUnit.MILLIS, "u", ChronoUnit.MICROS, "t", ChronoUnit.MILLIS)));
    String tables = "'tables': [{'name': 'a', 'topic': 't', 'key': ['id'], " + columns + "}]}";
    assertThat(
        parse("{'connector': {'time.precision.mode': 'connect'}, " + tables).get(0).timeUnits(),
        is(Map.of("m", ChronoUnit.MILLIS, "u", ChronoUnit.MILLIS, "t", ChronoUnit.MILLIS)));
    assertThat(
        parse("{'connector': {'time.precision.mode': 'adaptive_time_microseconds'}, " + tables)
            .get(0)
            .timeUnits(),
        is(Map.of("m", ChronoUnit.MILLIS, "u", ChronoUnit.MICROS, "t", ChronoUnit.MICROS)));
  }

  @Test
  public void modeOfDecimalsIsTheConnectors() {
    assertThat(table(COLUMNS).decimalsAsText(), is(false));
    assertThat(
        parse(
                "{'connector': {'decimal.handling.mode': 'string'}, 'tables': [{'name': 'a',"
                    + " 'topic': 't', 'key': ['id'], "
                    + COLUMNS
                    + "}]}")
            .get(0)
            .decimalsAsText(),
        is(true));
  }

  @Test
  public void partitionsFollowTheEventTime() {
    assertThat(table(COLUMNS).partitions(), is(List.of("hour(_ts)")));
    assertThat(table(COLUMNS + ", 'eventTime': 't'").partitions(), is(List.of("hour(t)")));
    assertThat(table(COLUMNS + ", 'partitions': []").partitions(), is(List.of()));
  }

  @Test
  public void fullReplicaIdentityKeepsColumnsThatAreNotNull() {
    String columns = "'columns': {'id': 'int not null', 'name': 'text not null'}";
    Schema keyOnly = table(columns).debezium().rowSchema();
    Schema full = table(columns + ", 'replicaIdentityFull': true").debezium().rowSchema();
    assertThat(keyOnly.getField("name").getType().getNullable(), is(true));
    assertThat(full.getField("name").getType().getNullable(), is(false));
  }

  @Test
  public void defaultsHaveTheTypeOfTheirColumn() {
    SourceTable table =
        table(
            "'columns': {'id': 'int not null', 'c': 'numeric(6,2)', 'n': 'bigint', 'b': 'boolean'},"
                + " 'defaults': {'c': '1.50', 'n': 7, 'b': true}");
    assertThat(table.defaults(), is(Map.of("c", new BigDecimal("1.50"), "n", 7L, "b", true)));
  }

  @Test
  public void wrongDocumentIsRefused() {
    assertThat(refusal("{"), containsString("it is no JSON"));
    assertThat(refusal("[]"), containsString("the document must be a JSON object"));
    assertThat(refusal("{'table': []}"), containsString("has a field 'table'"));
    assertThat(refusal("{'tables': []}"), containsString("it declares no table"));
    assertThat(refusal("{'tables': [{}]}"), containsString("a table has no text 'name'"));
    assertThat(
        refusal("{'connector': {'time.precision.mode': 'nanos'}}"),
        containsString("time.precision.mode is 'nanos'; it must be adaptive,"));
    assertThat(
        refusal("{'connector': {'decimal.handling.mode': 'double'}}"),
        containsString("decimal.handling.mode is 'double'; it must be precise or string"));
  }

  @Test
  public void wrongTableIsRefusedByName() {
    String start = "table a: ";
    assertThat(tableRefusal("'columns': {}"), is(start + "it has no columns"));
    assertThat(
        tableRefusal(COLUMNS + ", 'keys': []"),
        containsString(start + "the table has a field 'keys'"));
    assertThat(
        tableRefusal("'columns': {'id': 'money'}"),
        containsString(start + "column id: 'money' is no type that is read"));
    assertThat(
        tableRefusal("'columns': {'id': 'numeric'}"),
        containsString("column id: 'numeric' needs a precision"));
    assertThat(
        tableRefusal("'columns': {'id': 'time with time zone'}"),
        containsString("is a time with a zone"));
    assertThat(
        tableRefusal("'columns': {'id': 'int'}"), containsString("key column id may be null"));
    assertThat(
        tableRefusal("'columns': {'no': 'int'}"),
        containsString("key column id is not among its columns"));
    assertThat(
        tableRefusal("'columns': {'_id': 'int'}"), containsString("column _id begins with _"));
    assertThat(
        tableRefusal(COLUMNS + ", 'eventTime': 'x'"),
        containsString("column x is not among its columns"));
    assertThat(tableRefusal(COLUMNS + ", 'eventTimeZone': 'Mars'"), containsString("Mars"));
    assertThat(
        tableRefusal(COLUMNS + ", 'defaults': {'t': '2026-01-01'}"),
        containsString("default of column t: a default is only read for"));
    assertThat(
        tableRefusal(COLUMNS + ", 'replicaIdentityFull': 'yes'"),
        containsString("replicaIdentityFull must be true or false"));
  }

  @Test
  public void namesAndTopicsAreUnique() {
    String table = "{'name': 'a', 'topic': 't', 'key': ['id'], " + COLUMNS + "}";
    assertThat(
        refusal("{'tables': [" + table + "," + table + "]}"),
        containsString("there are two of this name"));
    assertThat(
        refusal("{'tables': [" + table + "," + table.replace("'a'", "'b'") + "]}"),
        containsString("table b: topic t is another table's"));
  }
}
