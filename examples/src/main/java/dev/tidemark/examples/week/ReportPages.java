package dev.tidemark.examples.week;

import dev.tidemark.finalization.Lookback;
import dev.tidemark.finalization.Policies;
import dev.tidemark.report.Simulation;
import dev.tidemark.report.SimulationRules;
import dev.tidemark.report.Span;
import dev.tidemark.report.TableReport;
import dev.tidemark.sensor.Finalization;
import dev.tidemark.sensor.FinalizationTimeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.apache.iceberg.Table;
import org.joda.time.Duration;

/** What {@code tidemark report} and {@code tidemark simulate} make of the simulated time. */
final class ReportPages {
  private static final int LONGER_COMMITS = 6;
  private static final Duration LONGER = Duration.standardHours(14);

  private ReportPages() {}

  /** Writes both pages; the simulation has a lookback that most late changes come within. */
  static void write(Table table, Path report, Path simulation) throws IOException {
    Instant now = Instant.ofEpochMilli(Scenario.endOf(SimulatedClock.hour()));
    Clock clock = Clock.fixed(now, ZoneOffset.UTC);
    FinalizationTimeline timeline = Finalization.of(table).withClock(clock).timeline();
    Files.writeString(report, TableReport.of(timeline, Span.ALL, now).toHtml(ZoneOffset.UTC));
    Lookback longer = Lookback.of(LONGER_COMMITS, LONGER);
    Files.writeString(simulation, simulate(timeline, longer, now).toHtml(ZoneOffset.UTC));
  }

  /** By the rules of the pipelines, but for the lookback. */
  static Simulation simulate(FinalizationTimeline timeline, Lookback lookback, Instant now) {
    return Simulation.of(
        timeline,
        SimulationRules.of(Policies.minOfMins(lookback)).withIdle(WeekPipelines.idle()),
        now);
  }
}
