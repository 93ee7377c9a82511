package dev.tidemark.doris.emulator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.doris.emulator.ColumnType.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Reads the values of texts, as JSON and CSV bodies have them. */
final class TextValues {

  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][-+]?\\d+)?");
  private static final Pattern INTEGER = Pattern.compile("[-+]?\\d+");
  private static final BigInteger MAX_LARGEINT = BigInteger.ONE.shiftLeft(127);

  private static final DateTimeFormatter DATETIME =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd[[' ']['T']HH:mm:ss]")
          .optionalStart()
          .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, true)
          .optionalEnd()
          .parseDefaulting(ChronoField.HOUR_OF_DAY, 0)
          .toFormatter(Locale.ROOT);

  private TextValues() {}

  /** The value that a text stands for. */
  static Object parse(ColumnType type, String text) throws BadValueException {
    return switch (type.kind()) {
      case BOOLEAN -> parseBoolean(text);
      case TINYINT, SMALLINT, INT, BIGINT, LARGEINT -> parseInteger(type.kind(), text.trim());
      case FLOAT -> (float) parseDouble(text.trim());
      case DOUBLE -> parseDouble(text.trim());
      case DECIMAL -> parseDecimal(type, text.trim());
      case DATE -> parseDatetime(text.trim()).toLocalDate();
      case DATETIME -> round(parseDatetime(text.trim()), type.scale());
      case ARRAY, MAP, STRUCT -> ofJson(type, parseJson(text));
      case JSON, VARIANT -> Json.compact(parseJson(text));
      case BITMAP, HLL -> throw new BadValueException("no conversion to " + type);
      default -> text;
    };
  }

  private static Object parseBoolean(String text) throws BadValueException {
    return switch (text.trim().toLowerCase(Locale.ROOT)) {
      case "true", "1" -> true;
      case "false", "0" -> false;
      default -> throw new BadValueException("not a BOOLEAN");
    };
  }

  /** An integer within the range of its type. */
  static Object parseInteger(Kind kind, String text) throws BadValueException {
    if (!INTEGER.matcher(text).matches()) {
      throw new BadValueException("not a " + kind);
    }
    BigInteger value = new BigInteger(text);
    if (kind == Kind.LARGEINT) {
      if (value.compareTo(MAX_LARGEINT) >= 0 || value.compareTo(MAX_LARGEINT.negate()) < 0) {
        throw new BadValueException("out of the range of " + kind);
      }
      return value;
    }
    int bits =
        switch (kind) {
          case TINYINT -> 8;
          case SMALLINT -> 16;
          case INT -> 32;
          default -> 64;
        };
    if (value.bitLength() >= bits) {
      throw new BadValueException("out of the range of " + kind);
    }
    return value.longValue();
  }

  private static double parseDouble(String text) throws BadValueException {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "nan" -> Double.NaN;
      case "inf", "infinity", "+inf", "+infinity" -> Double.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
      default -> {
        if (!NUMBER.matcher(text).matches()) {
          throw new BadValueException("not a number");
        }
        yield Double.parseDouble(text);
      }
    };
  }

  private static BigDecimal parseDecimal(ColumnType type, String text) throws BadValueException {
    if (!NUMBER.matcher(text).matches()) {
      throw new BadValueException("not a " + type);
    }
    BigDecimal value = new BigDecimal(text).setScale(type.scale(), RoundingMode.HALF_UP);
    if (value.precision() > type.precision() && value.signum() != 0) {
      throw new BadValueException("out of the range of " + type);
    }
    return value;
  }

  private static LocalDateTime parseDatetime(String text) throws BadValueException {
    try {
      return LocalDateTime.parse(text, DATETIME);
    } catch (DateTimeException e) {
      throw new BadValueException("not a date or time", e);
    }
  }

  /** Rounds half up, as Doris does with texts. */
  private static LocalDateTime round(LocalDateTime value, int scale) {
    int unit = BigInteger.TEN.pow(9 - scale).intValueExact();
    int rest = value.get(ChronoField.NANO_OF_SECOND) % unit;
    LocalDateTime down = value.minusNanos(rest);
    return rest * 2L >= unit ? down.plusNanos(unit) : down;
  }

  private static JsonNode parseJson(String text) throws BadValueException {
    try {
      return Json.MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new BadValueException("not JSON", e);
    }
  }

  /** The value of a node, which for a nested type may be a text that has JSON in it. */
  static @Nullable Object ofJson(ColumnType type, @Nullable JsonNode node)
      throws BadValueException {
    if (node == null || node.isNull() || node.isMissingNode()) {
      return null;
    }
    if (node.isTextual() || !type.kind().isNested()) {
      return node.isValueNode() ? parse(type, scalar(type, node)) : parse(type, node.toString());
    }
    return switch (type.kind()) {
      case ARRAY -> arrayOf(type.children().get(0), node);
      case MAP -> mapOf(type, node);
      default -> structOf(type, node);
    };
  }

  private static String scalar(ColumnType type, JsonNode node) {
    if (type.kind() == Kind.JSON || type.kind() == Kind.VARIANT) {
      return node.isTextual() ? node.textValue() : node.toString();
    }
    if (node.isBoolean() && !type.kind().isText() && type.kind() != Kind.BOOLEAN) {
      return node.booleanValue() ? "1" : "0";
    }
    return node.isBigDecimal() ? node.decimalValue().toPlainString() : node.asText();
  }

  private static Object arrayOf(ColumnType elements, JsonNode node) throws BadValueException {
    if (!node.isArray()) {
      throw new BadValueException("not an ARRAY");
    }
    List<@Nullable Object> values = new ArrayList<>();
    for (JsonNode element : node) {
      values.add(ofJson(elements, element));
    }
    return values;
  }

  private static Object mapOf(ColumnType type, JsonNode node) throws BadValueException {
    if (!node.isObject()) {
      throw new BadValueException("not a MAP");
    }
    Map<Object, @Nullable Object> values = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      values.put(
          parse(type.children().get(0), entry.getKey()),
          ofJson(type.children().get(1), entry.getValue()));
    }
    return values;
  }

  private static Object structOf(ColumnType type, JsonNode node) throws BadValueException {
    if (!node.isObject()) {
      throw new BadValueException("not a STRUCT");
    }
    Map<Object, @Nullable Object> values = new LinkedHashMap<>();
    for (int i = 0; i < type.names().size(); i++) {
      String name = type.names().get(i);
      values.put(name, ofJson(type.children().get(i), node.get(name)));
    }
    return values;
  }
}
