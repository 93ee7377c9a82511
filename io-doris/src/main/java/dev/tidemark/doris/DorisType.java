package dev.tidemark.doris;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The type of a column as the frontend tells it: {@code DECIMAL64}, {@code ARRAY<INT>}. */
final class DorisType {
  /** What types have in common that are loaded alike. */
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
    TEXT,
    ARRAY,
    MAP,
    STRUCT,
    /** Not to be loaded as Arrow, or not by all servers. */
    OTHER
  }

  private static final int WIDEST_DECIMAL = 76;

  private final Kind kind;
  private final String text;
  private final @Nullable Integer precision;
  private final @Nullable Integer scale;

  /** Of elements, of key and value, or of fields; empty if the server does not tell them. */
  private final ImmutableList<DorisType> children;

  private DorisType(
      Kind kind,
      String text,
      @Nullable Integer precision,
      @Nullable Integer scale,
      List<DorisType> children) {
    this.kind = kind;
    this.text = text;
    this.precision = precision;
    this.scale = scale;
    this.children = ImmutableList.copyOf(children);
  }

  /** Reads a type; precision and scale are for where the text does not have them. */
  static DorisType parse(String text, @Nullable Integer precision, @Nullable Integer scale) {
    String trimmed = text.trim();
    int open = indexOfBracket(trimmed);
    String name = (open < 0 ? trimmed : trimmed.substring(0, open)).trim().toUpperCase(Locale.ROOT);
    List<String> arguments = open < 0 ? List.of() : arguments(trimmed, open);
    Kind kind = kindOf(name);
    return switch (kind) {
      case DECIMAL ->
          new DorisType(
              kind,
              trimmed,
              arguments.isEmpty() ? precision : number(arguments.get(0)),
              arguments.size() < 2 ? scale : number(arguments.get(1)),
              List.of());
      case ARRAY, MAP ->
          new DorisType(
              kind,
              trimmed,
              null,
              null,
              arguments.stream().map(argument -> parse(argument, null, null)).toList());
      case STRUCT ->
          new DorisType(
              kind,
              trimmed,
              null,
              null,
              arguments.stream().map(argument -> parse(fieldType(argument), null, null)).toList());
      default -> new DorisType(kind, trimmed, null, null, List.of());
    };
  }

  Kind kind() {
    return kind;
  }

  /** As a decimal of the greatest width, where the server does not tell. */
  int precision() {
    return precision == null ? WIDEST_DECIMAL / 2 : precision;
  }

  /** Null if the server does not tell. */
  @Nullable Integer scale() {
    return scale;
  }

  ImmutableList<DorisType> children() {
    return children;
  }

  /** The type as users write it. */
  @Override
  public String toString() {
    if (kind == Kind.DECIMAL && precision != null) {
      return String.format("DECIMAL(%d,%d)", precision, scale == null ? 0 : scale);
    }
    return text;
  }

  private static Kind kindOf(String name) {
    return switch (name) {
      case "BOOLEAN", "BOOL" -> Kind.BOOLEAN;
      case "TINYINT" -> Kind.TINYINT;
      case "SMALLINT" -> Kind.SMALLINT;
      case "INT", "INTEGER" -> Kind.INT;
      case "BIGINT" -> Kind.BIGINT;
      case "LARGEINT" -> Kind.LARGEINT;
      case "FLOAT" -> Kind.FLOAT;
      case "DOUBLE" -> Kind.DOUBLE;
      case "DECIMAL",
          "DECIMALV3",
          "DECIMAL32",
          "DECIMAL64",
          "DECIMAL128",
          "DECIMAL128I",
          "DECIMAL256" ->
          Kind.DECIMAL;
      case "DATE", "DATEV2" -> Kind.DATE;
      case "DATETIME", "DATETIMEV2" -> Kind.DATETIME;
      case "CHAR", "VARCHAR", "STRING", "TEXT" -> Kind.TEXT;
      case "ARRAY" -> Kind.ARRAY;
      case "MAP" -> Kind.MAP;
      case "STRUCT" -> Kind.STRUCT;
      default -> Kind.OTHER;
    };
  }

  private static int indexOfBracket(String text) {
    int round = text.indexOf('(');
    int angle = text.indexOf('<');
    return round < 0 ? angle : angle < 0 ? round : Math.min(round, angle);
  }

  /** What stands between the outer brackets, split at commas that are in no other ones. */
  private static List<String> arguments(String text, int open) {
    List<String> arguments = new ArrayList<>();
    int depth = 0;
    int from = open + 1;
    for (int at = open; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '(' || c == '<') {
        depth++;
      } else if (c == ')' || c == '>') {
        depth--;
      }
      if (depth == 0 || (depth == 1 && c == ',')) {
        arguments.add(text.substring(from, at).trim());
        from = at + 1;
      }
      if (depth == 0) {
        break;
      }
    }
    return arguments;
  }

  /** The type in {@code name:TYPE}, which may have brackets with colons. */
  private static String fieldType(String field) {
    int colon = field.indexOf(':');
    return colon < 0 ? field : field.substring(colon + 1);
  }

  private static @Nullable Integer number(String text) {
    try {
      return Integer.valueOf(text.trim());
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
