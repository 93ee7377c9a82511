package dev.tidemark.arrow;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.Assert.assertThrows;

import dev.tidemark.arrow.testing.RandomColumns;
import java.util.List;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.logicaltypes.FixedPrecisionNumeric;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class ArrowSchemasTest {

  @Test
  public void eachTypeHasItsColumn() {
    assertThat(
        ArrowSchemas.of(RandomColumns.allTypes()).getFields().stream()
            .map(Field::toString)
            .toList(),
        contains(
            "leaf0: Int(8, true)",
            "leaf1: Int(16, true)",
            "leaf2: Int(32, true)",
            "leaf3: Int(64, true)",
            "leaf4: FloatingPoint(SINGLE)",
            "leaf5: FloatingPoint(DOUBLE)",
            "leaf6: Decimal(20, 4, 128)",
            "leaf7: Bool",
            "leaf8: Utf8",
            "leaf9: Binary",
            "leaf10: Timestamp(MILLISECOND, UTC)",
            "leaf11: Decimal(9, 2, 128)",
            "leaf12: Decimal(38, 10, 128)",
            "leaf13: Decimal(60, 0, 256)",
            "leaf14: Date(DAY)",
            "leaf15: Time(MICROSECOND, 64)",
            "leaf16: Timestamp(MICROSECOND, null)",
            "leaf17: Timestamp(MICROSECOND, UTC)",
            "leaf18: Timestamp(NANOSECOND, UTC)",
            "leaf19: Struct<seconds: Int(64, true) not null, nanos: Int(32, true) not null>",
            "leaf20: Timestamp(SECOND, UTC)",
            "leaf21: Timestamp(MILLISECOND, UTC)",
            "leaf22: Timestamp(NANOSECOND, UTC)",
            "leaf23: FixedSizeBinary(16)",
            "leaf24: Utf8",
            "leaf25: Struct<number: Int(64, true), text: Utf8>",
            "leaf26: FixedSizeBinary(3)",
            "leaf27: Binary",
            "leaf28: Utf8",
            "leaf29: Utf8",
            "row: Struct<required: Int(64, true) not null, text: Utf8, numbers: List<element:"
                + " Int(32, true)>>",
            "rows: List<element: Struct<required: Int(64, true) not null, text: Utf8, numbers:"
                + " List<element: Int(32, true)>>> not null",
            "texts: List<element: Utf8 not null>",
            "map: Map(false)<entries: Struct<key: Utf8 not null, value: Struct<required:"
                + " Int(64, true) not null, text: Utf8, numbers: List<element: Int(32, true)>>>"
                + " not null>"));
  }

  @Test
  public void columnsBecomeTypesThatBecomeTheSameColumns() {
    org.apache.arrow.vector.types.pojo.Schema columns = ArrowSchemas.of(RandomColumns.allTypes());

    assertThat(ArrowSchemas.of(ArrowSchemas.toBeam(columns)), equalTo(columns));
  }

  @Test
  public void decimalWithoutScaleIsRefused() {
    Schema nested =
        Schema.builder()
            .addField("price", Schema.FieldType.array(Schema.FieldType.DECIMAL))
            .build();
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> ArrowSchemas.of(Schema.builder().addRowField("order", nested).build()));

    assertThat(
        e.getMessage(),
        equalTo(
            "Cannot map column order.price.element: DECIMAL has no precision and scale of its own."
                + " Declare it as FixedPrecisionNumeric.of(precision, scale), or give the field the"
                + " options tidemark.decimal.precision and tidemark.decimal.scale"));
  }

  @Test
  public void decimalOfTooManyDigitsIsRefused() {
    Schema schema =
        Schema.builder()
            .addField("wide", Schema.FieldType.logicalType(FixedPrecisionNumeric.of(77, 0)))
            .build();

    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> ArrowSchemas.of(schema));

    assertThat(
        e.getMessage(), containsString("Cannot map column wide: precision 77 and scale 0 (must"));
  }

  private static void assertRefused(ArrowType type, Field... children) {
    Field column = new Field("c", FieldType.nullable(type), List.of(children));
    assertRefused(column, type.toString());
  }

  private static void assertRefused(Field column, String type) {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                ArrowSchemas.toBeam(
                    new org.apache.arrow.vector.types.pojo.Schema(List.of(column))));
    assertThat(
        e.getMessage(), containsString("Cannot read column c: rows do not hold " + type + ". "));
  }

  @Test
  public void columnsThatRowsDoNotHoldAreRefused() {
    assertRefused(new ArrowType.Int(32, false));
    assertRefused(new ArrowType.FloatingPoint(FloatingPointPrecision.HALF));
    assertRefused(new ArrowType.LargeUtf8());
    assertRefused(new ArrowType.LargeBinary());
    assertRefused(new ArrowType.Utf8View());
    assertRefused(new ArrowType.Null());
    assertRefused(new ArrowType.Date(DateUnit.MILLISECOND));
    assertRefused(
        new ArrowType.LargeList(), Field.nullable("element", new ArrowType.Int(32, true)));
    assertRefused(
        new ArrowType.FixedSizeList(2), Field.nullable("element", new ArrowType.Int(32, true)));
  }

  @Test
  public void dictionaryIsRefused() {
    Field column =
        new Field(
            "c",
            new FieldType(true, ArrowType.Utf8.INSTANCE, new DictionaryEncoding(1, false, null)),
            List.of());

    assertRefused(column, "dictionary of Utf8");
  }
}
