package dev.tidemark.examples.doris;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Runs statements over the frontend's query endpoint. */
final class DorisStatements {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
  private final String frontend;
  private final String authorization;

  DorisStatements(String frontend, String user, String password) {
    this.frontend = frontend;
    this.authorization =
        "Basic "
            + Base64.getEncoder()
                .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
  }

  /** The rows of the result as texts; empty if there is none. */
  List<List<String>> run(String database, String statement) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://" + frontend + "/api/query/default_cluster/" + database))
            .header("Authorization", authorization)
            .header("Content-Type", "application/json")
            .timeout(Duration.ofSeconds(60))
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    JSON.writeValueAsString(Map.of("stmt", statement))))
            .build();
    JsonNode answer = JSON.readTree(send(request));
    if (answer.path("code").asInt(-1) != 0) {
      throw new IOException(
          "Cannot run " + statement + ": " + answer.path("msg") + " " + answer.path("data"));
    }
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode row : answer.path("data").path("data")) {
      List<String> values = new ArrayList<>();
      row.forEach(
          value ->
              values.add(
                  value.isNull() ? "null" : value.isTextual() ? value.asText() : value.toString()));
      rows.add(values);
    }
    return rows;
  }

  private String send(HttpRequest request) throws IOException {
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted", e);
    }
  }
}
