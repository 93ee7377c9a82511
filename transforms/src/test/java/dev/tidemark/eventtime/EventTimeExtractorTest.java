package dev.tidemark.eventtime;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.junit.Assert.assertThrows;

import java.io.Serializable;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.MicrosInstant;
import org.apache.beam.sdk.schemas.logicaltypes.NanosInstant;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.schemas.logicaltypes.Timestamp;
import org.apache.beam.sdk.schemas.logicaltypes.VariableString;
import org.apache.beam.sdk.util.SerializableUtils;
import org.apache.beam.sdk.values.Row;
import org.joda.time.Duration;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class EventTimeExtractorTest {
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
  private static final Instant TIME = Instant.parse("2026-03-04T05:06:07.089Z");
  private static final long MILLIS = TIME.toEpochMilli();
  private static final EventTimeExtractor AT = EventTimeExtractor.column("at").withClock(CLOCK);
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @Test
  public void longsCountTheirUnitRoundedDown() {
    assertThat(read(AT, FieldType.INT64, MILLIS), is(MILLIS));
    assertThat(read(AT.withUnit(EventTimeUnit.MILLIS), FieldType.INT64, MILLIS), is(MILLIS));
    assertThat(
        read(AT.withUnit(EventTimeUnit.MICROS), FieldType.INT64, MILLIS * 1000 + 999), is(MILLIS));
    assertThat(
        read(AT.withUnit(EventTimeUnit.NANOS), FieldType.INT64, MILLIS * 1_000_000 + 999_999),
        is(MILLIS));
    assertThat(
        read(AT.withUnit(EventTimeUnit.SECONDS), FieldType.INT64, TIME.getEpochSecond()),
        is(TIME.getEpochSecond() * 1000));
    EventTimeExtractor old = AT.withRange(Duration.standardDays(36_500), Duration.ZERO);
    assertThat(read(old.withUnit(EventTimeUnit.MICROS), FieldType.INT64, -1L), is(-1L));
  }

  @Test
  public void extremesOfLongAreOutOfRangeInEveryUnit() {
    EventTimeExtractor unlimited =
        AT.withRange(Duration.millis(Long.MAX_VALUE), Duration.millis(Long.MAX_VALUE));
    for (EventTimeUnit unit : new EventTimeUnit[] {EventTimeUnit.SECONDS, EventTimeUnit.MILLIS}) {
      EventTimeExtractor extractor = unlimited.withUnit(unit);
      assertThat(read(extractor, FieldType.INT64, Long.MAX_VALUE), is(EventTimeExtractor.FUTURE));
      assertThat(read(extractor, FieldType.INT64, Long.MIN_VALUE), is(EventTimeExtractor.PAST));
      assertThat(read(extractor, FieldType.INT64, Long.MIN_VALUE + 1), is(EventTimeExtractor.PAST));
    }
  }

  @Test
  public void intsHoldSecondsOnly() {
    EventTimeExtractor seconds = AT.withUnit(EventTimeUnit.SECONDS);
    assertThat(
        read(seconds, FieldType.INT32, (int) TIME.getEpochSecond()),
        is(TIME.getEpochSecond() * 1000));
    refused(AT, FieldType.INT32, "withUnit(SECONDS)");
    refused(AT.withUnit(EventTimeUnit.MILLIS), FieldType.INT32, "withUnit(SECONDS)");
  }

  @Test
  public void textsFollowIso8601ByDefault() {
    assertThat(read(AT, FieldType.STRING, "2026-03-04T05:06:07.089Z"), is(MILLIS));
    assertThat(read(AT, FieldType.STRING, "2026-03-04T06:06:07.089999+01:00"), is(MILLIS));
    assertThat(read(AT, FieldType.STRING, "2026-03-04 05:06:07,089"), is(MILLIS));
    assertThat(read(AT.withZone(BERLIN), FieldType.STRING, "2026-03-04T06:06:07.089"), is(MILLIS));
    assertThat(
        read(AT, FieldType.STRING, "2026-03-04"),
        is(Instant.parse("2026-03-04T00:00:00Z").toEpochMilli()));
    assertThat(read(AT, FieldType.STRING, "yesterday"), is(EventTimeExtractor.UNPARSABLE));
    assertThat(read(AT, FieldType.STRING, ""), is(EventTimeExtractor.UNPARSABLE));
  }

  @Test
  public void textsFollowAPattern() {
    EventTimeExtractor local = AT.withFormat("dd/MMM/yyyy HH:mm:ss.SSS");
    assertThat(read(local, FieldType.STRING, "04/Mar/2026 05:06:07.089"), is(MILLIS));
    assertThat(
        read(local.withZone(BERLIN), FieldType.STRING, "04/Mar/2026 06:06:07.089"), is(MILLIS));
    assertThat(read(local, FieldType.STRING, "04/03/2026"), is(EventTimeExtractor.UNPARSABLE));
    assertThat(
        read(local, FieldType.STRING, "31/Jun/2026 25:00:00.000"),
        is(EventTimeExtractor.UNPARSABLE));
    assertThat(
        read(
            AT.withFormat("yyyyMMddHHmmss.SSSXX").withZone(BERLIN),
            FieldType.STRING,
            "20260304070607.089+0200"),
        is(MILLIS));
    assertThat(
        read(AT.withFormat("yyyyMMdd"), FieldType.STRING, "20260304"),
        is(Instant.parse("2026-03-04T00:00:00Z").toEpochMilli()));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> AT.withFormat("yyyy-{"));
    assertThat(e.getMessage(), containsString("yyyy-{"));
  }

  @Test
  public void textsHoldNumbersWithAUnit() {
    EventTimeExtractor seconds = AT.withUnit(EventTimeUnit.SECONDS);
    assertThat(
        read(seconds, FieldType.STRING, "" + TIME.getEpochSecond()),
        is(TIME.getEpochSecond() * 1000));
    for (String text : new String[] {"", "-", "12a", " 1", "99999999999999999999", "1.5"}) {
      assertThat(text, read(seconds, FieldType.STRING, text), is(EventTimeExtractor.UNPARSABLE));
    }
    assertThat(read(seconds, FieldType.STRING, "-5"), is(EventTimeExtractor.PAST));
  }

  @Test
  public void instantsOfEveryTypeAreRead() {
    assertThat(
        read(AT, FieldType.DATETIME, org.joda.time.Instant.ofEpochMilli(MILLIS)), is(MILLIS));
    Instant micros = TIME.plusNanos(999_000);
    assertThat(read(AT, FieldType.logicalType(SqlTypes.TIMESTAMP), micros), is(MILLIS));
    assertThat(read(AT, FieldType.logicalType(new MicrosInstant()), micros), is(MILLIS));
    assertThat(
        read(AT, FieldType.logicalType(new NanosInstant()), TIME.plusNanos(999_999)), is(MILLIS));
    assertThat(read(AT, FieldType.logicalType(Timestamp.MILLIS), TIME), is(MILLIS));
    assertThat(read(AT, FieldType.logicalType(VariableString.of(40)), TIME.toString()), is(MILLIS));
  }

  @Test
  public void localTimesAndDatesFollowTheZone() {
    FieldType dateTime = FieldType.logicalType(SqlTypes.DATETIME);
    FieldType date = FieldType.logicalType(SqlTypes.DATE);
    assertThat(read(AT, dateTime, LocalDateTime.ofInstant(TIME, ZoneOffset.UTC)), is(MILLIS));
    assertThat(
        read(AT.withZone(BERLIN), dateTime, LocalDateTime.ofInstant(TIME, BERLIN)), is(MILLIS));
    assertThat(
        read(AT.withZone(BERLIN), date, LocalDate.of(2026, 7, 1)),
        is(Instant.parse("2026-06-30T22:00:00Z").toEpochMilli()));
    assertThat(
        read(AT.withZone(ZoneId.of("Asia/Kathmandu")), date, LocalDate.of(2026, 7, 1)),
        is(Instant.parse("2026-06-30T18:15:00Z").toEpochMilli()));
  }

  @Test
  public void skippedLocalTimesMoveForwardAndDoubledOnesAreTheEarlier() {
    EventTimeExtractor berlin = AT.withZone(BERLIN);
    FieldType dateTime = FieldType.logicalType(SqlTypes.DATETIME);
    long skipped = Instant.parse("2026-03-29T01:30:00Z").toEpochMilli();
    assertThat(read(berlin, dateTime, LocalDateTime.of(2026, 3, 29, 2, 30)), is(skipped));
    assertThat(read(berlin, FieldType.STRING, "2026-03-29T02:30"), is(skipped));
    long doubled = Instant.parse("2026-10-25T00:30:00Z").toEpochMilli();
    assertThat(read(berlin, dateTime, LocalDateTime.of(2026, 10, 25, 2, 30)), is(doubled));
    assertThat(
        read(berlin.withFormat("yyyy-MM-dd HH:mm"), FieldType.STRING, "2026-10-25 02:30"),
        is(doubled));
    // Sao Paulo skipped midnight when summer time began.
    EventTimeExtractor saoPaulo = AT.withZone(ZoneId.of("America/Sao_Paulo"));
    assertThat(
        read(saoPaulo, FieldType.logicalType(SqlTypes.DATE), LocalDate.of(2018, 11, 4)),
        is(Instant.parse("2018-11-04T03:00:00Z").toEpochMilli()));
  }

  @Test
  public void nestedColumnsAreFoundAndNullParentsAreNull() {
    Schema inner = Schema.builder().addNullableField("at", FieldType.INT64).build();
    Schema middle = Schema.builder().addNullableField("inner", FieldType.row(inner)).build();
    Schema schema =
        Schema.builder().addStringField("id").addNullableField("m", FieldType.row(middle)).build();
    EventTimeExtractor.Bound bound =
        EventTimeExtractor.column("m.inner.at").withClock(CLOCK).bind(schema);
    Row innerRow = Row.withSchema(inner).addValue(MILLIS).build();
    Row middleRow = Row.withSchema(middle).addValue(innerRow).build();
    Row noInner = Row.withSchema(middle).addValue(null).build();
    assertThat(bound.extract(Row.withSchema(schema).addValues("a", middleRow).build()), is(MILLIS));
    assertThat(
        bound.extract(Row.withSchema(schema).addValues("a", noInner).build()),
        is(EventTimeExtractor.NULL));
    assertThat(
        bound.extract(Row.withSchema(schema).addValues("a", null).build()),
        is(EventTimeExtractor.NULL));
  }

  @Test
  public void missingColumnsAreRefusedWithThoseThereAre() {
    Schema inner = Schema.builder().addInt64Field("ts").build();
    Schema schema = Schema.builder().addInt64Field("id").addRowField("in", inner).build();
    assertThat(unbound("at", schema), containsString("there is no \"at\" among [id, in]"));
    assertThat(unbound("in.at", schema), containsString("there is no \"at\" among [ts]"));
    assertThat(unbound("id.at", schema), containsString("\"id\" is INT64, not a row"));
    for (String path : new String[] {"", ".", "a.", "a..b"}) {
      assertThrows(IllegalArgumentException.class, () -> EventTimeExtractor.column(path));
    }
  }

  @Test
  public void unusableTypesAreRefusedByName() {
    refused(AT, FieldType.BOOLEAN, "BOOLEAN");
    refused(AT, FieldType.DOUBLE, "DOUBLE");
    refused(AT, FieldType.array(FieldType.INT64), "ARRAY");
    refused(AT, FieldType.logicalType(SqlTypes.TIME), SqlTypes.TIME.getIdentifier());
    refused(AT.withUnit(EventTimeUnit.MILLIS), FieldType.DATETIME, "a unit applies to numbers");
    refused(AT.withFormat("yyyy"), FieldType.INT64, "a format applies to STRING");
    refused(AT.withFormat("yyyy").withUnit(EventTimeUnit.MILLIS), FieldType.STRING, "exclude each");
  }

  @Test
  public void nullIsCountedOrRejected() {
    assertThat(read(AT, FieldType.INT64, null), is(EventTimeExtractor.NULL));
    assertThat(EventTimeExtractor.isEventTime(EventTimeExtractor.NULL), is(false));
    MissingEventTimeException e =
        assertThrows(
            MissingEventTimeException.class,
            () -> read(AT.withNullPolicy(NullPolicy.REJECT), FieldType.INT64, null));
    assertThat(e.getMessage(), containsString("column at"));
  }

  @Test
  public void rangeIncludesBothEnds() {
    EventTimeExtractor extractor = AT.withRange(Duration.millis(100), Duration.millis(10));
    long now = NOW.toEpochMilli();
    assertThat(read(extractor, FieldType.INT64, now - 100), is(now - 100));
    assertThat(read(extractor, FieldType.INT64, now - 101), is(EventTimeExtractor.PAST));
    assertThat(read(extractor, FieldType.INT64, now + 10), is(now + 10));
    assertThat(read(extractor, FieldType.INT64, now + 11), is(EventTimeExtractor.FUTURE));
    assertThrows(
        IllegalArgumentException.class, () -> AT.withRange(Duration.millis(-1), Duration.ZERO));
  }

  @Test
  public void epochAndFarFutureAreOutOfRangeByDefault() {
    assertThat(read(AT, FieldType.INT64, 0L), is(EventTimeExtractor.PAST));
    assertThat(read(AT, FieldType.STRING, "2100-01-01T00:00:00Z"), is(EventTimeExtractor.FUTURE));
  }

  @Test
  public void rangeFollowsTheClock() {
    Schema schema = schema(FieldType.INT64);
    EventTimeExtractor.Bound bound =
        AT.withClock(Clock.systemUTC()).withRange(Duration.ZERO, Duration.ZERO).bind(schema);
    long past = System.currentTimeMillis() - 60_000;
    assertThat(
        bound.extract(Row.withSchema(schema).addValue(past).build()), is(EventTimeExtractor.PAST));
  }

  @Test
  public void clockThatMovedNeverRefusesSaneValues() {
    Schema schema = schema(FieldType.INT64);
    SteppingClock clock = new SteppingClock();
    EventTimeExtractor.Bound bound =
        AT.withClock(clock).withRange(Duration.millis(100), Duration.ZERO).bind(schema);
    for (int i = 0; i < 3 * BoundExtractor.ROWS_PER_CLOCK_READING; i++) {
      long now = clock.step();
      assertThat(bound.extract(Row.withSchema(schema).addValue(now).build()), is(now));
    }
  }

  @Test
  public void valueThatLeftTheRangeIsCountedApartWithinTheRowsOfOneReading() {
    Schema schema = schema(FieldType.INT64);
    SteppingClock clock = new SteppingClock();
    EventTimeExtractor.Bound bound =
        AT.withClock(clock).withRange(Duration.millis(100), Duration.ZERO).bind(schema);
    Row row = Row.withSchema(schema).addValue(clock.millis()).build();
    int rows = 0;
    while (bound.extract(row) != EventTimeExtractor.PAST) {
      clock.step();
      rows++;
    }
    assertThat(
        rows, allOf(greaterThan(100), lessThanOrEqualTo(BoundExtractor.ROWS_PER_CLOCK_READING)));
  }

  @Test
  public void extractorAndBoundAreSerializable() {
    EventTimeExtractor extractor = AT.withFormat("yyyy-MM-dd HH:mm").withZone(BERLIN);
    Schema schema = schema(FieldType.STRING);
    Row row = Row.withSchema(schema).addValue("2026-03-04 05:06").build();
    EventTimeExtractor.Bound bound = extractor.bind(schema);
    assertThat(SerializableUtils.clone(extractor), equalTo(extractor));
    assertThat(SerializableUtils.clone(bound).extract(row), is(bound.extract(row)));
  }

  private static Schema schema(FieldType type) {
    return Schema.builder().addNullableField("at", type).build();
  }

  private static long read(EventTimeExtractor extractor, FieldType type, Object value) {
    Schema schema = schema(type);
    return extractor.bind(schema).extract(Row.withSchema(schema).addValue(value).build());
  }

  private static void refused(EventTimeExtractor extractor, FieldType type, String reason) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> extractor.bind(schema(type)));
    assertThat(e.getMessage(), containsString(reason));
    assertThat(e.getMessage(), containsString("column at"));
  }

  private static String unbound(String path, Schema schema) {
    return assertThrows(
            IllegalArgumentException.class, () -> EventTimeExtractor.column(path).bind(schema))
        .getMessage();
  }

  /** A clock that advances by hand. */
  private static final class SteppingClock extends Clock implements Serializable {
    private long millis = NOW.toEpochMilli();

    long step() {
      return ++millis;
    }

    @Override
    public long millis() {
      return millis;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(millis);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException();
    }
  }
}
