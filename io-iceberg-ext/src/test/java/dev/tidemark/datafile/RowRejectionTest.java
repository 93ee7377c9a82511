package dev.tidemark.datafile;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.comparesEqualTo;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.junit.Assert.assertThrows;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.EnumerationType;
import org.apache.beam.sdk.schemas.logicaltypes.FixedBytes;
import org.apache.beam.sdk.schemas.logicaltypes.FixedString;
import org.apache.beam.sdk.schemas.logicaltypes.NanosInstant;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.schemas.logicaltypes.Timestamp;
import org.apache.beam.sdk.schemas.logicaltypes.VariableBytes;
import org.apache.beam.sdk.schemas.logicaltypes.VariableString;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Values that columns take, convert, or reject. */
@RunWith(JUnit4.class)
public class RowRejectionTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void integersWiden() {
    assertStored(FieldType.BYTE, Types.LongType.get(), (byte) -1, -1L);
    assertStored(FieldType.INT16, Types.IntegerType.get(), (short) -300, -300);
    assertStored(FieldType.INT32, Types.LongType.get(), Integer.MIN_VALUE, -2147483648L);
    assertStored(FieldType.FLOAT, Types.DoubleType.get(), 0.1f, (double) 0.1f);
  }

  @Test
  public void instantsKeepTheirMicros() {
    Instant instant = Instant.ofEpochSecond(-1, 999_999_000);
    OffsetDateTime stored = instant.atOffset(ZoneOffset.UTC);
    for (Schema.LogicalType<Instant, Row> type :
        List.of(SqlTypes.TIMESTAMP, Timestamp.MICROS, new NanosInstant())) {
      assertStored(FieldType.logicalType(type), Types.TimestampType.withZone(), instant, stored);
      assertStored(
          FieldType.logicalType(type), Types.TimestampNanoType.withZone(), instant, stored);
    }
  }

  @Test
  public void jodaInstantsKeepTheirMillis() {
    for (Type type : List.of(Types.TimestampType.withZone(), Types.TimestampNanoType.withZone())) {
      assertStored(
          FieldType.DATETIME,
          type,
          org.joda.time.Instant.ofEpochMilli(-1),
          Instant.ofEpochMilli(-1).atOffset(ZoneOffset.UTC));
      assertStored(
          FieldType.DATETIME,
          type,
          new org.joda.time.DateTime(5, org.joda.time.DateTimeZone.forOffsetHours(3)),
          Instant.ofEpochMilli(5).atOffset(ZoneOffset.UTC));
    }
  }

  @Test
  public void textsAndBytesOfLimitedLengthAreStored() {
    assertStored(FieldType.logicalType(FixedString.of(3)), Types.StringType.get(), "abc", "abc");
    assertStored(FieldType.logicalType(VariableString.of(9)), Types.StringType.get(), "😀", "😀");
    assertStored(
        FieldType.logicalType(VariableBytes.of(9)),
        Types.FixedType.ofLength(2),
        new byte[] {1, 2},
        new byte[] {1, 2});
    EnumerationType color = EnumerationType.create("RED", "GREEN");
    assertStored(
        FieldType.logicalType(color), Types.StringType.get(), color.valueOf("GREEN"), "GREEN");
  }

  @Test
  public void decimalsTakeTheScaleOfTheColumn() {
    for (int precision : new int[] {9, 18, 38}) {
      Type type = Types.DecimalType.of(precision, 2);
      for (String value : List.of("1", "1.5", "1.50", "1.5000", "-1.25", "0E+9", "1E+2", "0")) {
        assertStored(
            FieldType.DECIMAL, type, new BigDecimal(value), new BigDecimal(value).setScale(2));
      }
    }
  }

  @Test(timeout = 20_000)
  public void decimalsThatDoNotFitAreRejectedNotRounded() {
    for (int precision : new int[] {9, 18, 38}) {
      Type type = Types.DecimalType.of(precision, 2);
      List<String> values =
          List.of(
              "1.001",
              "1E+" + (precision - 2),
              "-1E+" + (precision - 2),
              "1E-1000000000",
              "1E+1000000000",
              "123456789E+2000000000",
              "1E-2147483647",
              "1E+2147483647");
      for (String value : values) {
        assertRejected(
            FieldType.DECIMAL,
            type,
            new BigDecimal(value),
            "digits than it can hold; nothing is rounded");
      }
    }
  }

  @Test
  public void finerTimesThanTheColumnHoldsAreRejected() {
    String reason = "finer than microseconds";
    Instant instant = Instant.ofEpochSecond(1, 1);
    assertRejected(
        FieldType.logicalType(new NanosInstant()), Types.TimestampType.withZone(), instant, reason);
    LocalDateTime local = LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
    assertRejected(
        FieldType.logicalType(SqlTypes.DATETIME), Types.TimestampType.withoutZone(), local, reason);
    assertRejected(
        FieldType.logicalType(SqlTypes.TIME),
        Types.TimeType.get(),
        LocalTime.ofNanoOfDay(1_001),
        reason);
  }

  @Test
  public void timesOutOfRangeAreRejected() {
    assertRejected(
        FieldType.logicalType(SqlTypes.DATE), Types.DateType.get(), LocalDate.MAX, "out of range");
    assertRejected(
        FieldType.logicalType(SqlTypes.TIMESTAMP),
        Types.TimestampType.withZone(),
        Instant.MIN,
        "out of range");
    assertRejected(
        FieldType.DATETIME,
        Types.TimestampNanoType.withZone(),
        org.joda.time.Instant.ofEpochMilli(Long.MAX_VALUE / 1000),
        "out of range");
  }

  @Test
  public void leastTimestampsOfEachUnitAreStored() {
    Instant micros = Instant.EPOCH.plus(Long.MIN_VALUE, java.time.temporal.ChronoUnit.MICROS);
    Instant nanos = Instant.EPOCH.plusNanos(Long.MIN_VALUE);
    Schema schema =
        Schema.builder()
            .addLogicalTypeField("c", SqlTypes.TIMESTAMP)
            .addLogicalTypeField("n", new NanosInstant())
            .build();
    Table table =
        table(
            Types.NestedField.required(1, "c", Types.TimestampType.withZone()),
            Types.NestedField.required(2, "n", Types.TimestampNanoType.withZone()));

    DataFileTestUtils.append(
        table,
        schema,
        List.of(Row.withSchema(schema).attachValues(micros, nanos)),
        FileOptions.defaults());

    assertThat(
        DataFileTestUtils.read(table).get(0).getField("n"),
        equalTo(nanos.atOffset(ZoneOffset.UTC)));
  }

  @Test
  public void bytesOfAnotherLengthAreRejected() {
    assertRejected(FieldType.BYTES, Types.FixedType.ofLength(3), new byte[2], "got 2 bytes");
    assertRejected(
        FieldType.logicalType(FixedBytes.of(3)),
        Types.FixedType.ofLength(3),
        new byte[4],
        "got 4 bytes");
  }

  @Test
  public void missingValuesOfRequiredColumnsAreRejected() {
    Table table =
        table(
            Types.NestedField.required(1, "id", Types.LongType.get()),
            Types.NestedField.optional(
                2,
                "s",
                Types.StructType.of(
                    Types.NestedField.required(
                        3, "list", Types.ListType.ofRequired(4, Types.StringType.get())))),
            Types.NestedField.optional(
                5,
                "m",
                Types.MapType.ofRequired(6, 7, Types.StringType.get(), Types.LongType.get())));
    Schema inner =
        Schema.builder()
            .addNullableField("list", FieldType.array(FieldType.STRING.withNullable(true)))
            .build();
    Schema schema =
        Schema.builder()
            .addNullableField("id", FieldType.INT64)
            .addNullableField("s", FieldType.row(inner))
            .addNullableField(
                "m", FieldType.map(FieldType.STRING, FieldType.INT64.withNullable(true)))
            .build();
    try (TableFileWriter writer = TableFileWriter.open(table, schema, FileOptions.defaults())) {
      Row list = Row.withSchema(inner).addValue(Arrays.asList("a", null)).build();
      assertColumn(writer, row(schema, null, null, null), "id");
      assertColumn(writer, row(schema, 1L, Row.nullRow(inner), null), "s.list");
      assertColumn(writer, row(schema, 1L, list, null), "s.list.element");
      assertColumn(writer, row(schema, 1L, null, Collections.singletonMap("k", null)), "m.value");
      assertColumn(writer, row(schema, 1L, null, Collections.singletonMap(null, 1L)), "m.key");
    }
  }

  @Test
  public void valuesOfAnotherClassAreRejected() {
    assertRejected(FieldType.INT64, Types.LongType.get(), "text", "another class");
    assertRejected(
        FieldType.array(FieldType.INT64),
        Types.ListType.ofOptional(9, Types.LongType.get()),
        List.of("text"),
        "another class");
  }

  @Test
  public void nestedRowsOfAnotherSchemaAreRejected() {
    Schema declared = Schema.builder().addInt64Field("a").addInt64Field("b").build();
    Schema swapped = Schema.builder().addInt64Field("b").addInt64Field("a").build();
    assertRejected(
        FieldType.row(declared),
        Types.StructType.of(
            Types.NestedField.required(8, "a", Types.LongType.get()),
            Types.NestedField.required(9, "b", Types.LongType.get())),
        Row.withSchema(swapped).addValues(1L, 2L).build(),
        "another schema");
  }

  @Test
  public void rowsOfAnotherSchemaAreAnError() {
    Table table = table(Types.NestedField.required(1, "c", Types.LongType.get()));
    Schema schema = Schema.builder().addInt64Field("c").build();
    Schema other = Schema.builder().addInt64Field("d").build();
    try (TableFileWriter writer = TableFileWriter.open(table, schema, FileOptions.defaults())) {
      assertThrows(
          IllegalArgumentException.class,
          () -> writer.write(Row.withSchema(other).addValue(1L).build()));
    }
  }

  @Test
  public void goodRowsBetweenRejectedOnesAreComplete() {
    Schema point = Schema.builder().addNullableField("x", FieldType.DECIMAL).build();
    Schema schema =
        Schema.builder()
            .addInt64Field("id")
            .addField("text", FieldType.STRING)
            .addField("points", FieldType.array(FieldType.row(point)))
            .addNullableField("last", FieldType.DECIMAL)
            .build();
    Table table =
        table(
            Types.NestedField.required(1, "id", Types.LongType.get()),
            Types.NestedField.required(2, "text", Types.StringType.get()),
            Types.NestedField.required(
                3,
                "points",
                Types.ListType.ofRequired(
                    4,
                    Types.StructType.of(
                        Types.NestedField.required(5, "x", Types.DecimalType.of(4, 2))))),
            Types.NestedField.required(6, "last", Types.DecimalType.of(3, 1)));
    List<Row> good = new ArrayList<>();
    int rejected = 0;
    try (TableFileWriter writer = TableFileWriter.open(table, schema, FileOptions.defaults())) {
      for (long id = 0; id < 5_000; id++) {
        BigDecimal x = id % 3 == 0 ? new BigDecimal("123.45") : new BigDecimal("12.34");
        BigDecimal last = id % 5 == 0 ? null : new BigDecimal("1.5");
        Row row =
            Row.withSchema(schema)
                .addValues(
                    id,
                    "t" + id,
                    List.of(
                        Row.withSchema(point).addValue(new BigDecimal("1.00")).build(),
                        Row.withSchema(point).addValue(x).build()),
                    last)
                .build();
        try {
          writer.write(row);
          good.add(row);
        } catch (RowRejectedException e) {
          rejected++;
        }
      }
      assertThat(writer.rows(), equalTo((long) good.size()));
      DataFileTestUtils.commit(table, writer.complete());
    }
    List<Record> records = DataFileTestUtils.read(table);

    assertThat(good.size() + rejected, equalTo(5_000));
    assertThat(records, hasSize(good.size()));
    for (int i = 0; i < good.size(); i++) {
      assertThat(records.get(i).getField("id"), equalTo(good.get(i).getInt64("id")));
      assertThat(records.get(i).getField("text"), equalTo(good.get(i).getString("text")));
      assertThat((List<?>) records.get(i).getField("points"), hasSize(2));
      assertThat(
          (BigDecimal) records.get(i).getField("last"), comparesEqualTo(new BigDecimal("1.5")));
    }
  }

  @Test
  public void messageHasColumnAndTypeButNoValue() {
    Table table = table(Types.NestedField.optional(1, "price", Types.DecimalType.of(4, 2)));
    Schema schema = Schema.builder().addField("price", FieldType.DECIMAL).build();
    try (TableFileWriter writer = TableFileWriter.open(table, schema, FileOptions.defaults())) {
      RowRejectedException e =
          assertThrows(
              RowRejectedException.class,
              () ->
                  writer.write(Row.withSchema(schema).addValue(new BigDecimal("98765.4")).build()));

      assertThat(e.column(), equalTo("price"));
      assertThat(e.declaredType(), equalTo("decimal(4, 2)"));
      assertThat(
          e.getMessage(),
          allOf(
              containsString("column price"),
              containsString("decimal(4, 2)"),
              not(containsString("98765"))));
    }
  }

  private static void assertColumn(TableFileWriter writer, Row row, String column) {
    RowRejectedException e = assertThrows(RowRejectedException.class, () -> writer.write(row));
    assertThat(e.column(), equalTo(column));
    assertThat(e.reason(), containsString("required"));
  }

  private static Row row(Schema schema, @Nullable Object... values) {
    return Row.withSchema(schema).attachValues(values);
  }

  private void assertStored(FieldType from, Type to, Object value, Object stored) {
    Table table = table(Types.NestedField.optional(1, "c", to));
    Schema schema = Schema.builder().addField("c", from).build();
    DataFileTestUtils.append(
        table, schema, List.of(Row.withSchema(schema).attachValues(value)), FileOptions.defaults());

    Object read = DataFileTestUtils.read(table).get(0).getField("c");
    assertThat(read, equalTo(stored));
  }

  private void assertRejected(FieldType from, Type to, Object value, String reason) {
    Table table = table(Types.NestedField.optional(1, "c", to));
    Schema schema = Schema.builder().addField("c", from).build();
    try (TableFileWriter writer = TableFileWriter.open(table, schema, FileOptions.defaults())) {
      Row row = Row.withSchema(schema).attachValues(value);
      RowRejectedException e = assertThrows(RowRejectedException.class, () -> writer.write(row));
      assertThat(e.reason(), containsString(reason));
    }
  }

  private Table table(Types.NestedField... columns) {
    try {
      return DataFileTestUtils.createTable(
          folder.newFolder().toPath(),
          new org.apache.iceberg.Schema(columns),
          PartitionSpec.unpartitioned(),
          Map.of());
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
