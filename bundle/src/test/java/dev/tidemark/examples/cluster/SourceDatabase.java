package dev.tidemark.examples.cluster;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;

/** A PostgreSQL whose log is decoded, and Debezium that reads it and sends changes to Kafka. */
final class SourceDatabase implements AutoCloseable {
  /** What names of topics begin with. */
  static final String PREFIX = "source";

  static final String SCHEMA = "shop";

  private final EmbeddedPostgres postgres;
  private ServerProcess debezium;

  private SourceDatabase(EmbeddedPostgres postgres) {
    this.postgres = postgres;
  }

  static SourceDatabase start(Path folder) throws IOException {
    return new SourceDatabase(
        EmbeddedPostgres.builder()
            .setServerConfig("wal_level", "logical")
            .setServerConfig("max_replication_slots", "2")
            .setServerConfig("max_wal_senders", "2")
            .setServerConfig("fsync", "off")
            .setOverrideWorkingDirectory(folder.resolve("postgres").toFile())
            .start());
  }

  Connection connect() throws SQLException {
    return postgres.getPostgresDatabase().getConnection();
  }

  /** Starts Debezium: a snapshot of all tables of the schema, and then the log. */
  void startDebezium(Path folder, String bootstrapServers) throws Exception {
    Properties settings = new Properties();
    settings.setProperty("bootstrap.servers", bootstrapServers);
    settings.setProperty("name", "source");
    settings.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
    settings.setProperty(
        "offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
    settings.setProperty(
        "offset.storage.file.filename", folder.resolve("debezium.offsets").toString());
    settings.setProperty("offset.flush.interval.ms", "0");
    settings.setProperty("database.hostname", "127.0.0.1");
    settings.setProperty("database.port", Integer.toString(postgres.getPort()));
    settings.setProperty("database.user", "postgres");
    settings.setProperty("database.password", "postgres");
    settings.setProperty("database.dbname", "postgres");
    settings.setProperty("plugin.name", "pgoutput");
    settings.setProperty("publication.autocreate.mode", "filtered");
    settings.setProperty("schema.include.list", SCHEMA);
    settings.setProperty("topic.prefix", PREFIX);
    settings.setProperty("snapshot.mode", "initial");
    settings.setProperty("key.converter.schemas.enable", "false");
    settings.setProperty("value.converter.schemas.enable", "false");
    settings.setProperty("converter.schemas.enable", "false");
    Path file = folder.resolve("debezium.properties");
    try (var writer = Files.newBufferedWriter(file)) {
      settings.store(writer, null);
    }
    debezium =
        ServerProcess.java(
            "Debezium",
            folder.resolve("debezium.log"),
            List.of(
                "-Xmx384m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                "-cp",
                ServerJars.classPath("debezium"),
                "dev.tidemark.servers.DebeziumToKafka",
                file.toString()));
    Poll.until(
        "Debezium reads the log",
        Duration.ofSeconds(90),
        () -> query("SELECT count(*)::text FROM pg_replication_slots WHERE active").contains("1"),
        debezium::tail);
  }

  /** The rows of a query, as texts whose columns are joined by {@code |}. */
  Set<String> query(String statement) throws SQLException {
    try (Connection connection = connect();
        Statement query = connection.createStatement();
        ResultSet result = query.executeQuery(statement)) {
      Set<String> rows = new TreeSet<>();
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        List<String> values = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          values.add(String.valueOf(result.getString(i)));
        }
        rows.add(String.join("|", values));
      }
      return rows;
    }
  }

  @Override
  public void close() throws IOException {
    if (debezium != null) {
      debezium.close();
    }
    postgres.close();
  }
}
