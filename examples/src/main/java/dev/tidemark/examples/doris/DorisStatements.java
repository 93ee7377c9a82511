package dev.tidemark.examples.doris;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Runs statements over the frontend's query endpoint. */
final class DorisStatements {
  private final DorisHttp http;

  DorisStatements(String frontend, String user, String password) {
    this.http = new DorisHttp(frontend, user, password);
  }

  /** The rows of the result as texts; empty if there is none. */
  List<List<String>> run(String database, String statement) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode row : http.run(database, statement).path("data")) {
      List<String> values = new ArrayList<>();
      row.forEach(
          value ->
              values.add(
                  value.isNull() ? "null" : value.isTextual() ? value.asText() : value.toString()));
      rows.add(values);
    }
    return rows;
  }
}
