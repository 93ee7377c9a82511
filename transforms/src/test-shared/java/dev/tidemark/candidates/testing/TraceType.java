package dev.tidemark.candidates.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.base.Splitter;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/** A SQL type of a trace: as a Beam type, and its values from and to the text of traces. */
abstract class TraceType {
  /** Of a nested row, before its own fields: it has a change kind that counts as a value. */
  private static final String NESTED_KIND = "kind";

  private final FieldType fieldType;

  private TraceType(FieldType fieldType) {
    this.fieldType = fieldType.withNullable(true);
  }

  final FieldType fieldType() {
    return fieldType;
  }

  final @Nullable Object read(JsonNode node) {
    return node.isNull() ? null : readValue(node);
  }

  final String text(@Nullable Object value) {
    return value == null ? "null" : valueText(value);
  }

  abstract Object readValue(JsonNode node);

  String valueText(Object value) {
    return value.toString();
  }

  /** The type with this SQL text, such as {@code ROW<a INT, b DOUBLE>}. */
  static TraceType of(String sql) {
    int bracket = sql.indexOf('<');
    String name = bracket < 0 ? sql : sql.substring(0, bracket);
    List<String> arguments = bracket < 0 ? List.of() : arguments(sql.substring(bracket + 1));
    return switch (name) {
      case "INT" -> new Int();
      case "BIGINT" -> new BigInt();
      case "STRING" -> new Text();
      case "BOOLEAN" -> new Bool();
      case "FLOAT" -> new Float32();
      case "DOUBLE" -> new Float64();
      case "ARRAY" -> new Array(of(arguments.get(0)));
      case "MAP" -> new Entries(of(arguments.get(0)), of(arguments.get(1)));
      case "ROW" -> Nested.of(arguments);
      default -> {
        if (name.startsWith("DECIMAL(")) {
          yield new Decimal();
        }
        if (name.startsWith("TIMESTAMP(")) {
          yield new Timestamp();
        }
        throw new IllegalArgumentException("Cannot read trace: unknown type " + sql);
      }
    };
  }

