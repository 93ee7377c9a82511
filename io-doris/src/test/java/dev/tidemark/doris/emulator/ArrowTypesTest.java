package dev.tidemark.doris.emulator;

import static dev.tidemark.doris.emulator.ArrowTestBodies.field;
import static dev.tidemark.doris.emulator.ArrowTestBodies.int64;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;

import dev.tidemark.doris.emulator.WireTestClient.Answer;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.junit.Test;

/** What each type of a column takes of Arrow, and what it refuses. */
public class ArrowTypesTest extends EmulatorTestBase {

  private static final ArrowType UTF8 = ArrowType.Utf8.INSTANCE;

  @Test
  public void booleansAndIntegers() throws Exception {
    start();
    assertThat(
        loaded(
            "BOOLEAN", field("c", ArrowType.Bool.INSTANCE), set(BitVector.class, v -> v.set(0, 1))),
        is(true));
    assertThat(
        loaded("TINYINT", field("c", integer(8)), set(TinyIntVector.class, v -> v.set(0, -128))),
        is(-128L));
    assertThat(
        loaded("SMALLINT", field("c", integer(16)), set(SmallIntVector.class, v -> v.set(0, 1000))),
        is(1000L));
    assertThat(
        loaded("INT", field("c", integer(32)), set(IntVector.class, v -> v.set(0, 100_000))),
        is(100_000L));
    assertThat(
        loaded(
            "BIGINT", field("c", int64()), set(BigIntVector.class, v -> v.set(0, Long.MIN_VALUE))),
        is(Long.MIN_VALUE));
    assertThat(
        loaded("LARGEINT", field("c", UTF8), text("-170141183460469231731687303715884105728")),
        is(BigInteger.ONE.shiftLeft(127).negate()));
  }

  @Test
  public void integersOfOtherWidthsAreRefused() throws Exception {
    start();
    refused("INT", field("c", int64()), set(BigIntVector.class, v -> v.set(0, 1)), "Send Int32");
    refused(
        "BIGINT", field("c", integer(32)), set(IntVector.class, v -> v.set(0, 1)), "Send Int64");
    refused(
        "INT",
        field("c", new ArrowType.Int(32, false)),
        set(UInt4Vector.class, v -> v.set(0, 1)),
        "Send Int32");
    refused(
        "LARGEINT", field("c", int64()), set(BigIntVector.class, v -> v.set(0, 1)), "Send Utf8");
    refused("LARGEINT", field("c", UTF8), text(""), "no number");
    refused(
        "BOOLEAN", field("c", integer(8)), set(TinyIntVector.class, v -> v.set(0, 1)), "Send Bool");
  }

