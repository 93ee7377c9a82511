package dev.tidemark.examples.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The SQL that a page of the documentation shows under a heading, statement by statement. What a
 * statement answers first goes where later ones have the name that a comment behind it tells:
 * {@code SELECT ...; -- <pinned>}.
 */
final class SqlBlocks {
  private static final Pattern NAMED = Pattern.compile("--\\s*<(\\w+)>");

  private SqlBlocks() {}

  /** Where a statement is run. */
  interface Engine {
    List<JsonNode> query(String statement) throws Exception;
  }

  /**
   * Runs the statements of a section.
   *
   * @param values what names stand for; answers are added
   * @return the rows of the last statement
   */
  static List<JsonNode> run(String page, String heading, Map<String, String> values, Engine engine)
      throws Exception {
    List<JsonNode> rows = List.of();
    List<String> statements = statements(page, heading);
    if (statements.isEmpty()) {
      throw new IllegalArgumentException("No SQL in docs/%s under %s".formatted(page, heading));
    }
    for (String statement : statements) {
      rows = engine.query(filled(statement.replaceAll("--.*", ""), values));
      Matcher named = NAMED.matcher(statement);
      if (named.find()) {
        if (rows.isEmpty()) {
          throw new IllegalStateException("No answer for a name: " + statement);
        }
        values.put(named.group(1), lastColumn(rows.get(0)));
      }
    }
    return rows;
  }

  private static String filled(String statement, Map<String, String> values) {
    String filled = statement;
    for (Map.Entry<String, String> value : values.entrySet()) {
      filled = filled.replace("<" + value.getKey() + ">", value.getValue());
    }
    return filled.replaceAll("\\s+", " ").strip();
  }

  private static String lastColumn(JsonNode row) {
    String last = "";
    for (Iterator<JsonNode> columns = row.elements(); columns.hasNext(); ) {
      last = columns.next().asText();
    }
    return last;
  }

  /** Statements with the comments behind them. */
  private static List<String> statements(String page, String heading) throws IOException {
    List<String> statements = new ArrayList<>();
    boolean inSection = false;
    boolean inBlock = false;
    StringBuilder statement = new StringBuilder();
    for (String line : Files.readAllLines(page(page))) {
      if (line.startsWith("## ")) {
        inSection = line.equals("## " + heading);
      } else if (line.startsWith("```")) {
        inBlock = inSection && line.equals("```sql");
      } else if (inBlock) {
        int end = line.indexOf(';');
        statement.append(end < 0 ? line : line.substring(0, end)).append('\n');
        if (end >= 0) {
          statements.add(statement + line.substring(end + 1));
          statement.setLength(0);
        }
      }
    }
    return statements;
  }

  /** Failsafe runs in the module's folder. */
  private static Path page(String page) {
    return Path.of("..", "docs", page);
  }
}