  /** Splits {@code K, V>} at commas outside of brackets. */
  private static List<String> arguments(String text) {
    List<String> arguments = new ArrayList<>();
    int depth = 0;
    int begin = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if ((c == ',' || c == '>') && depth == 0) {
        arguments.add(text.substring(begin, i).trim());
        begin = i + 1;
      } else if (c == '<' || c == '(') {
        depth++;
      } else if (c == '>' || c == ')') {
        depth--;
      }
    }
    return arguments;
  }

  private static final class Int extends TraceType {
    Int() {
      super(FieldType.INT32);
    }

    @Override
    Object readValue(JsonNode node) {
      return node.intValue();
    }
  }

  private static final class BigInt extends TraceType {
    BigInt() {
      super(FieldType.INT64);
    }

    @Override
    Object readValue(JsonNode node) {
      return node.longValue();
    }
  }

  private static final class Text extends TraceType {
    Text() {
      super(FieldType.STRING);
    }

    @Override
    Object readValue(JsonNode node) {
      return node.textValue();
    }

    @Override
    String valueText(Object value) {
      return '"' + value.toString() + '"';
    }
  }

  private static final class Bool extends TraceType {
    Bool() {
      super(FieldType.BOOLEAN);
    }

    @Override
    Object readValue(JsonNode node) {
      return node.booleanValue();
    }
  }

  private static final class Float32 extends TraceType {
    Float32() {
      super(FieldType.FLOAT);
    }

    @Override
    Object readValue(JsonNode node) {
      return node.isTextual()
          ? Float.intBitsToFloat(Integer.parseUnsignedInt(bits(node), 16))
          : node.floatValue();
    }

    @Override
    String valueText(Object value) {
      float number = (Float) value;
      return Float.isFinite(number)
          ? Float.toString(number)
          : String.format("bits:%08x", Float.floatToRawIntBits(number));
    }
  }

  private static final class Float64 extends TraceType {
    Float64() {
      super(FieldType.DOUBLE);
    }

    @Override
    Object readValue(JsonNode node) {
      return node.isTextual()
          ? Double.longBitsToDouble(Long.parseUnsignedLong(bits(node), 16))
          : node.doubleValue();
    }

    @Override
    String valueText(Object value) {
      double number = (Double) value;
      return Double.isFinite(number)
          ? Double.toString(number)
          : String.format("bits:%016x", Double.doubleToRawLongBits(number));
    }
  }

  private static String bits(JsonNode node) {
    return Splitter.on(':').splitToList(node.textValue()).get(1);
  }

  private static final class Decimal extends TraceType {
    Decimal() {
      super(FieldType.DECIMAL);
    }

    @Override
    Object readValue(JsonNode node) {
      return new BigDecimal(node.textValue());
    }
  }

  private static final class Timestamp extends TraceType {
    Timestamp() {
      super(FieldType.logicalType(SqlTypes.DATETIME));
    }

    @Override
    Object readValue(JsonNode node) {
      return LocalDateTime.parse(node.textValue());
    }
  }

  private static final class Array extends TraceType {
    private final TraceType element;

    Array(TraceType element) {
      super(FieldType.array(element.fieldType()));
      this.element = element;
    }

    @Override
    Object readValue(JsonNode node) {
      List<Object> elements = new ArrayList<>();
      node.forEach(each -> elements.add(element.read(each)));
      return elements;
    }

    @Override
    String valueText(Object value) {
      List<String> texts = new ArrayList<>();
      ((Iterable<?>) value).forEach(each -> texts.add(element.text(each)));
      return texts.toString();
    }
  }

  /** Pairs, in the order in which they are stored. */
  private static final class Entries extends TraceType {
    private final TraceType key;
    private final TraceType value;

    Entries(TraceType key, TraceType value) {
      super(FieldType.map(key.fieldType(), value.fieldType()));
      this.key = key;
      this.value = value;
    }

    @Override
    Object readValue(JsonNode node) {
      Map<Object, Object> entries = new LinkedHashMap<>();
      node.forEach(pair -> entries.put(key.read(pair.get(0)), value.read(pair.get(1))));
      return entries;
    }

    @Override
    String valueText(Object map) {
      List<String> texts = new ArrayList<>();
      ((Map<?, ?>) map)
          .forEach((k, v) -> texts.add("[" + key.text(k) + ", " + value.text(v) + "]"));
      return texts.toString();
    }
  }

  private static final class Nested extends TraceType {
    private final Schema schema;
    private final List<TraceType> types;

    private Nested(Schema schema, List<TraceType> types) {
      super(FieldType.row(schema));
      this.schema = schema;
      this.types = types;
    }

    static Nested of(List<String> fields) {
      Schema.Builder schema = Schema.builder().addStringField(NESTED_KIND);
      List<TraceType> types = new ArrayList<>();
      for (String field : fields) {
        int blank = field.indexOf(' ');
        TraceType type = TraceType.of(field.substring(blank + 1));
        schema.addField(field.substring(0, blank), type.fieldType());
        types.add(type);
      }
      return new Nested(schema.build(), types);
    }

    @Override
    Object readValue(JsonNode node) {
      List<Object> values = new ArrayList<>();
      values.add(node.get("kind").textValue());
      for (int i = 0; i < types.size(); i++) {
        values.add(types.get(i).read(node.get("f").get(i)));
      }
      return Row.withSchema(schema).attachValues(values);
    }

    @Override
    String valueText(Object value) {
      Row row = (Row) value;
      StringBuilder text = new StringBuilder("{").append(row.getString(NESTED_KIND));
      for (int i = 0; i < types.size(); i++) {
        Object field = row.getValue(i + 1);
        text.append(", ").append(types.get(i).text(field));
      }
      return text.append('}').toString();
    }
  }
}
