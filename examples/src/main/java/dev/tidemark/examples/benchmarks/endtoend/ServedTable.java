package dev.tidemark.examples.benchmarks.endtoend;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.examples.benchmarks.load.EmulatorProcess;
import dev.tidemark.examples.benchmarks.load.EmulatorProcess.Received;
import java.io.IOException;
import java.io.InputStream;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The table in the emulator that has the rows by key. */
final class ServedTable {
  static final String NAME = "orders";

  /** Of longer tables only number and sum of versions are compared: all of it does not fit. */
  private static final int MAX_ROWS_COMPARED = 1_500_000;

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  private final EmulatorProcess emulator;
  private final String database;

  private ServedTable(EmulatorProcess emulator, String database) {
    this.emulator = emulator;
    this.database = database;
  }

  static ServedTable create(EmulatorProcess emulator, String database)
      throws IOException, InterruptedException {
    emulator.run(database, OrderRow.createTable(database, NAME));
    return new ServedTable(emulator, database);
  }

  String database() {
    return database;
  }

  /** Whether as many rows with such versions are in it. */
  boolean totals(Expected expected) throws IOException, InterruptedException {
    JsonNode totals =
        emulator.run(database, "SELECT COUNT(*), SUM(version) FROM " + NAME).path("data").path(0);
    return totals.path(0).asLong() == expected.rows()
        && totals.path(1).asLong() == expected.versions();
  }

  Received received() throws IOException, InterruptedException {
    return emulator.received(database, NAME);
  }

  /**
   * Compares every row.
   *
   * @throws IllegalStateException if one differs, or what came was wrong
   */
  void check(OrderLog log) throws IOException, InterruptedException {
    JsonNode violations = emulator.violations();
    if (!violations.isEmpty()) {
      throw wrong("the emulator refused " + violations.get(0).asText());
    }
    if (log.keys() > MAX_ROWS_COMPARED) {
      return;
    }
    try (InputStream answer = emulator.open(database, "SELECT * FROM " + NAME);
        JsonParser parser = JSON.createParser(answer)) {
      toRows(parser);
      for (int key = 0; key < log.keys(); key++) {
        OrderRow expected = log.row(key);
        if (expected != null) {
          check(expected, next(parser));
        }
      }
      JsonNode more = next(parser);
      if (more != null) {
        throw wrong("it has a row too many: " + more);
      }
    }
  }

  private void check(OrderRow expected, @Nullable JsonNode row) {
    if (row == null || !expected.equalsRow(row)) {
      throw wrong("in the place of " + expected + " it has " + row);
    }
  }

  /** Goes to the array of rows, {@code data} within {@code data}. */
  private static void toRows(JsonParser parser) throws IOException {
    int objects = 0;
    while (parser.nextToken() != null) {
      if (parser.currentToken() == JsonToken.START_OBJECT) {
        objects++;
      } else if (parser.currentToken() == JsonToken.START_ARRAY
          && objects == 2
          && "data".equals(parser.currentName())) {
        return;
      }
    }
    throw new IOException("Cannot read rows of the emulator: its answer has none.");
  }

  private static @Nullable JsonNode next(JsonParser parser) throws IOException {
    return parser.nextToken() == JsonToken.START_ARRAY ? JSON.readTree(parser) : null;
  }

  private IllegalStateException wrong(String what) {
    return new IllegalStateException(
        "Cannot use run: the table " + database + "." + NAME + " is wrong: " + what);
  }

  void drop() throws IOException, InterruptedException {
    emulator.run(database, "DROP DATABASE " + database);
  }
}
