package dev.tidemark.arrow;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.junit.Assert.assertThrows;

import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.FixedBytes;
import org.apache.beam.sdk.schemas.logicaltypes.NanosInstant;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.values.Row;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class RowAppenderTest {
  private static final ArrowType INT_8 = new ArrowType.Int(8, true);
  private static final ArrowType INT_32 = new ArrowType.Int(32, true);
  private static final ArrowType INT_64 = new ArrowType.Int(64, true);
  private static final ArrowType NAIVE_SECONDS = new ArrowType.Timestamp(TimeUnit.SECOND, null);
  private static final ArrowType NAIVE_MICROS = new ArrowType.Timestamp(TimeUnit.MICROSECOND, null);

  private BufferAllocator allocator;

  @Before
  public void open() {
    allocator = ArrowAllocators.child("RowAppenderTest");
  }

  @After
  public void allMemoryWasGivenBack() {
    allocator.close();
  }

  private static Field column(ArrowType type) {
    return Field.nullable("c", type);
  }

  private static org.apache.arrow.vector.types.pojo.Schema columns(Field... fields) {
    return new org.apache.arrow.vector.types.pojo.Schema(List.of(fields));
  }

  private static Schema rows(FieldType type) {
    return Schema.builder().addNullableField("c", type).build();
  }

  private Object written(FieldType type, Object value, Field target) {
    return written(type, value, target, AppendOptions.defaults());
  }

  /** Writes a value to a column, and returns what Arrow says is in it. */
  private Object written(FieldType type, Object value, Field target, AppendOptions options) {
    try (VectorSchemaRoot root = VectorSchemaRoot.create(columns(target), allocator)) {
      Row row = Row.withSchema(rows(type)).attachValues(Arrays.asList(value));
      RowAppender.of(rows(type), columns(target), options).append(row, root, 0);
      root.setRowCount(1);
      Object object = root.getVector(0).getObject(0);
      return object == null || object instanceof BigDecimal || object instanceof Number
          ? object
          : object.toString();
    }
  }

  private void assertRejected(FieldType type, Object value, Field target, String problem) {
    ValueRejectedException e =
        assertThrows(ValueRejectedException.class, () -> written(type, value, target));
    assertThat(e.getMessage(), equalTo("Cannot write column c: " + problem));
    assertThat(e.column(), equalTo("c"));
  }

  private static void assertRefused(FieldType type, Field target, String from, String to) {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> RowAppender.of(rows(type), columns(target), AppendOptions.defaults()));
    assertThat(
        e.getMessage(),
        equalTo(
            String.format(
                "Cannot write column c: rows have %s there, and the target takes %s. Convert the"
                    + " field, or change the target's type",
                from, to)));
  }

  @Test
  public void integersBecomeWider() {
    assertThat(
        written(FieldType.BYTE, (byte) -7, column(INT_64)), equalTo((Object) Long.valueOf(-7)));
    assertThat(
        written(FieldType.INT16, (short) -300, column(INT_32)),
        equalTo((Object) Integer.valueOf(-300)));
    assertThat(
        written(FieldType.INT32, -70_000, column(INT_64)), equalTo((Object) Long.valueOf(-70_000)));
  }

  @Test
  public void integersDoNotBecomeNarrower() {
    assertRefused(FieldType.INT32, column(INT_8), "INT32", "Int(8, true)");
    assertRefused(FieldType.INT32, column(new ArrowType.Int(32, false)), "INT32", "Int(32, false)");
  }

  @Test
  public void floatsBecomeDoublesButNotTheReverse() {
    assertThat(
        written(
            FieldType.FLOAT,
            0.5f,
            column(new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE))),
        equalTo((Object) 0.5));
    assertRefused(
        FieldType.DOUBLE,
        column(new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE)),
        "DOUBLE",
        "FloatingPoint(SINGLE)");
  }

  @Test
  public void wholeNumbersBecomeText() {
    assertThat(
        written(FieldType.INT64, Long.MIN_VALUE, column(ArrowType.Utf8.INSTANCE)),
        equalTo((Object) "-9223372036854775808"));
    assertThat(
        written(FieldType.DECIMAL, new BigDecimal("1.2e3"), column(ArrowType.Utf8.INSTANCE)),
        equalTo((Object) "1200"));
    assertRejected(
        FieldType.DECIMAL,
        new BigDecimal("1.5"),
        column(ArrowType.Utf8.INSTANCE),
        "got a decimal with a fraction, to be written as an integer. Round it before");
    assertRejected(
        FieldType.DECIMAL,
        new BigDecimal("1e2000000000"),
        column(ArrowType.Utf8.INSTANCE),
        "got an integer of more than 76 digits");
  }

  @Test
  public void decimalsGetTheScaleOfTheirColumn() {
    Field column = column(new ArrowType.Decimal(9, 2, 128));
    for (String number : List.of("0", "-0.01", "9999999.99", "-9999999.99", "1e3", "12.30")) {
      assertThat(
          written(FieldType.DECIMAL, new BigDecimal(number), column),
          equalTo((Object) new BigDecimal(number).setScale(2)));
    }
  }

  @Test
  public void decimalsThatDoNotFitAreRejected() {
    for (int width : new int[] {128, 256}) {
      for (int precision : new int[] {9, 19, 30}) {
        Field column = column(new ArrowType.Decimal(precision, 2, width));
        String large =
            String.format(
                "got a decimal with more than %d digits before the point. Widen the column",
                precision - 2);
        assertRejected(FieldType.DECIMAL, BigDecimal.TEN.pow(precision - 2), column, large);
        assertRejected(
            FieldType.DECIMAL, BigDecimal.TEN.pow(precision - 2).negate(), column, large);
        assertRejected(FieldType.DECIMAL, new BigDecimal("1e2000000000"), column, large);
        assertRejected(
            FieldType.DECIMAL,
            new BigDecimal("0.001"),
            column,
            "got a decimal with more than 2 digits after the point. Round it before");
      }
    }
  }

  @Test
  public void timesFinerThanTheirColumnAreRejected() {
    assertRejected(
        FieldType.logicalType(SqlTypes.TIME),
        LocalTime.of(1, 2, 3, 1),
        column(new ArrowType.Time(TimeUnit.MICROSECOND, 64)),
        "got a time finer than MICROSECOND. Truncate it before");
    assertRejected(
        FieldType.DATETIME,
        Instant.ofEpochMilli(-1),
        column(new ArrowType.Timestamp(TimeUnit.SECOND, "UTC")),
        "got a time finer than SECOND. Truncate it before");
  }

  @Test
  public void timesOutOfRangeAreRejected() {
    Field column = column(new ArrowType.Timestamp(TimeUnit.NANOSECOND, "UTC"));
    FieldType type = FieldType.logicalType(new NanosInstant());
    java.time.Instant last = java.time.Instant.ofEpochSecond(0, Long.MAX_VALUE);
    java.time.Instant first = java.time.Instant.ofEpochSecond(0, Long.MIN_VALUE);

    assertThat(written(type, last, column), equalTo((Object) Long.MAX_VALUE));
    assertThat(written(type, first, column), equalTo((Object) Long.MIN_VALUE));
    assertRejected(type, last.plusNanos(1), column, "got a time out of range");
    assertRejected(type, first.minusNanos(1), column, "got a time out of range");
  }

  @Test
  public void instantsDoNotBecomeLocalTimesUnlessAnOffsetIsGiven() {
    assertRefused(FieldType.DATETIME, column(NAIVE_SECONDS), "DATETIME", "Timestamp(SECOND, null)");
    assertThat(
        written(
            FieldType.DATETIME,
            Instant.ofEpochSecond(100),
            column(NAIVE_SECONDS),
            AppendOptions.defaults().withInstantsAt(ZoneOffset.ofHours(2))),
        equalTo((Object) "1970-01-01T02:01:40"));
  }

  @Test
  public void localTimesDoNotBecomeInstants() {
    assertRefused(
        FieldType.logicalType(SqlTypes.DATETIME),
        column(new ArrowType.Timestamp(TimeUnit.SECOND, "UTC")),
        "logical type " + SqlTypes.DATETIME.getIdentifier(),
        "Timestamp(SECOND, UTC)");
  }

  @Test
  public void localTimesAreShifted() {
    AppendOptions options =
        AppendOptions.defaults()
            .withLocalShift(Duration.standardHours(-8))
            .withInstantsAt(ZoneOffset.UTC);

    assertThat(
        written(
            FieldType.logicalType(SqlTypes.DATETIME),
            LocalDateTime.of(2024, 1, 1, 0, 0),
            column(NAIVE_MICROS),
            options),
        equalTo((Object) "2023-12-31T16:00"));
    assertThat(
        written(FieldType.DATETIME, Instant.EPOCH, column(NAIVE_SECONDS), options),
        equalTo((Object) "1969-12-31T16:00"));
  }

  @Test
  public void shiftIsBounded() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> AppendOptions.defaults().withLocalShift(Duration.standardHours(25)));

    assertThat(e.getMessage(), containsString("Invalid shift of timestamps: PT90000S (must be"));
  }

  @Test
  public void typesThatDoNotGoTogetherAreRefused() {
    assertRefused(FieldType.STRING, column(INT_32), "STRING", "Int(32, true)");
    assertRefused(FieldType.STRING, column(new ArrowType.LargeUtf8()), "STRING", "LargeUtf8");
    assertRefused(
        FieldType.logicalType(SqlTypes.DATE),
        column(new ArrowType.Date(DateUnit.MILLISECOND)),
        "logical type beam:logical_type:date:v1",
        "Date(MILLISECOND)");
    assertRefused(
        FieldType.logicalType(FixedBytes.of(3)),
        column(new ArrowType.FixedSizeBinary(4)),
        "logical type beam:logical_type:fixed_bytes:v1",
        "FixedSizeBinary(4)");
  }

  @Test
  public void columnThatRowsLackIsRefused() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                RowAppender.of(
                    rows(FieldType.INT32),
                    columns(Field.nullable("d", INT_32)),
                    AppendOptions.defaults()));

    assertThat(
        e.getMessage(),
        equalTo(
            "Cannot write column d: rows have no field of this name, but [c]. Add it, or rename one"
                + " of theirs"));
  }

  @Test
  public void bytesOfAnotherLengthAreRejected() {
    assertRejected(
        FieldType.BYTES,
        new byte[2],
        column(new ArrowType.FixedSizeBinary(3)),
        "got 2 bytes, and the column takes 3");
  }

  @Test
  public void nullInColumnThatTakesNoneIsRejected() {
    assertRejected(
        FieldType.INT32,
        null,
        Field.notNullable("c", INT_32),
        "got null, and the column takes none. Fill it in before");
  }

  @Test
  public void messageNamesNestedColumnAndHasNoValue() {
    Schema schema =
        Schema.builder().addMapField("prices", FieldType.STRING, FieldType.DECIMAL).build();
    Field value = Field.nullable("value", new ArrowType.Decimal(4, 2, 128));
    Field key = Field.notNullable("key", ArrowType.Utf8.INSTANCE);
    Field prices =
        new Field(
            "prices",
            org.apache.arrow.vector.types.pojo.FieldType.nullable(new ArrowType.Map(false)),
            List.of(
                new Field(
                    "entries",
                    org.apache.arrow.vector.types.pojo.FieldType.notNullable(
                        ArrowType.Struct.INSTANCE),
                    List.of(key, value))));
    try (VectorSchemaRoot root = VectorSchemaRoot.create(columns(prices), allocator)) {
      RowAppender appender = RowAppender.of(schema, columns(prices), AppendOptions.defaults());
      Row row = Row.withSchema(schema).addValue(Map.of("secret", new BigDecimal("12345"))).build();

      ValueRejectedException e =
          assertThrows(ValueRejectedException.class, () -> appender.append(row, root, 0));

      assertThat(e.column(), equalTo("prices.value"));
      assertThat(e.getMessage(), not(containsString("12345")));
      assertThat(e.getMessage(), not(containsString("secret")));
    }
  }

  @Test
  public void rejectedRowIsWrittenOver() {
    Schema schema =
        Schema.builder()
            .addStringField("text")
            .addArrayField("texts", FieldType.STRING)
            .addDecimalField("number")
            .build();
    org.apache.arrow.vector.types.pojo.Schema target =
        columns(
            Field.notNullable("text", ArrowType.Utf8.INSTANCE),
            new Field(
                "texts",
                org.apache.arrow.vector.types.pojo.FieldType.nullable(ArrowType.List.INSTANCE),
                List.of(Field.nullable("element", ArrowType.Utf8.INSTANCE))),
            Field.nullable("number", new ArrowType.Decimal(4, 0, 128)));
    Row good = Row.withSchema(schema).addValues("a", List.of("b", "c"), BigDecimal.ONE).build();
    Row bad =
        Row.withSchema(schema)
            .addValues("too", List.of("x", "y", "z"), new BigDecimal(10_000))
            .build();
    Row last = Row.withSchema(schema).addValues("", List.of(), BigDecimal.TEN).build();
    try (VectorSchemaRoot root = VectorSchemaRoot.create(target, allocator)) {
      RowAppender appender = RowAppender.of(schema, target, AppendOptions.defaults());
      appender.append(good, root, 0);
      assertThrows(ValueRejectedException.class, () -> appender.append(bad, root, 1));
      appender.append(good, root, 1);
      assertThrows(ValueRejectedException.class, () -> appender.append(bad, root, 2));
      appender.append(last, root, 2);
      root.setRowCount(3);

      assertThat(RowRoundTripPropertyTest.read(schema, root), equalTo(List.of(good, good, last)));
    }
  }

  @Test
  public void rejectedRowsAmongManyLeaveTheOthersWhole() {
    Schema schema =
        Schema.builder()
            .addStringField("text")
            .addArrayField("texts", FieldType.STRING)
            .addDecimalField("number")
            .addNullableField("count", FieldType.INT32)
            .build();
    org.apache.arrow.vector.types.pojo.Schema target =
        columns(
            Field.notNullable("text", ArrowType.Utf8.INSTANCE),
            new Field(
                "texts",
                org.apache.arrow.vector.types.pojo.FieldType.nullable(ArrowType.List.INSTANCE),
                List.of(Field.nullable("element", ArrowType.Utf8.INSTANCE))),
            Field.nullable("number", new ArrowType.Decimal(4, 0, 128)),
            Field.notNullable("count", INT_32));
    Row[] rows = new Row[100];
    Set<Integer> bad = new TreeSet<>();
    for (int i = 0; i < rows.length; i++) {
      boolean wide = i % 7 == 3;
      boolean missing = i % 10 == 3;
      if (wide || missing) {
        bad.add(i);
      }
      rows[i] =
          Row.withSchema(schema)
              .addValues(
                  "row " + i,
                  Collections.nCopies(i % 4, "element " + i),
                  new BigDecimal(wide ? 10_000 + i : i),
                  missing ? null : i)
              .build();
    }
    try (VectorSchemaRoot root = VectorSchemaRoot.create(target, allocator)) {
      RowAppender appender = RowAppender.of(schema, target, AppendOptions.defaults());
      Map<Integer, List<String>> rejected = new TreeMap<>();
      for (int from = 0; from < rows.length; from += 30) {
        appender.appendAll(
            rows,
            from,
            Math.min(rows.length, from + 30),
            root,
            from,
            (row, reason) ->
                rejected.computeIfAbsent(row, key -> new ArrayList<>()).add(reason.column()));
      }
      root.setRowCount(rows.length);

      assertThat(rejected.keySet(), equalTo(bad));
      assertThat(rejected.get(3), equalTo(List.of("number", "count")));
      RowReader reader = RowReader.of(schema, root.getSchema());
      for (int i = 0; i < rows.length; i++) {
        if (!bad.contains(i)) {
          assertThat(reader.read(root, i), equalTo(rows[i]));
        }
      }
    }
  }

  @Test
  public void targetMayHaveSomeOfTheFieldsAndMoreColumnsAfterThem() {
    Schema schema = Schema.builder().addInt32Field("a").addInt32Field("b").build();
    org.apache.arrow.vector.types.pojo.Schema target = columns(Field.nullable("b", INT_32));
    org.apache.arrow.vector.types.pojo.Schema wider =
        columns(Field.nullable("b", INT_32), Field.notNullable("sign", INT_8));
    try (VectorSchemaRoot root = VectorSchemaRoot.create(wider, allocator)) {
      RowAppender appender = RowAppender.of(schema, target, AppendOptions.defaults());
      appender.append(Row.withSchema(schema).addValues(1, 2).build(), root, 0);
      root.setRowCount(1);

      assertThat(root.getVector("b").getObject(0), equalTo((Object) 2));
    }
  }

  @Test
  public void rootWithOtherColumnsIsRefused() {
    Schema schema = rows(FieldType.INT32);
    RowAppender appender =
        RowAppender.of(schema, columns(column(INT_32)), AppendOptions.defaults());
    try (VectorSchemaRoot root = VectorSchemaRoot.create(columns(column(INT_64)), allocator)) {
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class,
              () -> appender.append(Row.withSchema(schema).addValue(1).build(), root, 0));

      assertThat(
          e.getMessage(),
          equalTo("Invalid columns: [c: Int(64, true)] (must begin with [c: Int(32, true)])"));
    }
  }
}
