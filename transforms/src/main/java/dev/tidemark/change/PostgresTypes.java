package dev.tidemark.change;

import static com.google.common.base.Preconditions.checkArgument;

import java.math.BigDecimal;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.FixedPrecisionNumeric;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Types of columns as PostgreSQL writes them, {@code numeric(12,2) not null}, and what they are in
 * a row.
 */
public final class PostgresTypes {
  private static final int MOST_DIGITS = 38;
  private static final int MILLIS_DIGITS = 3;
  private static final Pattern TYPE =
      Pattern.compile(
          "([a-z][a-z0-9_ ]*?)\\s*(?:\\(\\s*(\\d{1,4})\\s*(?:,\\s*(\\d{1,4})\\s*)?\\))?"
              + "\\s*(with time zone|without time zone)?\\s*(\\[\\])?\\s*(not null)?");

  /**
   * A column.
   *
   * @param timeUnit the unit in which Debezium's default mode writes its times; null for others
   */
  public record ColumnType(FieldType type, @Nullable ChronoUnit timeUnit) {}

  private PostgresTypes() {}

  /**
   * Reads a type.
   *
   * @throws IllegalArgumentException if it is not one that Tidemark reads
   */
  public static ColumnType parse(String text) {
    Matcher matcher = TYPE.matcher(text.trim().toLowerCase(Locale.ROOT).replaceAll("\\s+", " "));
    checkArgument(matcher.matches(), "'%s' is no type of PostgreSQL", text);
    boolean withZone = "with time zone".equals(matcher.group(4));
    Integer precision = number(matcher.group(2));
    FieldType type = scalar(text, matcher.group(1), precision, number(matcher.group(3)), withZone);
    ChronoUnit unit = isTime(type) ? unit(precision) : null;
    if (matcher.group(5) != null) {
      type = FieldType.array(type.withNullable(true));
    }
    return new ColumnType(type.withNullable(matcher.group(6) == null), unit);
  }

  private static @Nullable Integer number(@Nullable String digits) {
    return digits == null ? null : Integer.valueOf(digits);
  }

  private static FieldType scalar(
      String text,
      String name,
      @Nullable Integer precision,
      @Nullable Integer scale,
      boolean withZone) {
    return switch (name) {
      case "smallint", "int2", "smallserial" -> FieldType.INT16;
      case "integer", "int", "int4", "serial" -> FieldType.INT32;
      case "bigint", "int8", "bigserial" -> FieldType.INT64;
      case "real", "float4" -> FieldType.FLOAT;
      case "double precision", "float8" -> FieldType.DOUBLE;
      case "boolean", "bool" -> FieldType.BOOLEAN;
      case "text",
          "varchar",
          "character varying",
          "char",
          "character",
          "bpchar",
          "citext",
          "uuid",
          "json",
          "jsonb",
          "xml" ->
          FieldType.STRING;
      case "bytea" -> FieldType.BYTES;
      case "date" -> FieldType.logicalType(SqlTypes.DATE);
      case "timestamptz" -> FieldType.logicalType(SqlTypes.TIMESTAMP);
      case "timestamp" ->
          withZone
              ? FieldType.logicalType(SqlTypes.TIMESTAMP)
              : FieldType.logicalType(SqlTypes.DATETIME);
      case "time" -> {
        checkArgument(!withZone, "'%s' is a time with a zone, which is not read", text);
        yield FieldType.logicalType(SqlTypes.TIME);
      }
      case "numeric", "decimal" -> decimal(text, precision, scale == null ? 0 : scale);
      default ->
          throw new IllegalArgumentException(
              String.format(
                  "'%s' is no type that is read; an enumeration, for example, is declared as text",
                  text));
    };
  }

  private static FieldType decimal(String text, @Nullable Integer precision, int scale) {
    checkArgument(
        precision != null && precision >= 1 && precision <= MOST_DIGITS && scale <= precision,
        "'%s' needs a precision from 1 to %s, and a scale up to it",
        text,
        MOST_DIGITS);
    return FieldType.logicalType(FixedPrecisionNumeric.of(precision, scale));
  }

  /** Whether it comes as a number whose unit the precision tells. */
  private static boolean isTime(FieldType type) {
    return isTimeOfDay(type) || is(type, SqlTypes.DATETIME.getIdentifier());
  }

  /** Whether a column holds times of day. */
  public static boolean isTimeOfDay(FieldType type) {
    return is(type, SqlTypes.TIME.getIdentifier());
  }

  private static boolean is(FieldType type, String logicalType) {
    return type.getTypeName().isLogicalType()
        && type.getLogicalType().getIdentifier().equals(logicalType);
  }

  private static ChronoUnit unit(@Nullable Integer precision) {
    return precision != null && precision <= MILLIS_DIGITS ? ChronoUnit.MILLIS : ChronoUnit.MICROS;
  }

  /**
   * A default as the row holds it.
   *
   * @throws IllegalArgumentException if the text is none of this type
   */
  public static Object value(FieldType type, String text) {
    return switch (type.getTypeName()) {
      case STRING -> text;
      case BOOLEAN -> {
        checkArgument(text.equals("true") || text.equals("false"), "'%s' is no boolean", text);
        yield Boolean.valueOf(text);
      }
      case INT16 -> Short.valueOf(text);
      case INT32 -> Integer.valueOf(text);
      case INT64 -> Long.valueOf(text);
      case FLOAT -> Float.valueOf(text);
      case DOUBLE -> Double.valueOf(text);
      default -> {
        checkArgument(
            is(type, FixedPrecisionNumeric.IDENTIFIER),
            "a default is only read for texts, booleans and numbers");
        yield new BigDecimal(text);
      }
    };
  }
}
