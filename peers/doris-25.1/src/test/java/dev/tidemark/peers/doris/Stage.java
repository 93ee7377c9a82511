package dev.tidemark.peers.doris;

import dev.tidemark.doris.emulator.DorisEmulator;
import dev.tidemark.doris.emulator.TransactionInfo;
import dev.tidemark.doris.emulator.TransactionState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.rules.ExternalResource;

/** An emulator for each test, with one table; and the process that all tests share. */
final class Stage extends ExternalResource {
  static final String DATABASE = "testdb";
  static final String TABLE = "tbl";

  /** Credentials that have to be encoded in a URL. */
  static final String USER = "root";

  static final String PASSWORD = "p@ss:w";

  private static final String TWO_COLUMNS = "id BIGINT, name STRING";

  private DorisEmulator emulator;

  @Override
  protected void before() throws IOException {
    emulator = DorisEmulator.builder().user(USER).password(PASSWORD).keepBodies(true).start();
  }

  @Override
  protected void after() {
    emulator.close();
  }

  DorisEmulator emulator() {
    return emulator;
  }

  /** Makes the table with an id and a name. */
  void createTable() {
    createTable("id BIGINT NOT NULL, name VARCHAR(100) NULL");
  }

  /** Makes the table with columns of which the first is {@code id}, the key. */
  void createTable(String columns) {
    createTable(TABLE, columns);
  }

  /** Makes a table with columns of which the first is {@code id}, the key. */
  void createTable(String name, String columns) {
    emulator.createTable(
        "CREATE TABLE "
            + DATABASE
            + "."
            + name
            + " ("
            + columns
            + ") UNIQUE KEY(id) DISTRIBUTED BY HASH(id) BUCKETS 1"
            + " PROPERTIES('enable_unique_key_merge_on_write' = 'true')");
  }

  /** A script that writes the rows of a query to a table with an id and a name. */
  Script insert(Script script, String query, Map<String, String> options) {
    return insert(script, TABLE, TWO_COLUMNS, query, options);
  }

  /** A script that writes the rows of a query to a table. */
  Script insert(
      Script script, String table, String columns, String query, Map<String, String> options) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("connector", "doris");
    all.put("fenodes", emulator.frontend());
    all.put("table.identifier", DATABASE + "." + table);
    all.put("username", USER);
    all.put("password", PASSWORD);
    all.putAll(options);
    String with =
        all.entrySet().stream()
            .map(option -> "'" + option.getKey() + "' = '" + option.getValue() + "'")
            .collect(Collectors.joining(", "));
    return script
        .sql(
            "CREATE TABLE sink ("
                + columns
                + ", PRIMARY KEY (id) NOT ENFORCED) WITH ("
                + with
                + ")")
        .sql("INSERT INTO sink " + query);
  }

  /** The visible rows in the order of their keys, the values of each in the order of columns. */
  List<List<Object>> rows() {
    return rows(TABLE);
  }

  /** The visible rows of a table. */
  List<List<Object>> rows(String table) {
    return emulator.rows(DATABASE, table).stream()
        .sorted((one, other) -> Long.compare((Long) one.get("id"), (Long) other.get("id")))
        .map(row -> (List<Object>) new ArrayList<>(row.values()))
        .collect(Collectors.toList());
  }

  /** A row as {@link #rows()} has it. */
  static List<Object> row(Object... values) {
    return Arrays.asList(values);
  }

  /** The transactions that are in a state. */
  List<TransactionInfo> transactions(TransactionState state) {
    return emulator.transactions().stream()
        .filter(transaction -> transaction.state() == state)
        .collect(Collectors.toList());
  }
}