  @Test
  public void floats() throws Exception {
    start();
    Field single = field("c", new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE));
    Field twice = field("c", new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE));
    assertThat(
        loaded("FLOAT", single, set(Float4Vector.class, v -> v.set(0, Float.NaN))), is(Float.NaN));
    assertThat(
        loaded("DOUBLE", twice, set(Float8Vector.class, v -> v.set(0, Double.NEGATIVE_INFINITY))),
        is(Double.NEGATIVE_INFINITY));
    refused("FLOAT", twice, set(Float8Vector.class, v -> v.set(0, 1)), "Send Float32");
    refused("DOUBLE", single, set(Float4Vector.class, v -> v.set(0, 1)), "Send Float64");
  }

  @Test
  public void decimals() throws Exception {
    start();
    Field scale2 = field("c", new ArrowType.Decimal(38, 2, 128));
    Consumer<FieldVector> value =
        set(DecimalVector.class, v -> v.set(0, new BigDecimal("-1234567.89")));
    assertThat(loaded("DECIMAL(9, 2)", scale2, value), is(new BigDecimal("-1234567.89")));
    refused("DECIMAL(9, 3)", scale2, value, "Send scale 3");
    refused("DECIMAL(8, 2)", scale2, value, "wrap around");
    refused("DECIMAL(50, 2)", scale2, value, "Send Decimal256");
    refused("DECIMAL(9, 2)", field("c", UTF8), text("1.00"), "Send Decimal128");
    BigDecimal wide = new BigDecimal("9".repeat(48) + ".99");
    assertThat(
        loaded(
            "DECIMAL(50, 2)",
            field("c", new ArrowType.Decimal(50, 2, 256)),
            set(Decimal256Vector.class, v -> v.set(0, wide))),
        is(wide));
  }

  @Test
  public void dates() throws Exception {
    start();
    assertThat(
        loaded(
            "DATE",
            field("c", new ArrowType.Date(DateUnit.DAY)),
            set(DateDayVector.class, v -> v.set(0, -1))),
        is(LocalDate.of(1969, 12, 31)));
    refused(
        "DATE",
        field("c", new ArrowType.Date(DateUnit.MILLISECOND)),
        set(DateMilliVector.class, v -> v.set(0, 0)),
        "Send Date32");
  }

  @Test
  public void timesAsTheyStand() throws Exception {
    start();
    LocalDateTime time = LocalDateTime.parse("1969-07-20T20:17:40.123456");
    long micros = time.toEpochSecond(ZoneOffset.UTC) * 1_000_000 + 123_456;
    assertThat(loaded("DATETIME(6)", time(TimeUnit.MICROSECOND, null), instant(micros)), is(time));
    assertThat(
        loaded("DATETIME(3)", time(TimeUnit.MICROSECOND, null), instant(micros)),
        is(LocalDateTime.parse("1969-07-20T20:17:40.123")));
    assertThat(
        loaded("DATETIME", time(TimeUnit.NANOSECOND, null), instant(999_999_999)),
        is(LocalDateTime.parse("1970-01-01T00:00:00")));
    assertThat(
        loaded("DATETIME", time(TimeUnit.SECOND, null), instant(1)),
        is(LocalDateTime.parse("1970-01-01T00:00:01")));
    assertThat(
        loaded("DATETIME(3)", time(TimeUnit.MILLISECOND, "UTC"), instant(1)),
        is(LocalDateTime.parse("1970-01-01T08:00:00.001")));
  }

  @Test
  public void timesEightHoursOff() throws Exception {
    start(DorisEmulator.builder().datetimeBehaviour(DatetimeBehaviour.LEGACY_PLUS_8));
    assertThat(
        loaded("DATETIME(3)", time(TimeUnit.MILLISECOND, null), instant(1)),
        is(LocalDateTime.parse("1970-01-01T08:00:00.001")));
    refused("DATETIME", time(TimeUnit.SECOND, null), instant(-1), "before 1970");
  }

  @Test
  public void timesOfOtherTypesFailAsInDoris() throws Exception {
    start();
    Answer answer =
        load("DATETIME", field("c", int64()), set(BigIntVector.class, v -> v.set(0, 1)));
    assertThat(
        answer.text("Message"),
        containsString("not support convert to datetimev2 from arrow type"));
    assertThat(doris().violations(), is(empty()));
  }

  @Test
  public void texts() throws Exception {
    start();
    byte[] noText = {(byte) 0xff, 0};
    assertThat(loaded("STRING", field("c", UTF8), text("zwölf")), is("zwölf"));
    assertThat(
        loaded(
            "VARCHAR(5)",
            field("c", ArrowType.Binary.INSTANCE),
            set(VarBinaryVector.class, v -> v.setSafe(0, noText))),
        is(ByteBuffer.wrap(noText)));
    refused(
        "STRING",
        field("c", ArrowType.LargeUtf8.INSTANCE),
        set(LargeVarCharVector.class, v -> v.setSafe(0, "a".getBytes(StandardCharsets.UTF_8))),
        "Send Utf8");
  }

  @Test
  public void textsThatAreTooLongAreFiltered() throws Exception {
    start();
    Answer answer = load("VARCHAR(5)", field("c", UTF8), text("zwölfe"));
    assertThat(answer.text("Message"), containsString("too many filtered rows"));
    assertThat(answer.text("FirstErrorMsg"), containsString("schema length: 5; actual length: 7"));
  }

  @Test
  public void jsonDependsOnTheVersion() throws Exception {
    start();
    refused("JSON", field("c", UTF8), text("{}"), "STRING column");
    close();
    start(DorisEmulator.builder().jsonOverArrow(true));
    assertThat(loaded("JSON", field("c", UTF8), text("{\"a\": 1}")), is("{\"a\":1}"));
    refused("VARIANT", field("c", UTF8), text("{"), "is not JSON");
  }

  @Test
  public void arrays() throws Exception {
    start();
    Field ints = field("c", ArrowType.List.INSTANCE, field("item", integer(32)));
    Consumer<FieldVector> fill =
        vector -> {
          ListVector lists = (ListVector) vector;
          lists.startNewValue(0);
          IntVector data = (IntVector) lists.getDataVector();
          data.allocateNew();
          data.set(0, 1);
          data.setNull(1);
          data.setValueCount(2);
          lists.endValue(0, 2);
        };
    assertThat(loaded("ARRAY<INT>", ints, fill), is(Arrays.asList(1L, null)));
    refused("ARRAY<BIGINT>", ints, fill, "Send Int64");
    refused("STRING", ints, fill, "Send Utf8");
    Field large = field("c", ArrowType.LargeList.INSTANCE, field("item", integer(32)));
    refused("ARRAY<INT>", large, vector -> {}, "Send List");
  }

  @Test
  public void mapsAndStructs() throws Exception {
    start();
    Field entries =
        new Field(
            "entries",
            FieldType.notNullable(ArrowType.Struct.INSTANCE),
            List.of(new Field("key", FieldType.notNullable(UTF8), null), field("value", int64())));
    Field map = field("c", new ArrowType.Map(false), entries);
    Consumer<FieldVector> fill =
        vector -> {
          MapVector maps = (MapVector) vector;
          maps.startNewValue(0);
          StructVector pairs = (StructVector) maps.getDataVector();
          pairs
              .getChild("key", VarCharVector.class)
              .setSafe(0, "k".getBytes(StandardCharsets.UTF_8));
          pairs.getChild("value", BigIntVector.class).setSafe(0, 5);
          pairs.setIndexDefined(0);
          pairs.setValueCount(1);
          maps.endValue(0, 1);
        };
    assertThat(loaded("MAP<STRING,BIGINT>", map, fill), is(Map.of("k", 5L)));
    Field struct = field("c", ArrowType.Struct.INSTANCE, field("a", int64()));
    Consumer<FieldVector> fillStruct =
        vector -> {
          StructVector structs = (StructVector) vector;
          structs.setIndexDefined(0);
          structs.getChild("a", BigIntVector.class).setSafe(0, 6);
        };
    assertThat(loaded("STRUCT<a:BIGINT>", struct, fillStruct), is(Map.of("a", 6L)));
    refused("STRUCT<a:BIGINT,b:INT>", struct, fillStruct, "a Struct of 2 fields");
  }

  @Test
  public void nullsAndTypesThatCannotBeLoaded() throws Exception {
    start();
    assertThat(loaded("INT", field("c", integer(32)), vector -> {}), is((Object) null));
    refused("BITMAP", field("c", UTF8), text("1"), "cannot be loaded from Arrow");
  }

  private static ArrowType integer(int bits) {
    return new ArrowType.Int(bits, true);
  }

  private static Field time(TimeUnit unit, @Nullable String zone) {
    return field("c", new ArrowType.Timestamp(unit, zone));
  }

  private static Consumer<FieldVector> instant(long value) {
    return set(TimeStampVector.class, v -> v.set(0, value));
  }

  private static Consumer<FieldVector> text(String text) {
    return set(VarCharVector.class, v -> v.setSafe(0, text.getBytes(StandardCharsets.UTF_8)));
  }

  private static <V> Consumer<FieldVector> set(Class<V> type, Consumer<V> fill) {
    return vector -> fill.accept(type.cast(vector));
  }

  /** What a column of a type has after a load of one value, which must be right. */
  private @Nullable Object loaded(String type, Field field, Consumer<FieldVector> fill)
      throws IOException {
    Answer answer = load(type, field, fill);
    assertThat(answer.body(), answer.text("Status"), is("Success"));
    assertThat(doris().rows("db", "typed"), hasSize(1));
    return doris().rows("db", "typed").get(0).get("c");
  }

  private void refused(String type, Field field, Consumer<FieldVector> fill, String remedy)
      throws IOException {
    int before = doris().violations().size();
    Answer answer = load(type, field, fill);
    assertThat(answer.text("Status"), is("Fail"));
    assertThat(answer.text("Message"), allOf(containsString("db.typed.c"), containsString(remedy)));
    assertThat(doris().violations(), hasSize(before + 1));
    assertThat(doris().rows("db", "typed"), is(empty()));
  }

  private Answer load(String type, Field field, Consumer<FieldVector> fill) throws IOException {
    WireTestClient.get(doris().frontend(), query("DROP TABLE IF EXISTS db.typed"));
    doris().createTable("CREATE TABLE db.typed (id BIGINT, c " + type + ") UNIQUE KEY(id)");
    byte[] body =
        ArrowTestBodies.stream(
            new Schema(List.of(field("id", int64()), field)),
            1,
            (column, vector) -> {
              if (column == 0) {
                ((BigIntVector) vector).set(0, 1);
              } else {
                fill.accept(vector);
              }
            });
    return WireTestClient.load(
        backend(), WireTestClient.loadHead("db", "typed", "format: arrow", "columns: id,c"), body);
  }

  private static String query(String statement) {
    String body = "{\"stmt\": \"" + statement + "\"}";
    return "POST /api/query/default_cluster/db HTTP/1.1\r\n"
        + WireTestClient.authorization("root", "")
        + "Content-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }
}
