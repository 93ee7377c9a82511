package dev.tidemark.change;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.beam.sdk.schemas.Schema.FieldType;

/**
 * Parses decimals: a JSON number, a string (plain or base64 of the unscaled value, see {@link
 * Encoding}), or the struct {@code {scale, value}} that Debezium writes for columns whose values
 * differ in scale.
 */
final class DecimalParser implements ValueParser {
  // PostgreSQL's limits; larger exponents would make a small text expand to gigabytes.
  private static final int MAX_SCALE = 16_383;
  private static final int MAX_INTEGER_DIGITS = 131_072;
  private static final int ANY = -1;

  private final int maxPrecision;
  private final int fixedScale;
  private final boolean fixed;

  private DecimalParser(int maxPrecision, int fixedScale, boolean fixed) {
    this.maxPrecision = maxPrecision;
    this.fixedScale = fixedScale;
    this.fixed = fixed;
  }

  static DecimalParser ofAnyScale() {
    return new DecimalParser(ANY, 0, false);
  }

  static DecimalParser of(int precision, int scale) {
    return new DecimalParser(precision, scale, true);
  }

  @Override
  public Object parse(JsonNode node, Encoding encoding) throws UnparsableChangeException {
    BigDecimal value = read(node, encoding);
    long integerDigits = (long) value.precision() - value.scale();
    if (value.scale() > MAX_SCALE || integerDigits > MAX_INTEGER_DIGITS) {
      throw new UnparsableChangeException("number out of the range of DECIMAL");
    }
    if (!fixed) {
      return value;
    }
    try {
      BigDecimal scaled = value.setScale(fixedScale);
      if (maxPrecision == ANY || scaled.precision() <= maxPrecision) {
        return scaled;
      }
    } catch (ArithmeticException e) {
      // Told below.
    }
    throw new UnparsableChangeException(
        String.format("number does not fit precision %d, scale %d", maxPrecision, fixedScale));
  }

  private BigDecimal read(JsonNode node, Encoding encoding) throws UnparsableChangeException {
    try {
      if (node.isNumber()) {
        return node.decimalValue();
      }
      if (node.isObject() && node.path("scale").isInt() && node.path("value").isTextual()) {
        return unscaled(node.path("value").textValue(), node.path("scale").intValue());
      }
      if (node.isTextual() && encoding.decimalsAsText()) {
        return new BigDecimal(node.textValue());
      }
      if (node.isTextual()) {
        Integer scale = encoding.scale();
        if (scale == null && !fixed) {
          throw new UnparsableChangeException(
              "base64 decimal of unknown scale. Declare its scale, or that decimals are text");
        }
        return unscaled(node.textValue(), scale == null ? fixedScale : scale);
      }
    } catch (NumberFormatException e) {
      throw new UnparsableChangeException("text is no decimal number");
    }
    throw ValueParser.mismatch(FieldType.DECIMAL, node);
  }

  private static BigDecimal unscaled(String text, int scale) throws UnparsableChangeException {
    return new BigDecimal(new BigInteger(ValueParser.base64(text)), scale);
  }
}
