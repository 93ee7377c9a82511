package dev.tidemark.examples.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Iceberg's REST catalog, over a database file, on loopback. */
final class RestCatalogProcess implements AutoCloseable {
  private final ServerProcess process;
  private final int port;

  private RestCatalogProcess(ServerProcess process, int port) {
    this.process = process;
    this.port = port;
  }

  static RestCatalogProcess start(Path folder) throws Exception {
    Path warehouse = Files.createDirectories(folder.resolve("warehouse"));
    ServerProcess process =
        ServerProcess.java(
            "the REST catalog",
            folder.resolve("rest-catalog.log"),
            List.of(
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                ServerJars.classPath("iceberg-rest"),
                "dev.tidemark.servers.RestCatalog",
                folder.resolve("catalog.db").toString(),
                "file://" + warehouse));
    return new RestCatalogProcess(process, Integer.parseInt(process.awaitLine("listening ")));
  }

  String uri() {
    return "http://127.0.0.1:" + port;
  }

  @Override
  public void close() {
    process.close();
  }
}
