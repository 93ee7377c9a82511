package dev.tidemark.peers.doris;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;

/**
 * A job of Flink SQL that tests have the released connector run: statements, and a changelog that
 * they read as the view {@code changes}.
 *
 * <p>The first column of the view is its key, a BIGINT. The others are strings, which statements
 * cast.
 */
final class Script {
  private static final String CHECKPOINT_MILLIS = "checkpoint-millis";
  private static final String COLUMNS = "columns";
  private static final String CHANGE = "change.";
  private static final String STATEMENT = "statement.";
  private static final String SEPARATOR = "\u001f";
  private static final String NULL = "\u0000";

  private final long checkpointMillis;
  private final List<String> columns;
  private final List<Row> changes = new ArrayList<>();
  private final List<String> statements = new ArrayList<>();

  private Script(long checkpointMillis, List<String> columns) {
    this.checkpointMillis = checkpointMillis;
    this.columns = columns;
  }

  /** A script without statements and changes. */
  static Script create(long checkpointMillis, String... columns) {
    return new Script(checkpointMillis, List.of(columns));
  }

  /** Adds a change to the view. */
  Script change(RowKind kind, String... values) {
    if (values.length != columns.size()) {
      throw new IllegalArgumentException(
          String.format("Invalid change: %s (must have columns %s)", List.of(values), columns));
    }
    Object[] fields = Arrays.copyOf(values, values.length, Object[].class);
    fields[0] = Long.valueOf(values[0]);
    changes.add(Row.ofKind(kind, fields));
    return this;
  }

  /** Adds a statement. An INSERT is awaited. */
  Script sql(String statement) {
    statements.add(statement);
    return this;
  }

  long checkpointMillis() {
    return checkpointMillis;
  }

  List<String> statements() {
    return Collections.unmodifiableList(statements);
  }

  /** Defines the view, if there are changes. */
  void defineChanges(StreamExecutionEnvironment flink, StreamTableEnvironment tables) {
    if (changes.isEmpty()) {
      return;
    }
    TypeInformation<?>[] types = new TypeInformation<?>[columns.size()];
    Arrays.fill(types, Types.STRING);
    types[0] = Types.LONG;
    Schema.Builder schema = Schema.newBuilder().column(columns.get(0), "BIGINT NOT NULL");
    for (String column : columns.subList(1, columns.size())) {
      schema.column(column, "STRING");
    }
    tables.createTemporaryView(
        "changes",
        tables.fromChangelogStream(
            flink.fromCollection(changes, Types.ROW_NAMED(columns.toArray(String[]::new), types)),
            schema.primaryKey(columns.get(0)).build()));
  }

  void write(Path path) throws IOException {
    Properties properties = new Properties();
    properties.setProperty(CHECKPOINT_MILLIS, Long.toString(checkpointMillis));
    properties.setProperty(COLUMNS, String.join(SEPARATOR, columns));
    for (int i = 0; i < changes.size(); i++) {
      Row change = changes.get(i);
      StringBuilder line = new StringBuilder(change.getKind().shortString());
      for (int column = 0; column < columns.size(); column++) {
        Object value = change.getField(column);
        line.append(SEPARATOR).append(value == null ? NULL : value);
      }
      properties.setProperty(CHANGE + i, line.toString());
    }
    for (int i = 0; i < statements.size(); i++) {
      properties.setProperty(STATEMENT + i, statements.get(i));
    }
    try (Writer writer = Files.newBufferedWriter(path, UTF_8)) {
      properties.store(writer, null);
    }
  }

  static Script read(Path path) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(path, UTF_8)) {
      properties.load(reader);
    }
    Script script =
        create(
            Long.parseLong(properties.getProperty(CHECKPOINT_MILLIS)),
            properties.getProperty(COLUMNS).split(SEPARATOR, -1));
    String line;
    for (int i = 0; (line = properties.getProperty(CHANGE + i)) != null; i++) {
      String[] words = line.split(SEPARATOR, -1);
      String[] values = Arrays.copyOfRange(words, 1, words.length);
      Arrays.setAll(values, column -> values[column].equals(NULL) ? null : values[column]);
      script.change(kind(words[0]), values);
    }
    String statement;
    for (int i = 0; (statement = properties.getProperty(STATEMENT + i)) != null; i++) {
      script.sql(statement);
    }
    return script;
  }

  private static RowKind kind(String shortString) {
    return Arrays.stream(RowKind.values())
        .filter(kind -> kind.shortString().equals(shortString))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("Invalid kind of change: " + shortString));
  }
}
