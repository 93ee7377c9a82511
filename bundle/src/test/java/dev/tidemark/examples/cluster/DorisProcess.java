package dev.tidemark.examples.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableMap;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The emulator of Doris in a process of its own. */
final class DorisProcess implements AutoCloseable {
  static final String USER = "root";

  private final ServerProcess process;
  private final String frontend;
  private final String password;
  private final HttpClient http = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();

  private DorisProcess(ServerProcess process, String frontend, String password) {
    this.process = process;
    this.frontend = frontend;
    this.password = password;
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
    return new DorisProcess(process, process.awaitLine("frontend "), password);
  }

  /** Address of the frontend. */
  String frontend() {
    return frontend;
  }

  /** Runs a statement in a database. */
  JsonNode run(String database, String statement) throws IOException, InterruptedException {
    return send(
        "POST",
        "/api/query/default_cluster/" + database,
        BodyPublishers.ofString(
            json.writeValueAsString(ImmutableMap.of("stmt", statement)), UTF_8));
  }

  /** The rows of a table, each by the names of its columns. */
  List<Map<String, JsonNode>> rows(String database, String table)
      throws IOException, InterruptedException {
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
  JsonNode violations() throws IOException, InterruptedException {
    return send("GET", "/api/_emulator/violations", BodyPublishers.noBody());
  }

  /** How many loads are visible. */
  long visibleLoads() throws IOException, InterruptedException {
    long loads = 0;
    for (JsonNode transaction :
        send("GET", "/api/_emulator/transactions", BodyPublishers.noBody())) {
      loads += transaction.path("state").asText().equals("VISIBLE") ? 1 : 0;
    }
    return loads;
  }

  private JsonNode send(String method, String path, BodyPublisher body)
      throws IOException, InterruptedException {
    String credentials =
        Base64.getEncoder().encodeToString((USER + ":" + password).getBytes(UTF_8));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + frontend + path))
            .header("Authorization", "Basic " + credentials)
            .method(method, body)
            .build();
    JsonNode answer = json.readTree(http.send(request, BodyHandlers.ofString(UTF_8)).body());
    if (answer.path("code").asInt(-1) != 0) {
      throw new IOException("Cannot use the emulator: it answered " + answer + ".");
    }
    return answer.path("data");
  }

  @Override
  public void close() {
    process.close();
  }
}
