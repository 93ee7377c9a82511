package dev.tidemark.examples.benchmarks.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableMap;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** The emulator in a process of its own, whose CPU is not that of those who write to it. */
public final class EmulatorProcess implements AutoCloseable {
  /** The user it knows. */
  public static final String USER = "root";

  /** The user's password. */
  public static final String PASSWORD = "bench";

  private static final String MAIN = "dev.tidemark.doris.emulator.DorisEmulatorMain";
  private static final String READY = "frontend ";
  private static final String VISIBLE = "VISIBLE";

  private final Process process;
  private final String frontend;
  private final HttpClient http = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();

  private EmulatorProcess(Process process, String frontend) {
    this.process = process;
    this.frontend = frontend;
  }

  /**
   * What a table has got by loads that are visible.
   *
   * @param bytes of the bodies
   */
  public record Received(long loads, long rows, long bytes) {}

  /**
   * Starts it.
   *
   * @param classPath that has the emulator, such as its jar
   * @param heap size of its heap at most, as the JVM takes it
   * @param options further ones of the program
   */
  public static EmulatorProcess start(String classPath, Path log, String heap, String... options)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heap);
    command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
    command.addAll(List.of("-cp", classPath, MAIN));
    command.addAll(List.of("--fe-port", "0", "--be-port", "0", "--user", USER));
    command.addAll(List.of(options));
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
    builder.environment().put("DORIS_PASSWORD", PASSWORD);
    Process process = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    String line;
    while ((line = output.readLine()) != null) {
      if (line.startsWith(READY)) {
        return new EmulatorProcess(process, line.substring(READY.length()));
      }
    }
    throw new IOException("Cannot start the emulator: its process ended. See " + log + ".");
  }

  /** Address of the frontend. */
  public String frontend() {
    return frontend;
  }

  /** Runs a statement, see docs/doris-emulator.md; what it tells. */
  public JsonNode run(String database, String statement) throws IOException, InterruptedException {
    return send("POST", queries(database), statement(statement));
  }

  /** Runs a statement; the answer as it stands, for results that are long. */
  public InputStream open(String database, String statement)
      throws IOException, InterruptedException {
    HttpRequest request = request("POST", queries(database), statement(statement));
    return http.send(request, BodyHandlers.ofInputStream()).body();
  }

  /** What came that a Doris would have stored as garbage, or would have crashed on. */
  public JsonNode violations() throws IOException, InterruptedException {
    return send("GET", "/api/_emulator/violations", BodyPublishers.noBody());
  }

  /** What a table has got so far. */
  public Received received(String database, String table) throws IOException, InterruptedException {
    long loads = 0;
    long rows = 0;
    long bytes = 0;
    for (JsonNode transaction :
        send("GET", "/api/_emulator/transactions", BodyPublishers.noBody())) {
      if (transaction.path("database").asText().equals(database)
          && transaction.path("table").asText().equals(table)
          && transaction.path("state").asText().equals(VISIBLE)) {
        loads++;
        rows += transaction.path("rows").asLong();
        bytes += transaction.path("bytes").asLong();
      }
    }
    return new Received(loads, rows, bytes);
  }

  private static String queries(String database) {
    return "/api/query/default_cluster/" + database;
  }

  private BodyPublisher statement(String statement) throws IOException {
    return BodyPublishers.ofString(
        json.writeValueAsString(ImmutableMap.of("stmt", statement)), UTF_8);
  }

  private HttpRequest request(String method, String path, BodyPublisher body) {
    String credentials =
        Base64.getEncoder().encodeToString((USER + ":" + PASSWORD).getBytes(UTF_8));
    return HttpRequest.newBuilder(URI.create("http://" + frontend + path))
        .header("Authorization", "Basic " + credentials)
        .method(method, body)
        .build();
  }

  private JsonNode send(String method, String path, BodyPublisher body)
      throws IOException, InterruptedException {
    HttpRequest request = request(method, path, body);
    JsonNode answer = json.readTree(http.send(request, BodyHandlers.ofString(UTF_8)).body());
    if (answer.path("code").asInt(-1) != 0) {
      throw new IOException("Cannot use the emulator: it answered " + answer + ".");
    }
    return answer.path("data");
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
