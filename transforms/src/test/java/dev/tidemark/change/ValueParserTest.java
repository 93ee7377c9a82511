package dev.tidemark.change;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.EnumerationType;
import org.apache.beam.sdk.schemas.logicaltypes.FixedPrecisionNumeric;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.schemas.logicaltypes.Timestamp;
import org.apache.beam.sdk.schemas.logicaltypes.VariableString;
import org.apache.beam.sdk.values.Row;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class ValueParserTest {
  private static final FieldType TIMESTAMP = FieldType.logicalType(SqlTypes.TIMESTAMP);
  private static final FieldType DATETIME = FieldType.logicalType(SqlTypes.DATETIME);
  private static final FieldType DATE = FieldType.logicalType(SqlTypes.DATE);
  private static final FieldType TIME = FieldType.logicalType(SqlTypes.TIME);
  private static final FieldType NUMERIC = FieldType.logicalType(FixedPrecisionNumeric.of(6, 2));
  private static final Encoding MICROS = Encoding.of(ChronoUnit.MICROS, false, null);
  private static final Encoding MILLIS = Encoding.of(ChronoUnit.MILLIS, false, null);
  private static final Encoding NANOS = Encoding.of(ChronoUnit.NANOS, false, null);
  private static final Encoding TEXT = Encoding.of(ChronoUnit.MICROS, true, null);

  @Test
  public void integersKeepTheirRange() throws Exception {
    assertThat(parse(FieldType.INT16, "32767"), is((short) 32767));
    assertThat(parse(FieldType.INT64, "-9223372036854775808"), is(Long.MIN_VALUE));
    assertRefused(FieldType.INT16, "32768", "number out of the range of INT16");
    assertRefused(FieldType.INT64, "9223372036854775808", "number out of the range of INT64");
    assertRefused(FieldType.INT32, "1.0", "expected INT32 but found NUMBER");
    assertRefused(FieldType.INT32, "\"1\"", "expected INT32 but found STRING");
  }

  @Test
  public void floatsTakeWhatJsonHasNoNumberForAsText() throws Exception {
    assertThat(parse(FieldType.DOUBLE, "0.3236745462172217"), is(0.3236745462172217));
    assertThat(parse(FieldType.DOUBLE, "\"NaN\""), is(Double.NaN));
    assertThat(parse(FieldType.FLOAT, "\"-Infinity\""), is(Float.NEGATIVE_INFINITY));
    assertRefused(FieldType.FLOAT, "1e39", "number out of the range of FLOAT");
    assertRefused(FieldType.DOUBLE, "1e999", "number out of the range of DOUBLE");
    assertRefused(FieldType.DOUBLE, "\"1\"", "expected DOUBLE but found STRING");
  }

  @Test
  public void decimalsComeInAllForms() throws Exception {
    BigDecimal expected = new BigDecimal("1.50");
    Encoding scaled = Encoding.of(ChronoUnit.MICROS, false, 2);
    assertThat(parse(FieldType.DECIMAL, "\"AJY=\"", scaled), is(expected));
    assertThat(parse(NUMERIC, "\"AJY=\"", MICROS), is(expected));
    assertThat(parse(FieldType.DECIMAL, "\"1.50\"", TEXT), is(expected));
    assertThat(parse(FieldType.DECIMAL, "1.50", MICROS), is(expected));
    assertThat(parse(FieldType.DECIMAL, "{\"scale\":2,\"value\":\"AJY=\"}", TEXT), is(expected));
    assertThat(parse(NUMERIC, "\"1.5\"", TEXT), is(expected));
  }

  @Test
  public void decimalsThatDoNotFitAreRefused() throws Exception {
    assertRefused(FieldType.DECIMAL, "\"AJY=\"", "base64 decimal of unknown scale");
    assertRefused(NUMERIC, "1.505", "does not fit precision 6, scale 2");
    assertRefused(NUMERIC, "10000.00", "does not fit precision 6, scale 2");
    assertRefused(NUMERIC, "1e999999999", "number out of the range of DECIMAL");
    assertRefused(NUMERIC, "1e-999999999", "number out of the range of DECIMAL");
    assertRefused(NUMERIC, "\"\"", "text is no decimal number");
    assertRefused(NUMERIC, "\"*\"", "text is not base64");
    assertRefused(FieldType.DECIMAL, "\"NaN\"", TEXT, "text is no decimal number");
    assertRefused(FieldType.DECIMAL, "true", "expected DECIMAL but found BOOLEAN");
  }

  @Test
  public void timestampsWithZoneAreInstantsInMicros() throws Exception {
    Instant instant = Instant.parse("2024-03-11T01:17:38.602785Z");
    assertThat(parse(TIMESTAMP, "\"2024-03-11T01:17:38.602785Z\""), is(instant));
    assertThat(parse(TIMESTAMP, "\"2024-03-11T03:17:38.602785+02:00\""), is(instant));
    assertThat(parse(TIMESTAMP, "1710119858602785", MICROS), is(instant));
    assertThat(parse(TIMESTAMP, "-1", MILLIS), is(Instant.parse("1969-12-31T23:59:59.999Z")));
    assertRefused(TIMESTAMP, "\"2024-03-11T01:17:38.602785\"", "not in the form or range");
    assertRefused(TIMESTAMP, "1710119858602785001", NANOS, "finer than the 6 decimals");
  }

  @Test
  public void instantsTakeTheDecimalsOfTheirType() throws Exception {
    FieldType millis = FieldType.logicalType(Timestamp.MILLIS);
    assertThat(parse(millis, "1000", MICROS), is(Instant.ofEpochMilli(1)));
    assertRefused(millis, "1001", MICROS, "finer than the 3 decimals");
    assertThat(
        parse(FieldType.DATETIME, "1000", MICROS), is(org.joda.time.Instant.ofEpochMilli(1)));
    assertRefused(FieldType.DATETIME, "1001", MICROS, "finer than the 3 decimals");
    assertThat(
        parse(FieldType.logicalType(Timestamp.NANOS), "1001", NANOS),
        is(Instant.ofEpochSecond(0, 1001)));
  }

  @Test
  public void timestampsWithoutZoneAreLocal() throws Exception {
    LocalDateTime local = LocalDateTime.parse("2025-05-01T10:50:37.423808");
    assertThat(parse(DATETIME, "1746096637423808", MICROS), is(local));
    assertThat(parse(DATETIME, "1746096637423", MILLIS), is(local.truncatedTo(ChronoUnit.MILLIS)));
    assertThat(parse(DATETIME, "1746096637423808000", NANOS), is(local));
    assertThat(parse(DATETIME, "\"2025-05-01T10:50:37.423808Z\""), is(local));
    assertRefused(DATETIME, "\"2025-05-01T10:50:37+02:00\"", "not in the form or range");
    assertRefused(DATETIME, "1.5", "expected datetime but found NUMBER");
  }

  @Test
  public void datesAndTimesComeAsNumbersOrText() throws Exception {
    assertThat(parse(DATE, "19733"), is(LocalDate.of(2024, 1, 11)));
    assertThat(parse(DATE, "\"2024-01-11Z\""), is(LocalDate.of(2024, 1, 11)));
    LocalTime time = LocalTime.of(16, 30);
    assertThat(parse(TIME, "59400000", MILLIS), is(time));
    assertThat(parse(TIME, "59400000000", MICROS), is(time));
    assertThat(parse(TIME, "59400000000000", NANOS), is(time));
    assertThat(parse(TIME, "\"16:30:00Z\""), is(time));
    assertThat(parse(TIME, "\"18:30:00+02:00\""), is(time));
    assertRefused(TIME, "86400000000", "not in the form or range of time");
    assertRefused(TIME, "9223372036854775807", "not in the form or range of time");
  }

  @Test
  public void otherTypesAreStrict() throws Exception {
    UUID uuid = UUID.fromString("29aae6dc-b545-7da1-9954-037fc81ca717");
    FieldType uuidType = FieldType.logicalType(SqlTypes.UUID);
    assertThat(parse(uuidType, "\"" + uuid + "\""), is(uuid));
    assertRefused(uuidType, "\"1-1-1-1-1\"", "text is no UUID");
    assertThat(
        parse(FieldType.BYTES, "\"ibLK\""), is(new byte[] {(byte) 0x89, (byte) 0xb2, (byte) 0xca}));
    assertRefused(FieldType.BYTES, "\"*\"", "text is not base64");
    assertRefused(FieldType.STRING, "{}", "expected STRING but found OBJECT");
    assertRefused(FieldType.BOOLEAN, "0", "expected BOOLEAN but found NUMBER");
  }

  @Test
  public void nestedTypesAreParsedDeeply() throws Exception {
    FieldType texts = FieldType.array(FieldType.STRING.withNullable(true));
    assertThat(parse(texts, "[\"x\",null]"), equalTo(Arrays.asList("x", null)));
    assertRefused(FieldType.array(FieldType.STRING), "[null]", "null within a value");
    assertThat(
        parse(FieldType.map(FieldType.STRING, FieldType.INT32), "{\"a\":1}"),
        equalTo(Map.of("a", 1)));
    Schema point = Schema.builder().addDoubleField("x").addNullableDoubleField("y").build();
    assertThat(
        parse(FieldType.row(point), "{\"x\":1.5}"),
        equalTo(Row.withSchema(point).addValues(1.5, null).build()));
  }

  @Test
  public void constrainedTypesCheckTheirValues() throws Exception {
    EnumerationType status = EnumerationType.create("new", "paid");
    FieldType enumeration = FieldType.logicalType(status);
    assertThat(parse(enumeration, "\"paid\""), equalTo(status.valueOf("paid")));
    assertRefused(enumeration, "\"lost\"", "the enumeration does not have this value");
    FieldType code = FieldType.logicalType(VariableString.of(2));
    assertThat(parse(code, "\"ab\""), is("ab"));
    assertRefused(code, "\"abc\"", "the value does not fit");
  }

  @Test
  public void unavailableValuesAreRecognizedInAllForms() throws Exception {
    String placeholder = "__debezium_unavailable_value";
    byte[] bytes = placeholder.getBytes(UTF_8);
    UnavailableValue unavailable = new UnavailableValue(placeholder);
    String base64 = Base64.getEncoder().encodeToString(bytes);
    List<String> forms =
        List.of(
            "\"" + placeholder + "\"",
            "[\"" + placeholder + "\"]",
            "[\"" + UUID.nameUUIDFromBytes(bytes) + "\"]",
            Arrays.toString(bytes),
            "{\"" + placeholder + "\":\"" + placeholder + "\"}");
    for (String form : forms) {
      assertThat(form, unavailable.matches(json(form), false), is(true));
    }
    assertThat(unavailable.matches(json("\"" + base64 + "\""), true), is(true));
    assertThat(unavailable.matches(json("\"" + base64 + "\""), false), is(false));
    for (String form : List.of("\"x\"", "[]", "[\"x\"]", "[95]", "{}", "1", "null")) {
      assertThat(form, unavailable.matches(json(form), true), is(false));
    }
  }

  private static Object parse(FieldType type, String json) throws Exception {
    return parse(type, json, MICROS);
  }

  private static Object parse(FieldType type, String json, Encoding encoding) throws Exception {
    return ValueParser.of(type).parse(json(json), encoding);
  }

  private static void assertRefused(FieldType type, String json, String reason) {
    assertRefused(type, json, MICROS, reason);
  }

  private static void assertRefused(FieldType type, String json, Encoding encoding, String reason) {
    assertThat(
        assertThrows(UnparsableChangeException.class, () -> parse(type, json, encoding))
            .getMessage(),
        containsString(reason));
  }

  private static JsonNode json(String text) throws Exception {
    return DebeziumFixtures.MAPPER.readTree(text);
  }
}
