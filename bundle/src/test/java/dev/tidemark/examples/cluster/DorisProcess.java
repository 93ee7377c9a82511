package dev.tidemark.examples.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.examples.doris.DorisHttp;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The emulator of Doris in a process of its own. */
final class DorisProcess implements AutoCloseable {
  static final String USER = "root";

  private final ServerProcess process;
  private final DorisHttp http;

  private DorisProcess(ServerProcess process, DorisHttp http) {
    this.process = process;
    this.http = http;
  }

  static DorisProcess start(Path folder, String password) throws Exception {
    ServerProcess process =
        ServerProcess.java(
            "the emulator of Doris",
            folder.resolve("doris.log"),
            List.of(
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-jar",
                ServerJars.emulator().toString(),
                "--fe-port",
                "0",
                "--be-port",
                "0",
                "--user",
                USER),
            Map.of("DORIS_PASSWORD", password));
    return new DorisProcess(process, new DorisHttp(process.awaitLine("frontend "), USER, password));
  }

  /** Address of the frontend. */
  String frontend() {
    return http.frontend();
  }

  /** Runs a statement in a database. */
  JsonNode run(String database, String statement) throws IOException {
    return http.run(database, statement);
  }

  /** The rows of a table, each by the names of its columns. */
  List<Map<String, JsonNode>> rows(String database, String table) throws IOException {
    JsonNode answer = run(database, "SELECT * FROM " + table);
    List<Map<String, JsonNode>> rows = new ArrayList<>();
    for (JsonNode values : answer.path("data")) {
      Map<String, JsonNode> row = new LinkedHashMap<>();
      for (int i = 0; i < values.size(); i++) {
        row.put(answer.path("meta").path(i).path("name").asText(), values.get(i));
      }
      rows.add(row);
    }
    return rows;
  }

  /** What clients did that a real Doris would not have taken. */
  JsonNode violations() throws IOException {
    return http.emulatedViolations();
  }

  /** How many loads are visible. */
  long visibleLoads() throws IOException {
    long loads = 0;
    for (JsonNode transaction : http.emulatedTransactions()) {
      loads += transaction.path("state").asText().equals("VISIBLE") ? 1 : 0;
    }
    return loads;
  }

  @Override
  public void close() {
    process.close();
  }
}
