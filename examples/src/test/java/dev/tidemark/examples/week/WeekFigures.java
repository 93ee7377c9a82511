package dev.tidemark.examples.week;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;

import dev.tidemark.examples.week.TableHistory.Version;
import dev.tidemark.finalization.Lookback;
import dev.tidemark.report.CommitSpan;
import dev.tidemark.report.LateCount;
import dev.tidemark.report.ReportedHour;
import dev.tidemark.report.Simulation;
import dev.tidemark.report.Span;
import dev.tidemark.report.TableReport;
import dev.tidemark.report.WatermarkStep;
import dev.tidemark.sensor.Finalization;
import dev.tidemark.sensor.FinalizationTimeline;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.Table;
import org.joda.time.Duration;

/** Report and simulation of the simulated time, against its data files and metadata versions. */
final class WeekFigures {
  private final Table table;
  private final List<Version> history;
  private final Map<Long, Long> recordsByHour = new TreeMap<>();
  private final Map<Long, Long> lateByHour = new TreeMap<>();
  private final Map<Long, List<Long>> times = new HashMap<>();
  private final List<Long> lateByCommit = new ArrayList<>();
  private final List<Long> watermarks = new ArrayList<>();

  WeekFigures(Table table, Path warehouse) throws IOException {
    this.table = table;
    this.history = TableHistory.read(table, warehouse.resolve(Week.METADATA));
    count();
  }

  private void count() throws IOException {
    Long met = null;
    for (Version version : history) {
      if (version.snapshot() != null) {
        long late = 0;
        List<Long> added = List.copyOf(DataFileRows.addedBy(version.snapshot(), table).values());
        times.put(version.snapshot().snapshotId(), added);
        for (long at : added) {
          long hour = Math.floorDiv(at, Scenario.HOUR_MILLIS) * Scenario.HOUR_MILLIS;
          recordsByHour.merge(hour, 1L, Long::sum);
          if (met != null && at < met) {
            lateByHour.merge(hour, 1L, Long::sum);
            late++;
          }
        }
        lateByCommit.add(late);
      }
      if (version.watermarkMillis() != null && !version.watermarkMillis().equals(met)) {
        watermarks.add(version.watermarkMillis());
      }
      met = version.watermarkMillis();
    }
  }

  void check() {
    FinalizationTimeline timeline = Finalization.of(table).timeline();
    TableReport report = TableReport.of(timeline, Span.ALL, Instant.now());
    assertThat(report.cut(), is(false));
    checkCommits(report);
    checkHours(report);
    checkSimulations(timeline);
  }

  private void checkCommits(TableReport report) {
    List<Long> late = new ArrayList<>();
    for (CommitSpan commit : report.commits()) {
      assertThat(commit.toString(), commit.late().exact(), is(true));
      late.add(commit.late().least());
    }
    assertThat(late, is(lateByCommit));
    assertThat(
        report.moves().stream().map(move -> move.watermark().toEpochMilli()).toList(),
        is(watermarks));
    assertThat(report.holds().size(), greaterThan(0));
  }

  private void checkHours(TableReport report) {
    Map<Long, Long> records = new TreeMap<>();
    Map<Long, Long> late = new TreeMap<>();
    for (ReportedHour hour : report.hours()) {
      if (hour.records() > 0) {
        records.put(hour.start().toEpochMilli(), hour.records());
      }
      if (hour.late() > 0) {
        late.put(hour.start().toEpochMilli(), hour.late());
      }
    }
    assertThat(records, is(recordsByHour));
    assertThat(late, is(lateByHour));
    long delayed = report.delays().stream().mapToLong(delay -> delay.records()).sum();
    assertThat(delayed, is(recordsByHour.values().stream().mapToLong(Long::longValue).sum()));
  }

  /**
   * Each replay against the rows in the data files: what its own watermark makes of them. A longer
   * lookback never has the higher watermark, decision by decision. The times of decisions are by
   * the clocks of those who commit or ask, and do not only go up, so hours are not compared.
   */
  private void checkSimulations(FinalizationTimeline timeline) {
    Simulation same = simulate(timeline, Scenario.LOOKBACK_COMMITS, Scenario.LOOKBACK.toHours());
    Simulation longer = simulate(timeline, 2 * Scenario.LOOKBACK_COMMITS, 6);
    long late = lateByCommit.stream().mapToLong(Long::longValue).sum();

    for (Simulation simulation : List.of(same, longer)) {
      assertThat(simulation.actualLate(), is(new LateCount(late, late)));
      assertThat(simulation.unsurePoints(), is(0));
      checkSimulated(simulation);
    }
    assertThat(same.deltas().size(), greaterThan(24));
    long elsewhere =
        same.deltas().stream().filter(delta -> Math.abs(delta.toMinutes()) > 30).count();
    assertThat(same.deltas().toString(), 2 * elsewhere < same.deltas().size(), is(true));
    for (int i = 0; i < same.commits().size(); i++) {
      Instant high = same.commits().get(i).met();
      Instant low = longer.commits().get(i).met();
      assertThat(
          longer.commits().get(i).toString(),
          low == null || (high != null && !low.isAfter(high)),
          is(true));
    }
    assertThat(last(longer.simulated()) < last(same.simulated()), is(true));
  }

  private void checkSimulated(Simulation simulation) {
    long all = 0;
    Instant before = Instant.MIN;
    for (CommitSpan commit : simulation.commits()) {
      Instant met = commit.met();
      if (met != null) {
        assertThat(commit.toString(), met.isBefore(before), is(false));
        before = met;
      }
      long late =
          met == null
              ? 0
              : times.get(commit.snapshotId()).stream()
                  .filter(at -> at < met.toEpochMilli())
                  .count();
      assertThat(commit.toString(), commit.late(), is(new LateCount(late, late)));
      all += late;
    }
    assertThat(simulation.commits().size(), is(times.size()));
    assertThat(simulation.simulatedLate(), is(new LateCount(all, all)));
  }

  private static Simulation simulate(FinalizationTimeline timeline, int commits, long hours) {
    return ReportPages.simulate(
        timeline, Lookback.of(commits, Duration.standardHours(hours)), Instant.now());
  }

  private static long last(List<WatermarkStep> moves) {
    return moves.get(moves.size() - 1).watermark().toEpochMilli();
  }
}
