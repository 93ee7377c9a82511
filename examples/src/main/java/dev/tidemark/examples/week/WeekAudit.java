package dev.tidemark.examples.week;

import dev.tidemark.examples.week.TableHistory.Version;
import dev.tidemark.iceberg.LateData;
import dev.tidemark.sensor.Finalization;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.iceberg.Table;

/**
 * Compares what the pipelines reported with what is in the table, by brute force: every version of
 * the metadata, every data file, every row.
 */
final class WeekAudit {
  private final List<String> violations = new ArrayList<>();
  private final Map<Long, SortedMap<Long, Long>> lateBySnapshot = new HashMap<>();
  private final Map<Long, Delivery> planned = new HashMap<>();
  private final Table table;
  private long rows;
  private long late;
  private int commits;

  private WeekAudit(Scenario scenario, Table table) {
    this.table = table;
    for (Region region : Region.values()) {
      for (int hour = 1; hour <= scenario.hours(); hour++) {
        scenario.delivered(region, hour).forEach(row -> planned.put(row.id(), row));
      }
    }
    scenario.backfill().forEach(row -> planned.put(row.id(), row));
  }

  static WeekAudit of(Scenario scenario, Table table, List<Version> history, List<LateData> reports)
      throws IOException {
    WeekAudit audit = new WeekAudit(scenario, table);
    audit.readCommits(history);
    audit.checkWatermarks(history);
    audit.checkReports(reports);
    audit.checkSensor(history);
    return audit;
  }

  /** What is not as it must be; empty if all is well. */
  List<String> violations() {
    return List.copyOf(violations);
  }

  /** Rows below the watermark that their commit met, by snapshot and event-time hour. */
  Map<Long, SortedMap<Long, Long>> lateBySnapshot() {
    return lateBySnapshot;
  }

  long rows() {
    return rows;
  }

  int commits() {
    return commits;
  }

  long late() {
    return late;
  }

  /** Late changes and those of the backfill that the scenario holds. */
  long plannedLate() {
    return planned.values().stream().filter(Delivery::late).count();
  }

  /** The watermark that a commit met is the one in the version that it replaced. */
  private void readCommits(List<Version> history) throws IOException {
    Map<Long, Integer> times = new HashMap<>();
    Long met = null;
    for (Version version : history) {
      if (version.snapshot() != null) {
        commits++;
        for (Map.Entry<Long, Long> row :
            DataFileRows.addedBy(version.snapshot(), table).entrySet()) {
          times.merge(row.getKey(), 1, Integer::sum);
          readRow(version, row.getKey(), row.getValue(), met);
        }
      }
      met = version.watermarkMillis();
    }
    for (Map.Entry<Long, Integer> id : times.entrySet()) {
      expect(id.getValue() == 1, "id " + id.getKey() + " is there " + id.getValue() + " times");
    }
    planned.keySet().forEach(id -> expect(times.containsKey(id), "id " + id + " is missing"));
  }

  private void readRow(Version version, long id, long eventMillis, Long met) {
    rows++;
    Delivery delivery = planned.get(id);
    expect(delivery != null && delivery.eventMillis() == eventMillis, "id " + id + " was not sent");
    if (met != null && eventMillis < met) {
      late++;
      long hour = Math.floorDiv(eventMillis, Scenario.HOUR_MILLIS) * Scenario.HOUR_MILLIS;
      lateBySnapshot
          .computeIfAbsent(version.snapshot().snapshotId(), snapshot -> new TreeMap<>())
          .merge(hour, 1L, Long::sum);
      expect(
          delivery != null && delivery.late(),
          "id " + id + " came in time and below the watermark " + Instant.ofEpochMilli(met));
    }
  }

  /** Whole hours, one after the other: no hour is taken back. */
  private void checkWatermarks(List<Version> history) {
    Long before = null;
    for (Version version : history) {
      Long now = version.watermarkMillis();
      expect(
          before == null || (now != null && now >= before),
          "version " + version.number() + " moved the watermark back");
      expect(
          now == null || now % Scenario.HOUR_MILLIS == 0,
          "version " + version.number() + " finalized a part of an hour");
      before = now;
    }
    expect(before != null, "there is no watermark");
  }

  /** A consumer knows repeated reports by their snapshot. */
  private void checkReports(List<LateData> reports) {
    Map<Long, SortedMap<Long, Long>> reported = new HashMap<>();
    for (LateData report : reports) {
      SortedMap<Long, Long> byHour = new TreeMap<>();
      report
          .recordsByHour()
          .forEach((hour, count) -> byHour.merge(hour.getMillis(), count, Long::sum));
      SortedMap<Long, Long> other = reported.put(report.snapshotId(), byHour);
      expect(
          other == null || other.equals(byHour),
          "two reports of snapshot " + report.snapshotId() + " differ");
      expect(report.exact(), "the report of snapshot " + report.snapshotId() + " is not exact");
    }
    lateBySnapshot.forEach(
        (snapshot, byHour) ->
            expect(
                byHour.equals(reported.get(snapshot)),
                String.format(
                    "snapshot %d has late rows %s and the report %s",
                    snapshot, byHour, reported.get(snapshot))));
    reported.forEach(
        (snapshot, byHour) ->
            expect(
                lateBySnapshot.containsKey(snapshot),
                "snapshot " + snapshot + " has no late rows and the report " + byHour));
  }

  private void checkSensor(List<Version> history) {
    Long until = history.get(history.size() - 1).watermarkMillis();
    if (until == null) {
      return;
    }
    Finalization sensor = Finalization.of(table);
    Instant end = Instant.ofEpochMilli(until);
    Instant start = end.minusMillis(Scenario.HOUR_MILLIS);
    expect(sensor.isFinalized(start, end), "the sensor does not see the last finalized hour");
    expect(
        !sensor.isFinalized(end, end.plusMillis(Scenario.HOUR_MILLIS)),
        "the sensor sees an hour that is not finalized");
  }

  private void expect(boolean holds, String violation) {
    if (!holds) {
      violations.add(violation);
    }
  }
}
