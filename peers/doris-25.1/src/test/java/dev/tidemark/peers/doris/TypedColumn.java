package dev.tidemark.peers.doris;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.FixedPrecisionNumeric;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.values.Row;
import org.joda.time.DateTime;

/**
 * A column of a type that both sides send as Arrow, and its values in three rows. Floats have few
 * digits: Flink SQL cuts them when it folds constants.
 *
 * @param sqlType the type in Flink SQL
 * @param dorisType the type in the table
 * @param beamType the type in a row
 * @param sql the values in Flink SQL
 * @param values the same values in a row
 */
record TypedColumn(
    String name,
    String sqlType,
    String dorisType,
    FieldType beamType,
    List<String> sql,
    List<Object> values) {
  private static final Schema STRUCT =
      Schema.builder()
          .addNullableField("a", FieldType.INT32)
          .addNullableField("b", FieldType.STRING)
          .build();

  /** How many rows the columns have; one more is all nulls. */
  static final int ROWS = 3;

  /** All types that both can send. The first row is that of the recorded body. */
  static List<TypedColumn> all() {
    return List.of(
        scalar("c_bool", "BOOLEAN", "BOOLEAN", FieldType.BOOLEAN, true, false, true),
        scalar("c_tiny", "TINYINT", "TINYINT", FieldType.BYTE, (byte) -1, (byte) -128, (byte) 127),
        scalar(
            "c_small",
            "SMALLINT",
            "SMALLINT",
            FieldType.INT16,
            (short) 2,
            Short.MIN_VALUE,
            Short.MAX_VALUE),
        scalar("c_int", "INT", "INT", FieldType.INT32, 3, Integer.MIN_VALUE, Integer.MAX_VALUE),
        scalar(
            "c_big",
            "BIGINT",
            "BIGINT",
            FieldType.INT64,
            4_000_000_000L,
            Long.MIN_VALUE,
            Long.MAX_VALUE),
        scalar("c_float", "FLOAT", "FLOAT", FieldType.FLOAT, 1.5f, -0.1f, 1.0e38f),
        scalar("c_double", "DOUBLE", "DOUBLE", FieldType.DOUBLE, 2.25, -0.1, 1.0e300),
        decimal("c_dec9", 9, 2, "12.34", "-9999999.99", "0.01"),
        decimal(
            "c_dec38",
            38,
            10,
            "1234567890.0123456789",
            "-1234567890123456789012345678.0123456789",
            "0.0000000001"),
        scalar(
            "c_date",
            "DATE",
            "DATE",
            FieldType.logicalType(SqlTypes.DATE),
            LocalDate.parse("2024-02-29"),
            LocalDate.parse("1969-12-31"),
            LocalDate.parse("9999-12-31")),
        timestamp(0, "2024-02-29T01:02:03", "1970-01-01T00:00:00", "2038-01-19T03:14:08"),
        timestamp(
            3, "2024-02-29T01:02:03.456", "1970-01-01T00:00:00.001", "2100-12-31T23:59:59.999"),
        timestamp(
            6,
            "2024-02-29T01:02:03.456789",
            "1970-01-01T00:00:00.000001",
            "2100-12-31T23:59:59.999999"),
        instant("2024-02-29T01:02:03.456", "1970-01-01T00:00:00.001", "2100-12-31T23:59:59.999"),
        scalar("c_char", "CHAR(4)", "CHAR(4)", FieldType.STRING, "ab  ", "wxyz", "    "),
        scalar(
            "c_varchar",
            "VARCHAR(20)",
            "VARCHAR(80)",
            FieldType.STRING,
            "var",
            "",
            "\u00e9\ud83d\ude00"),
        scalar("c_str", "STRING", "STRING", FieldType.STRING, "str", "tab\there", "\u4e2d\u6587"),
        new TypedColumn(
            "c_arr",
            "ARRAY<INT>",
            "ARRAY<INT>",
            FieldType.array(FieldType.INT32.withNullable(true)),
            List.of("ARRAY[1, 2]", "ARRAY[CAST(NULL AS INT), -5]", "ARRAY[7]"),
            List.of(List.of(1, 2), Arrays.asList(null, -5), List.of(7))),
        new TypedColumn(
            "c_row",
            "ROW<a INT, b STRING>",
            "STRUCT<a: INT, b: STRING>",
            FieldType.row(STRUCT),
            List.of("ROW(7, 'x')", "ROW(CAST(NULL AS INT), '')", "ROW(-1, CAST(NULL AS STRING))"),
            List.of(struct(7, "x"), struct(null, ""), struct(-1, null))));
  }

  /** The value in SQL; null in the last row. */
  String sqlIn(int row) {
    return "CAST(" + (row < ROWS ? sql.get(row) : "NULL") + " AS " + sqlType + ")";
  }

  /** The value of a row; null in the last one. */
  Object valueIn(int row) {
    return row < ROWS ? values.get(row) : null;
  }

  private static TypedColumn scalar(
      String name, String sqlType, String dorisType, FieldType beamType, Object... values) {
    return new TypedColumn(
        name,
        sqlType,
        dorisType,
        beamType,
        Arrays.stream(values).map(value -> "'" + value + "'").toList(),
        List.of(values));
  }

  private static TypedColumn decimal(String name, int precision, int scale, String... values) {
    String type = String.format("DECIMAL(%d, %d)", precision, scale);
    return new TypedColumn(
        name,
        type,
        type,
        FieldType.logicalType(FixedPrecisionNumeric.of(precision, scale)),
        Arrays.stream(values).map(value -> "'" + value + "'").toList(),
        Arrays.stream(values).map(value -> (Object) new BigDecimal(value)).toList());
  }

  private static TypedColumn timestamp(int digits, String... values) {
    return new TypedColumn(
        "c_ts" + digits,
        "TIMESTAMP(" + digits + ")",
        "DATETIME(" + digits + ")",
        FieldType.logicalType(SqlTypes.DATETIME),
        Arrays.stream(values).map(TypedColumn::timestampLiteral).toList(),
        Arrays.stream(values).map(value -> (Object) LocalDateTime.parse(value)).toList());
  }

  /** An instant, whose wall clock in UTC is stored. */
  private static TypedColumn instant(String... values) {
    return new TypedColumn(
        "c_ltz3",
        "TIMESTAMP_LTZ(3)",
        "DATETIME(3)",
        FieldType.DATETIME,
        Arrays.stream(values).map(TypedColumn::timestampLiteral).toList(),
        Arrays.stream(values).map(value -> (Object) DateTime.parse(value + "Z")).toList());
  }

  private static String timestampLiteral(String value) {
    return "TIMESTAMP '" + value.replace('T', ' ') + "'";
  }

  private static Row struct(Integer a, String b) {
    return Row.withSchema(STRUCT).addValues(a, b).build();
  }
}
