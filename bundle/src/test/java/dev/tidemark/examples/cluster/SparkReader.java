package dev.tidemark.examples.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Spark with Iceberg's own runtime, which reads what Tidemark wrote, in a process of its own. */
final class SparkReader implements AutoCloseable {
  /** The catalog's name in statements. */
  static final String CATALOG = "lake";

  private static final List<String> OPENED =
      List.of(
          "java.lang",
          "java.lang.invoke",
          "java.io",
          "java.net",
          "java.nio",
          "java.util",
          "java.util.concurrent",
          "sun.nio.ch",
          "sun.nio.cs",
          "sun.security.action",
          "sun.util.calendar");

  private final ServerProcess process;
  private final Writer statements;
  private final BufferedReader answers;
  private final ObjectMapper json = new ObjectMapper();

  private SparkReader(ServerProcess process) {
    this.process = process;
    this.statements = new OutputStreamWriter(process.process().getOutputStream(), UTF_8);
    this.answers =
        new BufferedReader(new InputStreamReader(process.process().getInputStream(), UTF_8));
  }

  /** Starts it with the REST catalog at an address. */
  static SparkReader start(Path folder, String catalogUri) throws IOException {
    return start(folder, List.of("type=rest", "uri=" + catalogUri));
  }

  /** Starts it with a catalog that is a folder. */
  static SparkReader onFiles(Path folder, Path warehouse) throws IOException {
    return start(folder, List.of("type=hadoop", "warehouse=" + warehouse));
  }

  private static SparkReader start(Path folder, List<String> catalog) throws IOException {
    List<String> options = new ArrayList<>();
    options.add("-Xmx1g");
    options.add("-XX:+UseSerialGC");
    options.add("-Djava.io.tmpdir=" + folder);
    for (String opened : OPENED) {
      options.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
    }
    options.addAll(
        List.of(
            "-cp",
            ServerJars.classPath("spark"),
            "dev.tidemark.servers.SparkQueries",
            "spark.master=local[1]",
            "spark.driver.bindAddress=127.0.0.1",
            "spark.driver.host=127.0.0.1",
            "spark.ui.enabled=false",
            "spark.log.level=WARN",
            "spark.sql.shuffle.partitions=1",
            "spark.sql.session.timeZone=UTC",
            "spark.sql.warehouse.dir=" + folder.resolve("spark-warehouse"),
            "spark.sql.extensions=org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
            "spark.sql.catalog." + CATALOG + "=org.apache.iceberg.spark.SparkCatalog",
            "spark.sql.catalog." + CATALOG + ".cache-enabled=false"));
    catalog.forEach(setting -> options.add("spark.sql.catalog." + CATALOG + "." + setting));
    return new SparkReader(ServerProcess.talking("Spark", folder.resolve("spark.log"), options));
  }

  /** The rows of a statement's answer. */
  List<JsonNode> query(String statement) throws IOException {
    statements.write(statement + "\n");
    statements.flush();
    List<JsonNode> rows = new ArrayList<>();
    String line;
    while ((line = answers.readLine()) != null) {
      if (line.equals("end")) {
        return rows;
      }
      if (line.startsWith("failed ")) {
        throw new IOException("Cannot query with Spark: " + line + ". Statement: " + statement);
      }
      if (line.startsWith("row ")) {
        rows.add(json.readTree(line.substring("row ".length())));
      }
    }
    throw new IOException("Cannot query with Spark: its process ended.\n" + process.tail());
  }

  /** Ends it as {@code kill -9} does. */
  void kill() throws InterruptedException {
    process.kill();
  }

  @Override
  public void close() {
    process.close();
  }
}
