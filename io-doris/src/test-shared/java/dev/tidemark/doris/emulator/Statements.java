package dev.tidemark.doris.emulator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Runs the few statements that the emulator knows. */
final class Statements {

  private final Cluster cluster;

  Statements(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Answers a request to the endpoint of queries, whose body has the statement. */
  Response answer(String database, String body) {
    JsonNode statement;
    try {
      statement = Json.MAPPER.readTree(body).path("stmt");
    } catch (JsonProcessingException e) {
      return Response.json(ServerSide.error("The body is not JSON"));
    }
    if (!statement.isTextual()) {
      return Response.json(ServerSide.error("The body has no text named stmt"));
    }
    try {
      return Response.json(ServerSide.success(run(database, statement.textValue())));
    } catch (StatementException e) {
      return Response.json(ServerSide.error("errCode = 2, detailMessage = " + e.getMessage()));
    }
  }

  /** Runs a statement, and returns its result as the endpoint has it. */
  Map<String, Object> run(@Nullable String database, String statement) {
    Tokens tokens = new Tokens(statement);
    if (tokens.skip("CREATE", "DATABASE")) {
      tokens.skip("IF", "NOT", "EXISTS");
      cluster.createDatabase(tokens.next());
      return done();
    }
    if (tokens.skip("CREATE", "TABLE")) {
      boolean ifNotExists = tokens.skip("IF", "NOT", "EXISTS");
      cluster.createTable(CreateTable.parse(tokens, database), ifNotExists);
      return done();
    }
    if (tokens.skip("DROP", "DATABASE")) {
      tokens.skip("IF", "EXISTS");
      cluster.dropDatabase(tokens.next());
      return done();
    }
    if (tokens.skip("DROP", "TABLE")) {
      boolean ifExists = tokens.skip("IF", "EXISTS");
      String[] name = name(tokens, database);
      cluster.dropTable(name[0], name[1], ifExists);
      return done();
    }
    if (tokens.skip("TRUNCATE", "TABLE")) {
      String[] name = name(tokens, database);
      cluster.truncate(name[0], name[1]);
      return done();
    }
    if (tokens.skip("SELECT", "*", "FROM")) {
      return select(tokens, database);
    }
    if (tokens.skip("SELECT", "COUNT", "(", "*", ")", ",", "SUM", "(")) {
      return countAndSum(tokens, database);
    }
    if (tokens.skip("SELECT", "COUNT", "(", "*", ")", "FROM")) {
      String[] name = name(tokens, database);
      end(tokens);
      return result(
          List.of(Map.of("name", "count(*)", "type", "BIGINT")),
          List.of(List.of(cluster.rows(name[0], name[1]).size())));
    }
    throw new StatementException("The emulator does not know the statement: " + statement);
  }

  /** After {@code SELECT COUNT(*), SUM(}. */
  private Map<String, Object> countAndSum(Tokens tokens, @Nullable String database) {
    String column = tokens.next();
    if (!tokens.skip(")", "FROM")) {
      throw new StatementException("The emulator does not know what follows: " + tokens.next());
    }
    String[] name = name(tokens, database);
    end(tokens);
    Table.Totals totals = cluster.totals(name[0], name[1], column);
    return result(
        List.of(
            Map.of("name", "count(*)", "type", "BIGINT"),
            Map.of("name", "sum(" + column + ")", "type", "BIGINT")),
        List.of(Arrays.asList(totals.rows(), totals.sum())));
  }

  private Map<String, Object> select(Tokens tokens, @Nullable String database) {
    String[] name = name(tokens, database);
    int limit = tokens.skip("LIMIT") ? tokens.nextInt() : Integer.MAX_VALUE;
    end(tokens);
    List<Map<String, @Nullable Object>> rows = cluster.rows(name[0], name[1]);
    TableDefinition table = cluster.definition(name[0], name[1]);
    if (table == null) {
      throw new StatementException("Unknown table '" + name[1] + "'");
    }
    List<Map<String, String>> meta = new ArrayList<>();
    for (Column column : table.columns()) {
      meta.add(Map.of("name", column.name(), "type", column.type().toString()));
    }
    List<List<@Nullable Object>> data = new ArrayList<>();
    for (Map<String, @Nullable Object> row : rows.subList(0, Math.min(limit, rows.size()))) {
      List<@Nullable Object> values = new ArrayList<>();
      for (Column column : table.columns()) {
        values.add(jsonValue(column.type(), row.get(column.name())));
      }
      data.add(values);
    }
    return result(meta, data);
  }

  /** A value of a type as JSON has it. */
  static @Nullable Object jsonValue(ColumnType type, @Nullable Object value) {
    if (value instanceof List<?> list) {
      ColumnType elements = type.children().get(0);
      List<@Nullable Object> values = new ArrayList<>();
      list.forEach(element -> values.add(jsonValue(elements, element)));
      return values;
    }
    if (value instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> values = new LinkedHashMap<>();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        int field = type.names().indexOf(entry.getKey());
        ColumnType child = type.children().get(field < 0 ? 1 : field);
        values.put(String.valueOf(entry.getKey()), jsonValue(child, entry.getValue()));
      }
      return values;
    }
    if (value instanceof ByteBuffer bytes) {
      byte[] copy = new byte[bytes.remaining()];
      bytes.duplicate().get(copy);
      return Base64.getEncoder().encodeToString(copy);
    }
    if (value instanceof LocalDateTime time) {
      return formatter(type.scale()).format(time);
    }
    if (value instanceof Float number) {
      return Float.isFinite(number) ? number : null;
    }
    if (value instanceof Double number) {
      return Double.isFinite(number) ? number : null;
    }
    return value == null || value instanceof Number || value instanceof Boolean
        ? value
        : value.toString();
  }

  private static DateTimeFormatter formatter(int scale) {
    DateTimeFormatterBuilder builder =
        new DateTimeFormatterBuilder().appendPattern("uuuu-MM-dd HH:mm:ss");
    if (scale > 0) {
      builder.appendFraction(ChronoField.NANO_OF_SECOND, scale, scale, true);
    }
    return builder.toFormatter(Locale.ROOT);
  }

  private static String[] name(Tokens tokens, @Nullable String database) {
    String name = tokens.next();
    if (tokens.skip(".")) {
      return new String[] {name, tokens.next()};
    }
    if (database == null) {
      throw new StatementException("No database selected for table " + name);
    }
    return new String[] {database, name};
  }

  private static void end(Tokens tokens) {
    tokens.skip(";");
    if (tokens.hasNext()) {
      throw new StatementException("The emulator does not know what follows: " + tokens.next());
    }
  }

  private static Map<String, Object> done() {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("type", "exec_status");
    data.put("status", Map.of());
    data.put("time", 0);
    return data;
  }

  private static Map<String, Object> result(
      List<Map<String, String>> meta, List<? extends List<?>> rows) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("type", "result_set");
    data.put("data", rows);
    data.put("meta", meta);
    data.put("status", Map.of());
    data.put("time", 0);
    return data;
  }
}
