package dev.tidemark.examples.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a reader makes of the reports of late data that the pipeline writes: it knows a report by
 * its snapshot, and takes each once.
 */
final class LateReports {
  private final Map<Long, Map<Instant, Long>> bySnapshot = new TreeMap<>();
  private int read;

  private LateReports() {}

  /** Reads all reports in a folder. */
  static LateReports in(Path folder) throws IOException {
    LateReports reports = new LateReports();
    ObjectMapper json = new ObjectMapper();
    for (Path file : CdcStage.files(folder)) {
      for (String line : Files.readAllLines(file)) {
        reports.take(json.readTree(line), file);
      }
    }
    return reports;
  }

  private void take(JsonNode report, Path file) {
    read++;
    Map<Instant, Long> hours = new TreeMap<>();
    report
        .path("recordsByHour")
        .fields()
        .forEachRemaining(
            hour -> hours.put(Instant.parse(hour.getKey()), hour.getValue().asLong()));
    long snapshot = Long.parseLong(report.path("snapshotId").asText());
    Map<Instant, Long> before = bySnapshot.putIfAbsent(snapshot, hours);
    if (before != null && !before.equals(hours)) {
      throw new AssertionError(
          String.format(
              "Snapshot %d was reported with %s, and again with %s in %s",
              snapshot, before, hours, file));
    }
  }

  /** Late records by snapshot and hour. */
  Map<Long, Map<Instant, Long>> bySnapshot() {
    return bySnapshot;
  }

  /** How many reports there were, with those that were made again. */
  int read() {
    return read;
  }
}
