package dev.tidemark.examples.doris;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableMap;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;

/** What a frontend answers over HTTP: to statements, and of the emulator to questions about it. */
public final class DorisHttp {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration ANSWER = Duration.ofSeconds(60);

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(CONNECT).build();
  private final String frontend;
  private final String authorization;

  /** Asks a frontend, given as {@code host:port}, as a user. */
  public DorisHttp(String frontend, String user, String password) {
    this.frontend = frontend;
    this.authorization =
        "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8));
  }

  /** Address of the frontend. */
  public String frontend() {
    return frontend;
  }

  /** Runs a statement in a database; what the frontend has to tell of it. */
  public JsonNode run(String database, String statement) throws IOException {
    return send(
        "POST",
        "/api/query/default_cluster/" + database,
        BodyPublishers.ofString(JSON.writeValueAsString(ImmutableMap.of("stmt", statement)), UTF_8),
        "run " + statement);
  }

  /** The transactions that the emulator has seen. */
  public JsonNode emulatedTransactions() throws IOException {
    return emulated("transactions");
  }

  /** What clients did that a real Doris would not have taken, as the emulator has seen it. */
  public JsonNode emulatedViolations() throws IOException {
    return emulated("violations");
  }

  private JsonNode emulated(String what) throws IOException {
    return send(
        "GET", "/api/_emulator/" + what, BodyPublishers.noBody(), "ask the emulator for " + what);
  }

  private JsonNode send(String method, String path, BodyPublisher body, String purpose)
      throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + frontend + path))
            .header("Authorization", authorization)
            .header("Content-Type", "application/json")
            .timeout(ANSWER)
            .method(method, body)
            .build();
    JsonNode answer = JSON.readTree(send(request));
    if (answer.path("code").asInt(-1) != 0) {
      throw new IOException(
          "Cannot " + purpose + ": " + answer.path("msg") + " " + answer.path("data"));
    }
    return answer.path("data");
  }

  private String send(HttpRequest request) throws IOException {
    try {
      return http.send(request, BodyHandlers.ofString(UTF_8)).body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("Interrupted while " + frontend + " was asked");
      interrupted.initCause(e);
      throw interrupted;
    }
  }
}
