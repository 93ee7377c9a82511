package dev.tidemark.doris.emulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The type of a column.
 *
 * @param precision digits of a decimal, length of a text, or 0
 * @param scale digits behind the point of a decimal or of a second
 * @param children of an array its elements, of a map keys and values, of a struct its fields
 * @param names of the fields of a struct
 */
record ColumnType(
    Kind kind, int precision, int scale, List<ColumnType> children, List<String> names) {

  /** What kind of values it has. */
  enum Kind {
    BOOLEAN,
    TINYINT,
    SMALLINT,
    INT,
    BIGINT,
    LARGEINT,
    FLOAT,
    DOUBLE,
    DECIMAL,
    DATE,
    DATETIME,
    CHAR,
    VARCHAR,
    STRING,
    JSON,
    VARIANT,
    IPV4,
    IPV6,
    BITMAP,
    HLL,
    ARRAY,
    MAP,
    STRUCT;

    boolean isInteger() {
      return compareTo(TINYINT) >= 0 && compareTo(LARGEINT) <= 0;
    }

    boolean isText() {
      return this == CHAR || this == VARCHAR || this == STRING;
    }

    boolean isNested() {
      return compareTo(ARRAY) >= 0;
    }
  }

  static ColumnType of(Kind kind) {
    return of(kind, 0, 0);
  }

  static ColumnType of(Kind kind, int precision, int scale) {
    return new ColumnType(kind, precision, scale, List.of(), List.of());
  }

  /** Reads a type from a statement. */
  static ColumnType parse(Tokens tokens) {
    String name = tokens.next().toUpperCase(Locale.ROOT);
    return switch (name) {
      case "BOOLEAN", "BOOL" -> of(Kind.BOOLEAN);
      case "INTEGER" -> of(Kind.INT);
      case "TINYINT", "SMALLINT", "INT", "BIGINT", "LARGEINT" ->
          integer(Kind.valueOf(name), tokens);
      case "FLOAT", "DOUBLE", "STRING", "VARIANT", "IPV4", "IPV6", "BITMAP", "HLL" ->
          of(Kind.valueOf(name));
      case "TEXT" -> of(Kind.STRING);
      case "JSON", "JSONB" -> of(Kind.JSON);
      case "DATE", "DATEV2" -> of(Kind.DATE);
      case "DECIMAL", "DECIMALV3" -> decimal(tokens);
      case "DATETIME", "DATETIMEV2" -> of(Kind.DATETIME, 0, argument(tokens, 0, 0, 6));
      case "CHAR" -> of(Kind.CHAR, argument(tokens, 1, 1, 255), 0);
      case "VARCHAR" -> varchar(tokens);
      case "ARRAY" -> nested(Kind.ARRAY, 1, tokens);
      case "MAP" -> nested(Kind.MAP, 2, tokens);
      case "STRUCT" -> struct(tokens);
      default -> throw new StatementException("Unsupported data type: " + name);
    };
  }

  private static ColumnType integer(Kind kind, Tokens tokens) {
    argument(tokens, 0, 0, 255);
    return of(kind);
  }

  private static ColumnType decimal(Tokens tokens) {
    if (!tokens.skip("(")) {
      return of(Kind.DECIMAL, 9, 0);
    }
    int precision = tokens.nextInt();
    int scale = tokens.skip(",") ? tokens.nextInt() : 0;
    tokens.expect(")");
    if (precision < 1 || precision > 76) {
      throw new StatementException("Precision of decimal must between 1 and 76: " + precision);
    }
    if (scale < 0 || scale > precision) {
      throw new StatementException("Scale of decimal must between 0 and precision: " + scale);
    }
    return of(Kind.DECIMAL, precision, scale);
  }

  private static ColumnType varchar(Tokens tokens) {
    if (tokens.skip("(")) {
      if (tokens.skip("*")) {
        tokens.expect(")");
        return of(Kind.VARCHAR, 65533, 0);
      }
      int length = tokens.nextInt();
      tokens.expect(")");
      if (length < 1 || length > 65533) {
        throw new StatementException("VARCHAR size must between 1 and 65533: " + length);
      }
      return of(Kind.VARCHAR, length, 0);
    }
    return of(Kind.VARCHAR, 65533, 0);
  }

  private static int argument(Tokens tokens, int otherwise, int from, int to) {
    if (!tokens.skip("(")) {
      return otherwise;
    }
    int value = tokens.nextInt();
    tokens.expect(")");
    if (value < from || value > to) {
      throw new StatementException(
          "Type argument must between " + from + " and " + to + ": " + value);
    }
    return value;
  }

  private static ColumnType nested(Kind kind, int children, Tokens tokens) {
    tokens.expect("<");
    List<ColumnType> types = new ArrayList<>();
    for (int i = 0; i < children; i++) {
      if (i > 0) {
        tokens.expect(",");
      }
      types.add(parse(tokens));
    }
    tokens.expect(">");
    return new ColumnType(kind, 0, 0, List.copyOf(types), List.of());
  }

  private static ColumnType struct(Tokens tokens) {
    tokens.expect("<");
    List<ColumnType> types = new ArrayList<>();
    List<String> names = new ArrayList<>();
    do {
      names.add(tokens.next());
      tokens.expect(":");
      types.add(parse(tokens));
    } while (tokens.skip(","));
    tokens.expect(">");
    return new ColumnType(Kind.STRUCT, 0, 0, List.copyOf(types), List.copyOf(names));
  }

  /** The name of the type in the answer to a question for the schema. */
  String schemaName() {
    return switch (kind) {
      case DECIMAL -> "DECIMAL" + decimalBits();
      case DATE -> "DATEV2";
      case DATETIME -> "DATETIMEV2";
      default -> kind.name();
    };
  }

  private int decimalBits() {
    if (precision <= 9) {
      return 32;
    }
    if (precision <= 18) {
      return 64;
    }
    return precision <= 38 ? 128 : 256;
  }

  /** As in a statement. */
  @Override
  public String toString() {
    return switch (kind) {
      case DECIMAL -> "DECIMAL(" + precision + "," + scale + ")";
      case DATETIME -> "DATETIME(" + scale + ")";
      case CHAR, VARCHAR -> kind + "(" + precision + ")";
      case ARRAY -> "ARRAY<" + children.get(0) + ">";
      case MAP -> "MAP<" + children.get(0) + "," + children.get(1) + ">";
      case STRUCT -> {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
          fields.add(names.get(i) + ":" + children.get(i));
        }
        yield "STRUCT<" + String.join(",", fields) + ">";
      }
      default -> kind.name();
    };
  }
}
