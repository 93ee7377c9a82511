package dev.tidemark.examples.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/** A change table as Spark reads it, and as its metadata files tell it. */
final class ChangeTable {
  private static final String WATERMARK = "tidemark.finalized-until";

  private final SparkReader spark;
  private final String name;
  private final ObjectMapper json = new ObjectMapper();

  ChangeTable(SparkReader spark, String database, String table) {
    this.spark = spark;
    this.name = SparkReader.CATALOG + "." + database + "." + table;
  }

  /** Has all metadata files kept from now on. */
  void keepMetadata() throws IOException {
    spark.query(
        "ALTER TABLE "
            + name
            + " SET TBLPROPERTIES ('write.metadata.delete-after-commit.enabled'='false',"
            + " 'write.metadata.previous-versions-max'='100000')");
  }

  List<JsonNode> query(String statement) throws IOException {
    return spark.query(statement.replace("{table}", name));
  }

  /** Log sequence numbers of all rows, in order. */
  List<Long> positions() throws IOException {
    List<Long> positions = new ArrayList<>();
    for (JsonNode row :
        query("SELECT shiftright(_position, 2) AS lsn FROM {table} ORDER BY _position")) {
      positions.add(row.path("lsn").asLong());
    }
    return positions;
  }

  /** The watermarks that metadata versions held, in the order of the versions; null for none. */
  List<Instant> watermarks() throws IOException {
    List<Instant> watermarks = new ArrayList<>();
    for (JsonNode version : versions()) {
      JsonNode text = version.path("properties").path(WATERMARK);
      watermarks.add(text.isMissingNode() ? null : Instant.parse(text.asText()));
    }
    return watermarks;
  }

  /** The metadata versions that are kept, oldest first. */
  List<JsonNode> versions() throws IOException {
    List<JsonNode> versions = new ArrayList<>();
    for (JsonNode entry :
        query("SELECT file FROM {table}.metadata_log_entries ORDER BY timestamp, file")) {
      versions.add(metadata(entry.path("file").asText()));
    }
    return versions;
  }

  /** The table's properties. */
  Map<String, String> properties() throws IOException {
    Map<String, String> properties = new TreeMap<>();
    for (JsonNode property : query("SHOW TBLPROPERTIES {table}")) {
      properties.put(property.path("key").asText(), property.path("value").asText());
    }
    return properties;
  }

  /** The head of the main branch. */
  long head() throws IOException {
    return query("SELECT snapshot_id FROM {table}.refs WHERE name = 'main'")
        .get(0)
        .path("snapshot_id")
        .asLong();
  }

  private JsonNode metadata(String location) throws IOException {
    Path file = location.startsWith("file:") ? Path.of(URI.create(location)) : Path.of(location);
    try (InputStream in = Files.newInputStream(file)) {
      return json.readTree(
          location.contains(".gz.") || location.endsWith(".gz") ? new GZIPInputStream(in) : in);
    }
  }

  /**
   * The records that were committed below the watermark in force, by their snapshots and hours.
   * Files tell which snapshot added them, snapshots tell the watermark they met.
   */
  Map<Long, Map<Instant, Long>> lateRecords() throws IOException {
    Map<Long, Instant> met = new HashMap<>();
    for (JsonNode snapshot :
        query("SELECT snapshot_id, summary['" + WATERMARK + "'] AS met FROM {table}.snapshots")) {
      if (snapshot.hasNonNull("met")) {
        met.put(
            snapshot.path("snapshot_id").asLong(), Instant.parse(snapshot.path("met").asText()));
      }
    }
    Map<String, Long> snapshots = new HashMap<>();
    for (JsonNode entry :
        query(
            "SELECT snapshot_id, data_file.file_path AS path FROM {table}.entries"
                + " WHERE status < 2")) {
      snapshots.put(entry.path("path").asText(), entry.path("snapshot_id").asLong());
    }
    Map<Long, Map<Instant, Long>> late = new TreeMap<>();
    for (JsonNode group :
        query(
            "SELECT _file AS path, unix_millis(date_trunc('HOUR', _ts)) AS hour, count(*) AS records"
                + " FROM {table} GROUP BY 1, 2")) {
      Instant hour = Instant.ofEpochMilli(group.path("hour").asLong());
      Long snapshot = snapshots.get(group.path("path").asText());
      Instant watermark = met.get(snapshot);
      // Watermarks are whole hours, so an hour is late as a whole.
      if (watermark != null && hour.isBefore(watermark)) {
        late.computeIfAbsent(snapshot, id -> new TreeMap<>())
            .merge(hour, group.path("records").asLong(), Long::sum);
      }
    }
    return late;
  }
}
