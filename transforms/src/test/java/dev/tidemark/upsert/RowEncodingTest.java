package dev.tidemark.upsert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableMap;
import com.google.common.io.BaseEncoding;
import com.google.common.io.Resources;
import dev.tidemark.candidates.CorruptStateException;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.Schema.LogicalType;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.util.SerializableUtils;
import org.apache.beam.sdk.values.Row;
import org.joda.time.DateTime;
import org.joda.time.DateTimeZone;
import org.joda.time.Instant;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class RowEncodingTest {
  private static final double OTHER_NAN = Double.longBitsToDouble(0x7ff8000000000001L);
  private static final float OTHER_FLOAT_NAN = Float.intBitsToFloat(0x7fc00001);
  private static final FieldType NULLABLE_DOUBLE = FieldType.DOUBLE.withNullable(true);

  @Test
  public void bytesOfVersion1StayTheSame() throws IOException {
    Map<String, String> golden = new LinkedHashMap<>();
    for (String line :
        Resources.readLines(Resources.getResource("dev/tidemark/upsert/rows1.txt"), UTF_8)) {
      String[] words = line.split(" ", 2);
      golden.put(words[0], words[1]);
    }
    Map<String, String> written = new LinkedHashMap<>();
    goldenRows()
        .forEach(
            (name, row) -> {
              byte[] bytes = RowEncoding.of(row.getSchema()).encode(row);
              assertThat(name, RowEncoding.of(row.getSchema()).decode(bytes), equalTo(row));
              written.put(name, hex(bytes));
            });
    assertThat(written, equalTo(golden));
    assertThat(RowEncoding.VERSION, is(1));
  }

  private static Map<String, Row> goldenRows() {
    Map<String, Row> rows = new LinkedHashMap<>();
    rows.put("no-fields", Row.nullRow(Schema.of()));
    rows.put("null", one(FieldType.STRING, null));
    rows.put("byte", one(FieldType.BYTE, (byte) -2));
    rows.put("int16", one(FieldType.INT16, (short) 258));
    rows.put("int32", one(FieldType.INT32, -2));
    rows.put("int64", one(FieldType.INT64, 0x0102030405060708L));
    rows.put("float", one(FieldType.FLOAT, 1.5f));
    rows.put("float-nan", one(FieldType.FLOAT, OTHER_FLOAT_NAN));
    rows.put("double", one(FieldType.DOUBLE, -0.0));
    rows.put("double-nan", one(FieldType.DOUBLE, OTHER_NAN));
    rows.put("decimal", one(FieldType.DECIMAL, new BigDecimal("-12.80")));
    rows.put("decimal-negative-scale", one(FieldType.DECIMAL, new BigDecimal("1.28E+5")));
    rows.put("boolean", one(FieldType.BOOLEAN, true));
    rows.put("string", one(FieldType.STRING, "a\u00e9\ud83d\ude00"));
    rows.put("string-long", one(FieldType.STRING, "x".repeat(130)));
    rows.put("bytes", one(FieldType.BYTES, new byte[] {0, -1}));
    rows.put("datetime", one(FieldType.DATETIME, Instant.ofEpochMilli(1_732_000_000_000L)));
    rows.put("array", one(FieldType.array(NULLABLE_DOUBLE), Arrays.asList(1.0, null, OTHER_NAN)));
    rows.put("iterable", one(FieldType.iterable(FieldType.BYTE), List.of((byte) 1, (byte) 2)));
    rows.put(
        "map",
        one(
            FieldType.map(FieldType.STRING.withNullable(true), FieldType.INT16.withNullable(true)),
            mapOf("b", (short) 2, "a", null, null, (short) 1)));
    rows.put("row", one(FieldType.row(nested()), nestedRow(7, -0.0)));
    rows.put(
        "logical",
        one(
            FieldType.logicalType(SqlTypes.DATETIME),
            LocalDateTime.parse("2024-11-30T19:08:00.5")));
    Schema nine =
        Schema.builder()
            .addNullableField("f0", FieldType.BYTE)
            .addNullableField("f1", FieldType.BYTE)
            .addNullableField("f2", FieldType.BYTE)
            .addNullableField("f3", FieldType.BYTE)
            .addNullableField("f4", FieldType.BYTE)
            .addNullableField("f5", FieldType.BYTE)
            .addNullableField("f6", FieldType.BYTE)
            .addNullableField("f7", FieldType.BYTE)
            .addNullableField("f8", FieldType.BYTE)
            .build();
    rows.put(
        "nine-fields",
        Row.withSchema(nine)
            .addValues(null, (byte) 1, null, (byte) 3, (byte) 4, (byte) 5, (byte) 6, null, null)
            .build());
    return rows;
  }

  @Test
  public void timesAreEncodedAsTheirBaseTypes() {
    for (String time : List.of("1969-12-31T23:59:59.999999", "2024-11-30T19:08:00.5")) {
      LocalDateTime local = LocalDateTime.parse(time);
      assertEncodedAsBase(SqlTypes.DATETIME, local);
      assertEncodedAsBase(SqlTypes.TIMESTAMP, local.toInstant(ZoneOffset.UTC));
    }
  }

  private static <T> void assertEncodedAsBase(LogicalType<T, Row> type, T value) {
    Row row = one(FieldType.logicalType(type), value);
    Row base = one(type.getBaseType(), type.toBaseType(value));
    RowEncoding encoding = RowEncoding.of(row.getSchema());
    assertThat(encoding.encode(row), is(RowEncoding.of(base.getSchema()).encode(base)));
    assertThat(encoding.decode(encoding.encode(row)), is(row));
  }

  @Test
  public void nullEqualsNullOnly() {
    assertEqual(FieldType.STRING, null, null);
    assertDiffer(FieldType.STRING, null, "");
    assertDiffer(FieldType.INT32, null, 0);
    assertDiffer(FieldType.array(FieldType.INT32), null, List.of());
    assertDiffer(
        FieldType.array(FieldType.INT32.withNullable(true)),
        List.of(),
        Arrays.asList((Object) null));
  }

  @Test
  public void scalarNaNAreEqualByTheirBits() {
    assertEqual(FieldType.DOUBLE, Double.NaN, Double.NaN);
    assertEqual(FieldType.DOUBLE, OTHER_NAN, OTHER_NAN);
    assertDiffer(FieldType.DOUBLE, Double.NaN, OTHER_NAN);
    assertDiffer(FieldType.FLOAT, Float.NaN, OTHER_FLOAT_NAN);
  }

  @Test
  public void bitsOfScalarNaNComeBack() {
    Row row = one(FieldType.DOUBLE, OTHER_NAN);
    RowEncoding encoding = RowEncoding.of(row.getSchema());
    double back = encoding.decode(encoding.encode(row)).getDouble(0);
    assertThat(Double.doubleToRawLongBits(back), is(0x7ff8000000000001L));
  }

  @Test
  public void nanInNestedRowsAreEqualByTheirBits() {
    assertDiffer(FieldType.row(nested()), nestedRow(1, Double.NaN), nestedRow(1, OTHER_NAN));
  }

  @Test
  public void allNaNInCollectionsAreEqual() {
    FieldType array = FieldType.array(FieldType.DOUBLE);
    assertEqual(array, List.of(Double.NaN), List.of(OTHER_NAN));
    assertEqual(FieldType.iterable(FieldType.FLOAT), List.of(Float.NaN), List.of(OTHER_FLOAT_NAN));
    assertEqual(
        FieldType.map(FieldType.STRING, FieldType.DOUBLE),
        Map.of("k", Double.NaN),
        Map.of("k", OTHER_NAN));
    assertEqual(
        FieldType.map(FieldType.DOUBLE, FieldType.STRING),
        Map.of(Double.NaN, "v"),
        Map.of(OTHER_NAN, "v"));
    assertEqual(FieldType.array(array), List.of(List.of(Double.NaN)), List.of(List.of(OTHER_NAN)));
    assertEqual(
        FieldType.array(FieldType.row(nested())),
        List.of(nestedRow(1, Double.NaN)),
        List.of(nestedRow(1, OTHER_NAN)));
  }

  @Test
  public void zerosDiffer() {
    assertDiffer(FieldType.DOUBLE, 0.0, -0.0);
    assertDiffer(FieldType.FLOAT, 0.0f, -0.0f);
    assertDiffer(FieldType.array(FieldType.DOUBLE), List.of(0.0), List.of(-0.0));
    assertDiffer(FieldType.row(nested()), nestedRow(1, 0.0), nestedRow(1, -0.0));
  }

  @Test
  public void decimalsOfOtherScaleDiffer() {
    assertEqual(FieldType.DECIMAL, new BigDecimal("1.00"), new BigDecimal("1.00"));
    assertDiffer(FieldType.DECIMAL, new BigDecimal("1.0"), new BigDecimal("1.00"));
  }

  @Test
  public void zoneOfAnInstantDoesNotMatter() {
    assertEqual(
        FieldType.DATETIME,
        Instant.ofEpochMilli(5),
        new DateTime(5, DateTimeZone.forOffsetHours(3)));
  }

  @Test
  public void mapsAreEqualInAnyOrderByDefault() {
    Row ab = attached(mapType(), ImmutableMap.of("a", 1, "b", 2));
    Row ba = attached(mapType(), ImmutableMap.of("b", 2, "a", 1));
    RowEncoding encoding = RowEncoding.of(ab.getSchema());
    assertThat(encoding.encode(ab), equalTo(encoding.encode(ba)));
  }

  @Test
  public void orderOfEntriesCountsAsGiven() {
    Row ab = attached(mapType(), ImmutableMap.of("a", 1, "b", 2));
    Row ba = attached(mapType(), ImmutableMap.of("b", 2, "a", 1));
    RowEncoding encoding = RowEncoding.of(ab.getSchema()).withMapOrder(MapOrder.AS_GIVEN);
    assertThat(encoding.encode(ab), not(equalTo(encoding.encode(ba))));
    Map<?, ?> back = encoding.decode(encoding.encode(ba)).getMap(0);
    assertThat(List.copyOf(back.keySet()), equalTo(List.of("b", "a")));
  }

  @Test
  public void mapsWithinMapsAreSortedToo() {
    FieldType type = FieldType.map(FieldType.STRING, mapType());
    assertEqual(
        type,
        ImmutableMap.of("x", ImmutableMap.of("a", 1, "b", 2), "w", Map.of()),
        ImmutableMap.of("w", Map.of(), "x", ImmutableMap.of("b", 2, "a", 1)));
  }

  @Test
  public void rowOfAnotherWidthIsRefused() {
    RowEncoding encoding = RowEncoding.of(nested());
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> encoding.encode(one(FieldType.INT32, 1)));
    assertThat(e.getMessage(), is("Invalid row: 1 fields (must be 2 as in its schema)"));
  }

  @Test
  public void bytesBeyondTheRowAreRefused() {
    byte[] bytes = RowEncoding.of(nested()).encode(nestedRow(1, 2.0));
    CorruptStateException e =
        assertThrows(
            CorruptStateException.class,
            () -> RowEncoding.of(nested()).decode(Arrays.copyOf(bytes, bytes.length + 1)));
    assertThat(e.getMessage(), containsString("Cannot read a stored row: 1 bytes too many"));
    assertThat(e.getMessage(), containsString("Restore a savepoint"));
  }

  @Test
  public void hugeSizesAreRefusedBeforeMemoryIsTaken() {
    assertRefused(FieldType.array(FieldType.INT32), "00ffffffff07", "elements where 0 bytes");
    assertRefused(FieldType.array(FieldType.INT32), "00ffffffff0f", "-1 elements");
    assertRefused(mapType(), "00ffffffff07", "entries where 0 bytes");
    assertRefused(FieldType.STRING, "00ffffffff07", "length 2147483647 where 0 bytes");
    assertRefused(FieldType.BYTES, "00ffffffff0f", "length -1");
    assertRefused(FieldType.DECIMAL, "0000ffffffff07", "length 2147483647");
  }

  @Test
  public void otherFormsOfAValueAreRefused() {
    assertRefused(FieldType.BOOLEAN, "0002", "flag");
    assertRefused(FieldType.INT32, "02", "beyond the last field");
    assertRefused(FieldType.STRING, "00818000", "shortest form");
    assertRefused(FieldType.STRING, "00ffffffff1f", "shortest form");
    assertRefused(FieldType.STRING, "008080808080", "too long");
    assertRefused(FieldType.STRING, "0001ff", "UTF-8");
    assertRefused(FieldType.DECIMAL, "0000020001", "shortest form");
    assertRefused(FieldType.DECIMAL, "000002ffff", "shortest form");
    assertRefused(FieldType.DECIMAL, "000000", "shortest form");
    assertRefused(FieldType.array(FieldType.DOUBLE), "0001007ff8000000000001", "NaN");
    assertRefused(FieldType.array(FieldType.FLOAT), "0001007fc00001", "NaN");
    assertRefused(
        mapType(), "0002" + "000162" + "0000000001" + "000161" + "0000000002", "not sorted");
    assertRefused(
        FieldType.logicalType(SqlTypes.DATE), "007fffffffffffffff", "beam:logical_type:date:v1");
  }

  @Test
  public void rangeOutsideOfTheArrayIsRefused() {
    RowEncoding encoding = RowEncoding.of(nested());
    assertThrows(CorruptStateException.class, () -> encoding.decode(new byte[4], 2, 3));
    assertThrows(CorruptStateException.class, () -> encoding.decode(new byte[4], -1, 3));
    assertThrows(
        CorruptStateException.class, () -> encoding.decode(new byte[4], 2, Integer.MAX_VALUE));
  }

  @Test
  public void largeRowsAreWrittenAndSmallOnesAfterThem() {
    Row large = one(FieldType.BYTES, new byte[3 << 20]);
    Row small = one(FieldType.BYTES, new byte[] {1});
    RowEncoding encoding = RowEncoding.of(large.getSchema());
    assertThat(encoding.encode(large).length, is((3 << 20) + 5));
    assertThat(hex(encoding.encode(small)), is("000101"));
  }

  @Test
  public void copyBySerializationGivesTheSameBytes() {
    RowEncoding encoding = RowEncoding.of(nested()).withMapOrder(MapOrder.AS_GIVEN);
    RowEncoding copy = SerializableUtils.clone(encoding);
    assertThat(copy.mapOrder(), is(MapOrder.AS_GIVEN));
    assertThat(copy.encode(nestedRow(1, 2.0)), equalTo(encoding.encode(nestedRow(1, 2.0))));
  }

  @Test
  public void descriptionHasVersionMapOrderAndTypes() {
    Schema schema =
        Schema.builder()
            .addInt32Field("id")
            .addField("tags", FieldType.array(FieldType.STRING))
            .addNullableField("nested", FieldType.row(nested()))
            .addField("m", mapType())
            .addField("day", FieldType.logicalType(SqlTypes.DATE))
            .build();
    assertThat(
        RowEncoding.of(schema).description(),
        is(
            "rows:1:SORTED:(id INT32, tags ARRAY<STRING>, nested ROW(a INT32, b DOUBLE),"
                + " m MAP<STRING, INT32>, day beam:logical_type:date:v1=INT64)"));
  }

  private static void assertRefused(FieldType type, String hex, String reason) {
    Schema schema = Schema.builder().addNullableField("f", type).build();
    CorruptStateException e =
        assertThrows(
            hex,
            CorruptStateException.class,
            () -> RowEncoding.of(schema).decode(BaseEncoding.base16().lowerCase().decode(hex)));
    assertThat(e.getMessage(), containsString(reason));
  }

  private static void assertEqual(FieldType type, Object value, Object other) {
    assertThat(bytes(type, value), equalTo(bytes(type, other)));
  }

  private static void assertDiffer(FieldType type, Object value, Object other) {
    assertThat(bytes(type, value), not(equalTo(bytes(type, other))));
  }

  private static byte[] bytes(FieldType type, Object value) {
    Row row = attached(type, value);
    return RowEncoding.of(row.getSchema()).encode(row);
  }

  private static Row one(FieldType type, Object value) {
    Schema schema = Schema.builder().addNullableField("f", type).build();
    return Row.withSchema(schema).addValue(value).build();
  }

  /** A row that has exactly this value, where the builder of rows would copy a map. */
  private static Row attached(FieldType type, Object value) {
    Schema schema = Schema.builder().addNullableField("f", type).build();
    return Row.withSchema(schema).attachValues(value);
  }

  private static FieldType mapType() {
    return FieldType.map(FieldType.STRING, FieldType.INT32);
  }

  private static Map<Object, Object> mapOf(Object... keysAndValues) {
    Map<Object, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      map.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return map;
  }

  private static Schema nested() {
    return Schema.builder()
        .addNullableField("a", FieldType.INT32)
        .addNullableField("b", FieldType.DOUBLE)
        .build();
  }

  private static Row nestedRow(int a, double b) {
    return Row.withSchema(nested()).addValues(a, b).build();
  }

  private static String hex(byte[] bytes) {
    return BaseEncoding.base16().lowerCase().encode(bytes);
  }
}
