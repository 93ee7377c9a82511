package dev.tidemark.upsert;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableMap;
import com.google.common.io.BaseEncoding;
import java.time.LocalDateTime;
import java.util.List;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.PassThroughLogicalType;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.util.SerializableUtils;
import org.apache.beam.sdk.values.Row;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class KeyEncodingTest {
  private static final double OTHER_NAN = Double.longBitsToDouble(0x7ff8000000000001L);
  private static final FieldType FLOAT_ROW =
      FieldType.row(Schema.builder().addInt32Field("a").addDoubleField("b").build());
  private static final Schema SCHEMA =
      Schema.builder()
          .addNullableField("id", FieldType.INT16)
          .addNullableField("name", FieldType.STRING)
          .addNullableField("d", FieldType.DOUBLE)
          .addNullableField("f", FieldType.FLOAT)
          .build();

  @Test
  public void keyIsThatOfARowOfItsColumns() {
    Row row = row((short) 1, "a", 0.0, 0.0f);
    assertThat(hex(KeyEncoding.ofSinkKey(SCHEMA, List.of("id", "name")), row), is("0000010161"));
    assertThat(hex(KeyEncoding.ofSinkKey(SCHEMA, List.of("name", "id")), row), is("0001610001"));
    assertThat(hex(KeyEncoding.ofUpsertKey(SCHEMA, List.of("name")), row), is("000161"));
  }

  @Test
  public void nullsAreOrdinaryValues() {
    KeyEncoding key = KeyEncoding.ofSinkKey(SCHEMA, List.of("id", "name"));
    assertThat(hex(key, row(null, "", 1.0, 1f)), is("0100"));
    assertThat(hex(key, row((short) 0, null, 1.0, 1f)), is("020000"));
    assertThat(hex(key, row(null, null, 1.0, 1f)), is("03"));
  }

  @Test
  public void numbersOfSinkKeysAreTheirBits() {
    KeyEncoding key = KeyEncoding.ofSinkKey(SCHEMA, List.of("d"));
    assertThat(key.isFloatKey(), is(false));
    assertThat(hex(key, row(null, null, 0.0, 0f)), is("000000000000000000"));
    assertThat(hex(key, row(null, null, -0.0, 0f)), is("008000000000000000"));
    assertThat(hex(key, row(null, null, OTHER_NAN, 0f)), is("007ff8000000000001"));
  }

  @Test
  public void numbersOfUpsertKeysHaveBothForms() {
    KeyEncoding key = KeyEncoding.ofUpsertKey(SCHEMA, List.of("d", "f"));
    assertThat(key.isFloatKey(), is(true));
    assertThat(
        hex(key, row(null, null, -0.0, -0.0f)),
        is("00" + "0d" + "00000000000000000000000000" + "00800000000000000080000000"));
    assertThat(
        hex(key, row(null, null, 1.0, null)),
        is("00" + "09" + "023ff0000000000000" + "023ff0000000000000"));
    assertThat(
        hex(key, row(null, null, OTHER_NAN, null)),
        is("01" + "09" + "027ff8000000000001" + "027ff8000000000001"));
    assertThat(
        hex(key, row(null, null, null, Float.NaN)), is("01" + "05" + "017fc00000" + "017fc00000"));
  }

  @Test
  public void upsertKeyWithoutNumbersHasOneForm() {
    assertThat(KeyEncoding.ofUpsertKey(SCHEMA, List.of("id", "name")).isFloatKey(), is(false));
  }

  @Test
  public void logicalNumbersOfUpsertKeysHaveBothForms() {
    Schema schema = Schema.builder().addField("c", FieldType.logicalType(new Celsius())).build();
    KeyEncoding key = KeyEncoding.ofUpsertKey(schema, List.of("c"));
    assertThat(key.isFloatKey(), is(true));
    Row zero = Row.withSchema(schema).addValue(-0.0).build();
    assertThat(hex(key, zero), is("00" + "09" + "000000000000000000" + "008000000000000000"));
    Row none = Row.withSchema(schema).addValue(Double.NaN).build();
    assertThat(hex(key, none).substring(0, 4), is("0109"));
  }

  @Test
  public void arraysOfUpsertKeysAreTheirBits() {
    Schema schema = Schema.builder().addArrayField("a", FieldType.DOUBLE).build();
    KeyEncoding key = KeyEncoding.ofUpsertKey(schema, List.of("a"));
    assertThat(key.isFloatKey(), is(false));
    Row zero = Row.withSchema(schema).addArray(0.0).build();
    Row negative = Row.withSchema(schema).addArray(-0.0).build();
    assertThat(hex(key, zero), not(equalTo(hex(key, negative))));
  }

  @Test
  public void timestampsAreUpsertKeys() {
    Schema schema =
        Schema.builder().addField("t", FieldType.logicalType(SqlTypes.DATETIME)).build();
    KeyEncoding key = KeyEncoding.ofUpsertKey(schema, List.of("t"));
    Row row = Row.withSchema(schema).addValue(LocalDateTime.parse("1970-01-02T00:00")).build();
    assertThat(hex(key, row), is("00" + "00" + "0000000000000001" + "0000000000000000"));
  }

  @Test
  public void mapsAreRefusedInUpsertKeys() {
    FieldType map = FieldType.map(FieldType.STRING, FieldType.INT32);
    assertRefused(map, "MAP<STRING, INT32>");
    assertRefused(FieldType.array(map), "ARRAY<MAP<STRING, INT32>>");
    assertRefused(
        FieldType.row(Schema.builder().addField("m", map).build()), "ROW(m MAP<STRING, INT32>)");
  }

  @Test
  public void rowsWithNumbersAreRefusedInUpsertKeys() {
    assertRefused(FLOAT_ROW, "ROW(a INT32, b DOUBLE)");
    assertRefused(
        FieldType.row(Schema.builder().addField("r", FLOAT_ROW).build()),
        "ROW(r ROW(a INT32, b DOUBLE))");
  }

  @Test
  public void rowsWithNumbersInArraysAreUpsertKeys() {
    FieldType type =
        FieldType.row(
            Schema.builder()
                .addInt32Field("a")
                .addArrayField("b", FieldType.DOUBLE)
                .addArrayField("c", FLOAT_ROW)
                .build());
    Schema schema = Schema.builder().addField("r", type).build();
    assertThat(KeyEncoding.ofUpsertKey(schema, List.of("r")).isFloatKey(), is(false));
  }

  @Test
  public void allTypesAreSinkKeys() {
    Schema schema =
        Schema.builder()
            .addField("r", FLOAT_ROW)
            .addMapField("m", FieldType.STRING, FieldType.BYTE)
            .build();
    KeyEncoding key = KeyEncoding.ofSinkKey(schema, List.of("m"));
    Row row =
        Row.withSchema(schema)
            .attachValues(
                Row.withSchema(FLOAT_ROW.getRowSchema()).addValues(1, 2.0).build(),
                ImmutableMap.of("b", (byte) 2, "a", (byte) 1));
    assertThat(hex(key, row), is("00" + "02" + "0001610001" + "0001620002"));
    assertThat(
        hex(key.withMapOrder(MapOrder.AS_GIVEN), row),
        is("00" + "02" + "0001620002" + "0001610001"));
  }

  @Test
  public void noColumnsAreRefused() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> KeyEncoding.ofSinkKey(SCHEMA, List.of()));
    assertThat(e.getMessage(), is("Invalid sink key: no columns (must be one or more)"));
  }

  @Test
  public void columnGivenTwiceIsRefused() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> KeyEncoding.ofUpsertKey(SCHEMA, List.of("id", "id")));
    assertThat(e.getMessage(), is("Invalid upsert key: [id, id] (must not have a column twice)"));
  }

  @Test
  public void unknownColumnIsRefused() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> KeyEncoding.ofSinkKey(SCHEMA, List.of("id", "nme")));
    assertThat(
        e.getMessage(), is("Invalid sink key: no column nme (must be among [id, name, d, f])"));
  }

  @Test
  public void copyBySerializationGivesTheSameBytes() {
    Row row = row((short) 1, "a", -0.0, 0.0f);
    KeyEncoding key = KeyEncoding.ofUpsertKey(SCHEMA, List.of("d", "id"));
    assertThat(hex(SerializableUtils.clone(key), row), equalTo(hex(key, row)));
  }

  @Test
  public void descriptionHasKindColumnsAndTypes() {
    assertThat(
        KeyEncoding.ofSinkKey(SCHEMA, List.of("id", "name")).description(),
        is("sink key:1:SORTED:(id INT16, name STRING)"));
    assertThat(
        KeyEncoding.ofUpsertKey(SCHEMA, List.of("d")).withMapOrder(MapOrder.AS_GIVEN).description(),
        is("upsert key:1:AS_GIVEN:(d DOUBLE)"));
  }

  private static void assertRefused(FieldType type, String typeText) {
    Schema schema = Schema.builder().addField("u", type).build();
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> KeyEncoding.ofUpsertKey(schema, List.of("u")));
    assertThat(
        e.getMessage(),
        containsString("Cannot use column u of type " + typeText + " in an upsert key: "));
    assertThat(e.getMessage(), containsString("Use columns of the types BYTE, INT16"));
  }

  private static String hex(KeyEncoding encoding, Row row) {
    return BaseEncoding.base16().lowerCase().encode(encoding.encode(row));
  }

  private static Row row(Object... values) {
    return Row.withSchema(SCHEMA).addValues(values).build();
  }

  private static final class Celsius extends PassThroughLogicalType<Double> {
    private Celsius() {
      super("celsius", FieldType.STRING, "", FieldType.DOUBLE);
    }
  }
}
