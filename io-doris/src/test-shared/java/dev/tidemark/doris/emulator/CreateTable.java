package dev.tidemark.doris.emulator;

import dev.tidemark.doris.emulator.TableDefinition.KeysType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Reads the statement that makes a table. */
final class CreateTable {

  private static final List<String> KEPT_PROPERTIES =
      List.of(
          "function_column.sequence_col",
          "function_column.sequence_type",
          "enable_unique_key_merge_on_write");

  /** A column before the keys are known. */
  private record Declared(
      String name,
      ColumnType type,
      boolean nullable,
      boolean hasDefault,
      @Nullable String text,
      String comment) {}

  private final Tokens tokens;
  private final Map<String, String> properties = new LinkedHashMap<>();

  private CreateTable(Tokens tokens) {
    this.tokens = tokens;
  }

  /**
   * Reads what follows {@code CREATE TABLE [IF NOT EXISTS]}.
   *
   * @param database where the table is if its name does not say
   */
  static TableDefinition parse(Tokens tokens, @Nullable String database) {
    return new CreateTable(tokens).parse(database);
  }

  private TableDefinition parse(@Nullable String database) {
    String name = tokens.next();
    String inDatabase = database;
    if (tokens.skip(".")) {
      inDatabase = name;
      name = tokens.next();
    }
    if (inDatabase == null) {
      throw new StatementException("No database selected for table " + name);
    }
    List<Declared> declared = columns();
    if (tokens.skip("ENGINE")) {
      tokens.expect("=");
      tokens.next();
    }
    KeysType keysType = KeysType.DUP_KEYS;
    List<String> keys = List.of();
    if (tokens.skip("UNIQUE", "KEY")) {
      keysType = KeysType.UNIQUE_KEYS;
      keys = names();
    } else if (tokens.skip("DUPLICATE", "KEY")) {
      keys = names();
    } else if (tokens.skip("AGGREGATE", "KEY")) {
      throw new StatementException("The emulator has no aggregate tables: " + name);
    } else {
      keys = List.of(declared.get(0).name());
    }
    skipUnmodelled();
    return new TableDefinition(
        inDatabase,
        name,
        keysType,
        withKeys(declared, keys, keysType),
        keysType == KeysType.UNIQUE_KEYS
            && !"false".equalsIgnoreCase(properties.get("enable_unique_key_merge_on_write")),
        sequenceColumn(declared, keysType),
        sequenceType(keysType));
  }

  private List<Declared> columns() {
    tokens.expect("(");
    List<Declared> columns = new ArrayList<>();
    do {
      if (tokens.skip("INDEX")) {
        skipIndex();
        continue;
      }
      columns.add(column());
    } while (tokens.skip(","));
    tokens.expect(")");
    return columns;
  }

  private void skipIndex() {
    int depth = 0;
    while (tokens.hasNext()) {
      String next = tokens.peek();
      if (depth == 0 && (",".equals(next) || ")".equals(next))) {
        return;
      }
      depth += "(".equals(next) ? 1 : ")".equals(next) ? -1 : 0;
      tokens.next();
    }
  }

  private Declared column() {
    String name = tokens.next();
    ColumnType type = ColumnType.parse(tokens);
    tokens.skip("KEY");
    boolean nullable = true;
    boolean hasDefault = false;
    String text = null;
    String comment = "";
    while (true) {
      if (tokens.skip("NOT", "NULL")) {
        nullable = false;
      } else if (tokens.skip("NULL")) {
        nullable = true;
      } else if (tokens.skip("DEFAULT")) {
        hasDefault = true;
        text = tokens.skip("NULL") ? null : defaultText();
      } else if (tokens.skip("COMMENT")) {
        comment = tokens.nextLiteral();
      } else {
        if (text != null) {
          defaultValue(name, type, text);
        }
        return new Declared(name, type, nullable, hasDefault, text, comment);
      }
    }
  }

  private String defaultText() {
    String text = tokens.next();
    if (text.equalsIgnoreCase("CURRENT_TIMESTAMP") || text.equalsIgnoreCase("UUID")) {
      throw new StatementException("The emulator has no defaults that are computed: " + text);
    }
    return text;
  }

  /** The value of a default. */
  static Object defaultValue(String name, ColumnType type, String text) {
    try {
      return TextValues.parse(type, text);
    } catch (BadValueException e) {
      throw new StatementException(
          "Invalid default value of column " + name + ": " + e.getMessage());
    }
  }

  private List<String> names() {
    tokens.expect("(");
    List<String> names = new ArrayList<>();
    do {
      names.add(tokens.next());
    } while (tokens.skip(","));
    tokens.expect(")");
    return names;
  }

  /**
   * Comments, distribution and partitions are where rows are stored, which nobody can tell here.
   */
  private void skipUnmodelled() {
    while (tokens.hasNext() && !tokens.skip(";")) {
      if (tokens.skip("PROPERTIES")) {
        tokens.expect("(");
        do {
          String key = tokens.nextLiteral();
          tokens.expect("=");
          properties.put(key.toLowerCase(Locale.ROOT), tokens.nextLiteral());
        } while (tokens.skip(","));
        tokens.expect(")");
      } else {
        tokens.next();
      }
    }
    properties.keySet().retainAll(KEPT_PROPERTIES);
  }

  private static List<Column> withKeys(
      List<Declared> declared, List<String> keys, KeysType keysType) {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < declared.size(); i++) {
      Declared column = declared.get(i);
      boolean key = i < keys.size();
      if (key && !column.name().equalsIgnoreCase(keys.get(i))) {
        throw new StatementException(
            "Key columns should be a ordered prefix of the schema. KeyColumns["
                + i
                + "] (starts "
                + "from zero) is "
                + keys.get(i)
                + ", but corresponding column is "
                + column.name()
                + " in the previous columns declaration.");
      }
      ColumnType.Kind kind = column.type().kind();
      if (key
          && (kind.isNested()
              || kind == ColumnType.Kind.STRING
              || kind == ColumnType.Kind.JSON
              || kind == ColumnType.Kind.FLOAT
              || kind == ColumnType.Kind.DOUBLE)) {
        throw new StatementException(
            column.type() + " can not be used as key column: " + column.name());
      }
      columns.add(
          new Column(
              column.name(),
              column.type(),
              key,
              column.nullable(),
              column.hasDefault(),
              column.text(),
              column.comment()));
    }
    if (keysType == KeysType.UNIQUE_KEYS && keys.size() == 0) {
      throw new StatementException("A UNIQUE table needs a key column");
    }
    return List.copyOf(columns);
  }

  private @Nullable String sequenceColumn(List<Declared> declared, KeysType keysType) {
    String name = properties.get("function_column.sequence_col");
    if (name == null) {
      return null;
    }
    if (keysType != KeysType.UNIQUE_KEYS) {
      throw new StatementException("sequence column only support UNIQUE_KEYS");
    }
    for (Declared column : declared) {
      if (column.name().equalsIgnoreCase(name)) {
        return column.name();
      }
    }
    throw new StatementException("The specified sequence column[" + name + "] not exists");
  }

  private @Nullable ColumnType sequenceType(KeysType keysType) {
    String type = properties.get("function_column.sequence_type");
    if (type == null) {
      return null;
    }
    if (keysType != KeysType.UNIQUE_KEYS) {
      throw new StatementException("sequence column only support UNIQUE_KEYS");
    }
    return ColumnType.parse(new Tokens(type));
  }
}
