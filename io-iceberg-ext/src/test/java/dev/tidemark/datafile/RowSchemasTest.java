package dev.tidemark.datafile;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.EnumerationType;
import org.apache.beam.sdk.schemas.logicaltypes.FixedBytes;
import org.apache.beam.sdk.schemas.logicaltypes.FixedPrecisionNumeric;
import org.apache.beam.sdk.schemas.logicaltypes.FixedString;
import org.apache.beam.sdk.schemas.logicaltypes.NanosDuration;
import org.apache.beam.sdk.schemas.logicaltypes.NanosInstant;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.schemas.logicaltypes.Timestamp;
import org.apache.beam.sdk.schemas.logicaltypes.VariableBytes;
import org.apache.beam.sdk.schemas.logicaltypes.VariableString;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class RowSchemasTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void tableSchemaSurvivesTheWayThroughRows() {
    org.apache.iceberg.Schema schema =
        new org.apache.iceberg.Schema(
            Types.NestedField.required(1, "i", Types.IntegerType.get(), "a number"),
            Types.NestedField.optional(2, "d", Types.DecimalType.of(12, 3)),
            Types.NestedField.optional(3, "t", Types.TimestampType.withZone()),
            Types.NestedField.optional(4, "l", Types.TimestampType.withoutZone()),
            Types.NestedField.optional(5, "n", Types.TimestampNanoType.withZone()),
            Types.NestedField.optional(6, "u", Types.UUIDType.get()),
            Types.NestedField.optional(7, "f", Types.FixedType.ofLength(3)),
            Types.NestedField.optional(
                8,
                "s",
                Types.StructType.of(
                    Types.NestedField.required(
                        9, "x", Types.ListType.ofOptional(10, Types.DateType.get())),
                    Types.NestedField.optional(
                        11,
                        "m",
                        Types.MapType.ofRequired(
                            12, 13, Types.StringType.get(), Types.TimeType.get())))));

    org.apache.iceberg.Schema back = RowSchemas.toIceberg(RowSchemas.toBeam(schema));

    assertThat(
        back.sameSchema(org.apache.iceberg.types.TypeUtil.assignIncreasingFreshIds(schema)),
        is(true));
  }

  @Test
  public void fieldTypesBecomeTheDocumentedColumnTypes() {
    assertThat(columnType(FieldType.BYTE), equalTo(Types.IntegerType.get()));
    assertThat(columnType(FieldType.INT16), equalTo(Types.IntegerType.get()));
    assertThat(columnType(FieldType.DATETIME), equalTo(Types.TimestampType.withZone()));
    assertThat(columnType(SqlTypes.DATETIME), equalTo(Types.TimestampType.withoutZone()));
    assertThat(columnType(SqlTypes.TIMESTAMP), equalTo(Types.TimestampType.withZone()));
    assertThat(columnType(Timestamp.MILLIS), equalTo(Types.TimestampType.withZone()));
    assertThat(columnType(Timestamp.NANOS), equalTo(Types.TimestampNanoType.withZone()));
    assertThat(columnType(new NanosInstant()), equalTo(Types.TimestampNanoType.withZone()));
    assertThat(columnType(FixedBytes.of(4)), equalTo(Types.FixedType.ofLength(4)));
    assertThat(columnType(VariableBytes.of(4)), equalTo(Types.BinaryType.get()));
    assertThat(columnType(FixedString.of(4)), equalTo(Types.StringType.get()));
    assertThat(columnType(VariableString.of(4)), equalTo(Types.StringType.get()));
    assertThat(columnType(EnumerationType.create("A")), equalTo(Types.StringType.get()));
    assertThat(columnType(FixedPrecisionNumeric.of(9, 2)), equalTo(Types.DecimalType.of(9, 2)));
    assertThat(columnType(SqlTypes.UUID), equalTo(Types.UUIDType.get()));
  }

  @Test
  public void decimalWithoutScaleIsRefusedForNewTables() {
    assertThat(
        message(() -> columnType(FieldType.DECIMAL)),
        allOf(containsString("field f"), containsString("FixedPrecisionNumeric.of")));
    assertThat(message(() -> columnType(FixedPrecisionNumeric.of(2))), containsString("field f"));
  }

  @Test
  public void logicalTypeWithoutColumnTypeIsRefusedByName() {
    assertThat(
        message(() -> columnType(new NanosDuration())),
        containsString("beam:logical_type:nanos_duration:v1"));
  }

  @Test
  public void columnTypesWithoutFieldTypeAreRefusedByName() {
    for (Type type :
        List.of(
            Types.UnknownType.get(),
            Types.VariantType.get(),
            Types.GeometryType.crs84(),
            Types.GeographyType.crs84())) {
      org.apache.iceberg.Schema schema =
          new org.apache.iceberg.Schema(Types.NestedField.optional(1, "odd", type));

      assertThat(
          message(() -> RowSchemas.toBeam(schema)),
          allOf(containsString("column odd"), containsString(type.toString())));
      assertThat(
          message(() -> RowSchemas.bind(Schema.builder().build(), schema)),
          allOf(containsString("column odd"), containsString(type.toString())));
    }
  }

  @Test
  public void wrongNameIsRefusedWithTheColumnsThereAre() {
    Schema rows = Schema.builder().addInt64Field("id").addNullableStringField("nmae").build();

    assertThat(
        message(() -> RowSchemas.bind(rows, people())),
        allOf(
            containsString("the table has no column nmae, only [id, name]"),
            containsString("rename or drop the field")));
  }

  @Test
  public void wrongCaseIsPointedOut() {
    Schema rows = Schema.builder().addInt64Field("id").addNullableStringField("Name").build();

    assertThat(
        message(() -> RowSchemas.bind(rows, people())),
        containsString("the table has no column Name but one spelled name: rename the field"));
  }

  @Test
  public void missingRequiredColumnIsRefused() {
    Schema rows = Schema.builder().addNullableStringField("name").build();

    assertThat(
        message(() -> RowSchemas.bind(rows, people())),
        containsString("rows lack the required column id (long): add the field"));
  }

  @Test
  public void missingOptionalColumnIsAccepted() {
    Schema rows = Schema.builder().addInt64Field("id").build();

    assertThat(RowSchemas.bind(rows, people()).from(), equalTo(rows));
  }

  @Test
  public void typeMismatchNamesBothTypesAndTheRemedy() {
    org.apache.iceberg.Schema table =
        new org.apache.iceberg.Schema(
            Types.NestedField.optional(1, "at", Types.TimestampType.withoutZone()),
            Types.NestedField.optional(
                2, "ids", Types.ListType.ofOptional(3, Types.IntegerType.get())));
    Schema rows =
        Schema.builder().addDateTimeField("at").addArrayField("ids", FieldType.INT64).build();

    assertThat(
        message(() -> RowSchemas.bind(rows, table)),
        allOf(
            containsString(
                "column at is timestamp and takes a time without zone (SqlTypes.DATETIME), but rows"
                    + " have DATETIME"),
            containsString(
                "column ids.element is int and takes BYTE, INT16 or INT32, but rows have INT64"),
            containsString("convert the field or change the column's type")));
  }

  @Test
  public void instantsDoNotBecomeLocalTimesNorTheReverse() {
    assertRefused(FieldType.logicalType(SqlTypes.DATETIME), Types.TimestampType.withZone());
    assertRefused(FieldType.logicalType(SqlTypes.TIMESTAMP), Types.TimestampType.withoutZone());
  }

  @Test
  public void fixedLengthsHaveToAgree() {
    assertRefused(FieldType.logicalType(FixedBytes.of(4)), Types.FixedType.ofLength(5));
  }

  @Test
  public void missingColumnsEvolveTheTable() {
    Table table =
        DataFileTestUtils.createTable(
            folder.getRoot().toPath(),
            new org.apache.iceberg.Schema(
                Types.NestedField.required(1, "id", Types.LongType.get()),
                Types.NestedField.optional(
                    2,
                    "s",
                    Types.StructType.of(Types.NestedField.optional(3, "a", Types.LongType.get()))),
                Types.NestedField.optional(
                    4,
                    "l",
                    Types.ListType.ofOptional(
                        5,
                        Types.StructType.of(
                            Types.NestedField.optional(6, "a", Types.LongType.get())))),
                Types.NestedField.optional(
                    7,
                    "m",
                    Types.MapType.ofOptional(
                        8,
                        9,
                        Types.StringType.get(),
                        Types.StructType.of(
                            Types.NestedField.optional(10, "a", Types.LongType.get()))))),
            PartitionSpec.unpartitioned(),
            Map.of());
    FieldType more =
        FieldType.row(
            Schema.builder()
                .addNullableField("a", FieldType.INT64)
                .addField("b", FieldType.logicalType(SqlTypes.DATE))
                .build());
    Schema rows =
        Schema.builder()
            .addInt64Field("id")
            .addNullableField("s", more)
            .addNullableField("l", FieldType.array(more))
            .addNullableField("m", FieldType.map(FieldType.STRING, more))
            .addField("new", FieldType.array(more))
            .build();

    UpdateSchema update = table.updateSchema();
    RowSchemas.missingColumns(rows, table.schema()).forEach(column -> column.addTo(update));
    update.commit();

    assertThat(RowSchemas.missingColumns(rows, table.schema()), empty());
    assertThat(RowSchemas.bind(rows, table.schema()).from(), equalTo(rows));
    for (String added : List.of("s.b", "l.b", "m.b", "new")) {
      assertThat(added, table.schema().findField(added).isOptional(), is(true));
    }
  }

  private static void assertRefused(FieldType from, Type to) {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            RowSchemas.bind(
                Schema.builder().addField("c", from).build(),
                new org.apache.iceberg.Schema(Types.NestedField.optional(1, "c", to))));
  }

  private static org.apache.iceberg.Schema people() {
    return new org.apache.iceberg.Schema(
        Types.NestedField.required(1, "id", Types.LongType.get()),
        Types.NestedField.optional(2, "name", Types.StringType.get()));
  }

  private static Type columnType(Schema.LogicalType<?, ?> type) {
    return columnType(FieldType.logicalType(type));
  }

  private static Type columnType(FieldType type) {
    return RowSchemas.toIceberg(Schema.builder().addField("f", type).build()).findType("f");
  }

  private static String message(org.junit.function.ThrowingRunnable action) {
    return assertThrows(IllegalArgumentException.class, action).getMessage();
  }
}
