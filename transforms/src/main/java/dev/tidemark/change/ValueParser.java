package dev.tidemark.change;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.Schema.LogicalType;
import org.apache.beam.sdk.schemas.Schema.TypeName;
import org.apache.beam.sdk.schemas.logicaltypes.EnumerationType;
import org.apache.beam.sdk.schemas.logicaltypes.FixedPrecisionNumeric;
import org.apache.beam.sdk.schemas.logicaltypes.PassThroughLogicalType;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.values.Row;

/**
 * Turns a JSON value into a value of one Beam type, strictly: what is not written the way the type
 * is written is refused. Never sees null nodes.
 */
interface ValueParser {
  /** The value, as {@link Row} holds it. */
  Object parse(JsonNode node, Encoding encoding) throws UnparsableChangeException;

  /** Base types whose values come as base64. */
  ImmutableSet<TypeName> BINARY = ImmutableSet.of(TypeName.BYTES, TypeName.DECIMAL);

  /**
   * The parser of a type.
   *
   * @throws IllegalArgumentException if the type is not supported
   */
  static ValueParser of(FieldType type) {
    return switch (type.getTypeName()) {
      case BYTE -> (node, encoding) -> (byte) integral(node, type, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case INT16 ->
          (node, encoding) -> (short) integral(node, type, Short.MIN_VALUE, Short.MAX_VALUE);
      case INT32 ->
          (node, encoding) -> (int) integral(node, type, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case INT64 -> (node, encoding) -> integral(node, type, Long.MIN_VALUE, Long.MAX_VALUE);
      case FLOAT -> (node, encoding) -> toFloat(floating(node, type));
      case DOUBLE -> (node, encoding) -> floating(node, type);
      case DECIMAL -> DecimalParser.ofAnyScale();
      case STRING -> (node, encoding) -> text(node, type);
      case BOOLEAN ->
          (node, encoding) -> {
            if (!node.isBoolean()) {
              throw mismatch(type, node);
            }
            return node.booleanValue();
          };
      case BYTES -> (node, encoding) -> base64(text(node, type));
      case DATETIME -> TimeParsers.jodaInstant();
      case ARRAY, ITERABLE -> array(type);
      case MAP -> map(type);
      case ROW -> row(type);
      case LOGICAL_TYPE -> logical(type);
      default -> throw new IllegalArgumentException("Cannot parse type: " + name(type));
    };
  }

  private static ValueParser logical(FieldType type) {
    LogicalType<?, ?> logical = type.getLogicalType();
    ValueParser time = TimeParsers.of(type);
    if (time != null) {
      return time;
    }
    if (logical instanceof FixedPrecisionNumeric) {
      Row argument = type.getLogicalType(FixedPrecisionNumeric.class).getArgument();
      return DecimalParser.of(argument.getInt32("precision"), argument.getInt32("scale"));
    }
    if (logical instanceof EnumerationType) {
      EnumerationType enumeration = type.getLogicalType(EnumerationType.class);
      return (node, encoding) -> {
        Integer ordinal = enumeration.getArgument().get(text(node, type));
        if (ordinal == null) {
          throw new UnparsableChangeException("the enumeration does not have this value");
        }
        return enumeration.toInputType(ordinal);
      };
    }
    if (logical.getIdentifier().equals(SqlTypes.UUID.getIdentifier())) {
      return (node, encoding) -> uuid(text(node, type));
    }
    if (logical instanceof PassThroughLogicalType) {
      return passThrough(type);
    }
    throw new IllegalArgumentException("Cannot parse type: " + name(type));
  }

  private static ValueParser passThrough(FieldType type) {
    ValueParser base = of(type.getLogicalType().getBaseType());
    @SuppressWarnings("unchecked") // the base parser gives values of the base type
    LogicalType<Object, Object> logical = (LogicalType<Object, Object>) type.getLogicalType();
    return (node, encoding) -> {
      Object value = base.parse(node, encoding);
      try {
        return logical.toInputType(value);
      } catch (IllegalArgumentException e) {
        // The cause's message may quote the value.
        throw new UnparsableChangeException("the value does not fit " + name(type));
      }
    };
  }

  private static ValueParser array(FieldType type) {
    FieldType elementType = type.getCollectionElementType();
    ValueParser element = of(elementType);
    return (node, encoding) -> {
      if (!node.isArray()) {
        throw mismatch(type, node);
      }
      List<Object> values = new ArrayList<>(node.size());
      for (JsonNode item : node) {
        values.add(orNull(element, elementType, item, encoding));
      }
      return values;
    };
  }

  private static ValueParser map(FieldType type) {
    if (type.getMapKeyType().getTypeName() != TypeName.STRING) {
      throw new IllegalArgumentException("Cannot parse type: MAP with keys other than STRING");
    }
    FieldType valueType = type.getMapValueType();
    ValueParser value = of(valueType);
    return (node, encoding) -> {
      if (!node.isObject()) {
        throw mismatch(type, node);
      }
      Map<String, Object> values = new LinkedHashMap<>();
      for (Iterator<Map.Entry<String, JsonNode>> i = node.fields(); i.hasNext(); ) {
        Map.Entry<String, JsonNode> entry = i.next();
        values.put(entry.getKey(), orNull(value, valueType, entry.getValue(), encoding));
      }
      return values;
    };
  }

  private static ValueParser row(FieldType type) {
    Schema schema = type.getRowSchema();
    List<ValueParser> parsers = new ArrayList<>();
    schema.getFields().forEach(field -> parsers.add(of(field.getType())));
    return (node, encoding) -> {
      if (!node.isObject()) {
        throw mismatch(type, node);
      }
      List<Object> values = new ArrayList<>(parsers.size());
      for (int i = 0; i < parsers.size(); i++) {
        Schema.Field field = schema.getField(i);
        JsonNode value = node.path(field.getName());
        values.add(
            orNull(parsers.get(i), field.getType(), value, encoding.ofField(field.getName())));
      }
      return Row.withSchema(schema).attachValues(values);
    };
  }

  private static Object orNull(ValueParser parser, FieldType type, JsonNode node, Encoding encoding)
      throws UnparsableChangeException {
    if (!node.isNull() && !node.isMissingNode()) {
      return parser.parse(node, encoding);
    }
    if (!type.getNullable()) {
      throw new UnparsableChangeException("null within a value whose type does not allow it");
    }
    return null;
  }

  private static long integral(JsonNode node, FieldType type, long min, long max)
      throws UnparsableChangeException {
    if (!node.isIntegralNumber()) {
      throw mismatch(type, node);
    }
    if (!node.canConvertToLong() || node.longValue() < min || node.longValue() > max) {
      throw new UnparsableChangeException("number out of the range of " + name(type));
    }
    return node.longValue();
  }

  private static double floating(JsonNode node, FieldType type) throws UnparsableChangeException {
    if (node.isNumber()) {
      double value = node.doubleValue();
      if (Double.isInfinite(value)) {
        throw new UnparsableChangeException("number out of the range of " + name(type));
      }
      return value;
    }
    // What JSON has no number for is written as a string.
    return switch (text(node, type)) {
      case "NaN" -> Double.NaN;
      case "Infinity" -> Double.POSITIVE_INFINITY;
      case "-Infinity" -> Double.NEGATIVE_INFINITY;
      default -> throw mismatch(type, node);
    };
  }

  private static float toFloat(double value) throws UnparsableChangeException {
    float narrow = (float) value;
    if (Float.isInfinite(narrow) && !Double.isInfinite(value)) {
      throw new UnparsableChangeException("number out of the range of FLOAT");
    }
    return narrow;
  }

  private static UUID uuid(String text) throws UnparsableChangeException {
    // UUID.fromString also takes shorter groups.
    if (text.length() == 36) {
      try {
        return UUID.fromString(text);
      } catch (IllegalArgumentException e) {
        // Told below: the cause quotes the value.
      }
    }
    throw new UnparsableChangeException("text is no UUID");
  }

  static String text(JsonNode node, FieldType type) throws UnparsableChangeException {
    if (!node.isTextual()) {
      throw mismatch(type, node);
    }
    return node.textValue();
  }

  static byte[] base64(String text) throws UnparsableChangeException {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new UnparsableChangeException("text is not base64");
    }
  }

  static UnparsableChangeException mismatch(FieldType type, JsonNode node) {
    return new UnparsableChangeException(
        String.format("expected %s but found %s", name(type), node.getNodeType()));
  }

  /** Whether the type's values come as base64. */
  static boolean isBinary(FieldType type) {
    FieldType base = type;
    while (base.getTypeName() == TypeName.LOGICAL_TYPE) {
      base = base.getLogicalType().getBaseType();
    }
    return BINARY.contains(base.getTypeName());
  }

  /** A type's name as users declare it. */
  static String name(FieldType type) {
    if (type.getTypeName() != TypeName.LOGICAL_TYPE) {
      return type.getTypeName().name();
    }
    String identifier = type.getLogicalType().getIdentifier();
    String[] parts = identifier.split(":", -1);
    return parts.length == 4 ? parts[2] : identifier;
  }
}
