package dev.tidemark.examples.benchmarks.doriswrite;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableMap;
import dev.tidemark.examples.benchmarks.load.LoadRow;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Base64;

/**
 * The emulator in a process of its own. It checks what it gets and throws the rows away, so that it
 * has no more to do than it must.
 */
final class EmulatorProcess implements AutoCloseable {
  static final String DATABASE = "bench";
  static final String USER = "root";
  static final String PASSWORD = "bench";

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
  record Received(long loads, long rows, long bytes) {}

  static EmulatorProcess start(Path jar, Path log) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx4g",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-jar",
                jar.toString(),
                "--fe-port",
                "0",
                "--be-port",
                "0",
                "--discard-rows",
                "--user",
                USER)
            .redirectError(log.toFile());
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
  String frontend() {
    return frontend;
  }

  /** Makes an empty table for {@link LoadRow}s. */
  void createTable(String name) throws IOException, InterruptedException {
    String statement =
        String.format(
            "CREATE TABLE %s.%s (id BIGINT NOT NULL, quantity INT NULL, customer VARCHAR(20) NULL,"
                + " device VARCHAR(20) NULL, price DOUBLE NULL, event_time DATETIME(6) NULL,"
                + " amount DECIMAL(%d, %d) NULL, express BOOLEAN NULL) UNIQUE KEY(id)"
                + " DISTRIBUTED BY HASH(id) BUCKETS 1",
            DATABASE, name, LoadRow.AMOUNT_PRECISION, LoadRow.AMOUNT_SCALE);
    send(
        "POST",
        "/api/query/default_cluster/" + DATABASE,
        BodyPublishers.ofString(
            json.writeValueAsString(ImmutableMap.of("stmt", statement)), UTF_8));
  }

  Received received(String table) throws IOException, InterruptedException {
    long loads = 0;
    long rows = 0;
    long bytes = 0;
    for (JsonNode transaction :
        send("GET", "/api/_emulator/transactions", BodyPublishers.noBody())) {
      if (transaction.path("table").asText().equals(table)
          && transaction.path("state").asText().equals(VISIBLE)) {
        loads++;
        rows += transaction.path("rows").asLong();
        bytes += transaction.path("bytes").asLong();
      }
    }
    return new Received(loads, rows, bytes);
  }

  private JsonNode send(String method, String path, BodyPublisher body)
      throws IOException, InterruptedException {
    String credentials =
        Base64.getEncoder().encodeToString((USER + ":" + PASSWORD).getBytes(UTF_8));
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
    process.destroyForcibly();
  }
}
