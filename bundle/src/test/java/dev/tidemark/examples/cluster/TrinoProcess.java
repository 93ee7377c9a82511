package dev.tidemark.examples.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Trino with one worker, on loopback, in a process of its own that has a newer JDK. */
final class TrinoProcess implements AutoCloseable {
  private static final int NEWEST_TOO_OLD = 23;
  private static final Duration BOOT = Duration.ofMinutes(4);
  private static final Duration STATEMENT = Duration.ofMinutes(2);
  private static final Pattern VERSION = Pattern.compile("JAVA_VERSION=\"(\\d+)");

  private final ServerProcess process;
  private final URI statements;
  private final HttpClient http = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();

  private TrinoProcess(ServerProcess process, int port) {
    this.process = process;
    this.statements = URI.create("http://127.0.0.1:" + port + "/v1/statement");
  }

  /**
   * A JDK of this machine that is new enough, {@code JAVA_HOME_25} or one beside this one; null if
   * there is none.
   */
  static Path jdk() throws IOException {
    String given = System.getenv("JAVA_HOME_25");
    if (given != null) {
      return Path.of(given);
    }
    Path here = Path.of(System.getProperty("java.home")).toRealPath();
    try (Stream<Path> beside = Files.list(here.getParent())) {
      for (Path jdk : beside.sorted().toList()) {
        Path release = jdk.resolve("release");
        if (Files.isReadable(release)) {
          Matcher version = VERSION.matcher(Files.readString(release));
          if (version.find() && Integer.parseInt(version.group(1)) > NEWEST_TOO_OLD) {
            return jdk;
          }
        }
      }
    }
    return null;
  }

  /** Starts it with a catalog {@code lake}, the REST catalog at an address. */
  static TrinoProcess start(Path folder, Path jdk, String catalogUri) throws Exception {
    Path server = ServerJars.server("trino").resolve("server");
    int port = Ports.free();
    Path etc = Files.createDirectories(folder.resolve("etc"));
    Files.createDirectories(etc.resolve("catalog"));
    Files.writeString(
        etc.resolve("config.properties"),
        """
        coordinator=true
        node-scheduler.include-coordinator=true
        http-server.http.port=%1$d
        http-server.log.enabled=false
        discovery.uri=http://127.0.0.1:%1$d
        query.max-memory=256MB
        query.max-memory-per-node=256MB
        memory.heap-headroom-per-node=128MB
        catalog.config-dir=%2$s
        plugin.dir=%3$s
        """
            .formatted(port, etc.resolve("catalog"), server.resolve("plugin")));
    Files.writeString(
        etc.resolve("catalog").resolve("lake.properties"),
        """
        connector.name=iceberg
        iceberg.catalog.type=rest
        iceberg.rest-catalog.uri=%s
        fs.native-local.enabled=true
        local.location=/
        """
            .formatted(catalogUri));
    List<String> options =
        List.of(
            "-Xmx1g",
            "-XX:+UseSerialGC",
            "-Djava.io.tmpdir=" + folder,
            "-Djdk.attach.allowAttachSelf=true",
            "-Djdk.nio.maxCachedBufferSize=2000000",
            "-XX:+EnableDynamicAgentLoading",
            "--add-modules=jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dfile.encoding=UTF-8",
            "-Dnode.environment=test",
            "-Dnode.id=test",
            "-Dnode.data-dir=" + folder.resolve("data"),
            "-Dnode.internal-address=127.0.0.1",
            "-Dnode.bind-ip=127.0.0.1",
            "-Dconfig=" + etc.resolve("config.properties"),
            "-cp",
            server.resolve("lib") + "/*",
            "io.trino.server.TrinoServer");
    TrinoProcess trino =
        new TrinoProcess(
            ServerProcess.java(jdk, "Trino", folder.resolve("trino.log"), options), port);
    Poll.until(
        "Trino answers",
        BOOT,
        () -> !trino.query("SELECT 1 AS one").isEmpty(),
        trino.process::tail);
    return trino;
  }

  /** The rows of a statement's answer. */
  List<JsonNode> query(String statement) throws IOException, InterruptedException {
    List<JsonNode> rows = new ArrayList<>();
    JsonNode page =
        send(
            HttpRequest.newBuilder(statements)
                .POST(HttpRequest.BodyPublishers.ofString(statement, UTF_8)));
    while (true) {
      if (page.has("error")) {
        throw new IOException(
            "Cannot query with Trino: "
                + page.path("error").path("message").asText()
                + ". Statement: "
                + statement);
      }
      for (JsonNode values : page.path("data")) {
        ObjectNode row = json.createObjectNode();
        for (int i = 0; i < values.size(); i++) {
          row.set(page.path("columns").path(i).path("name").asText(), values.get(i));
        }
        rows.add(row);
      }
      if (!page.has("nextUri")) {
        return rows;
      }
      page = send(HttpRequest.newBuilder(URI.create(page.path("nextUri").asText())).GET());
    }
  }

  private JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<String> response =
        http.send(
            request.timeout(STATEMENT).header("X-Trino-User", "test").build(),
            HttpResponse.BodyHandlers.ofString(UTF_8));
    if (response.statusCode() != 200) {
      throw new IOException(
          "Cannot query with Trino: status " + response.statusCode() + ". " + response.body());
    }
    return json.readTree(response.body());
  }

  @Override
  public void close() {
    process.close();
  }
}
