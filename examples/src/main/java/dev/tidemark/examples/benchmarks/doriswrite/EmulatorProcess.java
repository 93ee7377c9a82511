package dev.tidemark.examples.benchmarks.doriswrite;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.examples.benchmarks.load.LoadRow;
import dev.tidemark.examples.doris.DorisHttp;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;

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
  private final DorisHttp http;

  private EmulatorProcess(Process process, DorisHttp http) {
    this.process = process;
    this.http = http;
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
        return new EmulatorProcess(
            process, new DorisHttp(line.substring(READY.length()), USER, PASSWORD));
      }
    }
    throw new IOException("Cannot start the emulator: its process ended. See " + log + ".");
  }

  /** Address of the frontend. */
  String frontend() {
    return http.frontend();
  }

  /** Makes an empty table for {@link LoadRow}s. */
  void createTable(String name) throws IOException {
    String statement =
        String.format(
            "CREATE TABLE %s.%s (id BIGINT NOT NULL, quantity INT NULL, customer VARCHAR(20) NULL,"
                + " device VARCHAR(20) NULL, price DOUBLE NULL, event_time DATETIME(6) NULL,"
                + " amount DECIMAL(%d, %d) NULL, express BOOLEAN NULL) UNIQUE KEY(id)"
                + " DISTRIBUTED BY HASH(id) BUCKETS 1",
            DATABASE, name, LoadRow.AMOUNT_PRECISION, LoadRow.AMOUNT_SCALE);
    http.run(DATABASE, statement);
  }

  Received received(String table) throws IOException {
    long loads = 0;
    long rows = 0;
    long bytes = 0;
    for (JsonNode transaction : http.emulatedTransactions()) {
      if (transaction.path("table").asText().equals(table)
          && transaction.path("state").asText().equals(VISIBLE)) {
        loads++;
        rows += transaction.path("rows").asLong();
        bytes += transaction.path("bytes").asLong();
      }
    }
    return new Received(loads, rows, bytes);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
