package dev.tidemark.report;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.startsWith;

import dev.tidemark.finalization.Lookback;
import dev.tidemark.finalization.Policies;
import dev.tidemark.sensor.SensorTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.joda.time.Duration;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.AfterParam;
import org.junit.runners.Parameterized.BeforeParam;
import org.junit.runners.Parameterized.Parameters;

/**
 * Reports and simulations of a table with late rows, gaps, compactions, foreign appends, expiry and
 * a rollback, against figures that are counted from the rows.
 */
@RunWith(Parameterized.class)
public final class RowsReportTest {
  private static final int HOURS = Boolean.getBoolean("tidemark.long") ? 96 : 30;
  private static final long SEED = Long.getLong("tidemark.seed", 20260101);

  // One past for all tests of a catalog, since they only read it.
  private static SensorTable table;
  private static Past past;
  private static TableReport report;

  public RowsReportTest(SensorTable.Kind kind) {
    assertThat(kind, is(notNullValue()));
  }

  @Parameters(name = "{0}")
  public static Object[] kinds() {
    return SensorTable.Kind.values();
  }

  @BeforeParam
  public static void makeAPast(SensorTable.Kind kind) throws Throwable {
    table = new SensorTable(kind);
    table.open();
    past = Past.of(table, SEED, HOURS, 10_000);
    report = TableReport.of(past.timeline(), Span.ALL, table.clock().instant());
  }

  @AfterParam
  public static void removeIt() {
    table.close();
  }

  private Simulation simulate(Lookback lookback) {
    return Simulation.of(
        past.timeline(), SimulationRules.of(Policies.minOfMins(lookback)), table.clock().instant());
  }

  @Test
  public void commitsAreThoseOfTheRows() {
    List<Past.Made> made = past.commits();

    assertThat(report.commits().size(), is(made.size()));
    long late = 0;
    for (int i = 0; i < made.size(); i++) {
      Past.Made expected = made.get(i);
      CommitSpan commit = report.commits().get(i);
      assertThat(commit.snapshotId(), is(expected.snapshotId()));
      assertThat(commit.writer(), is(expected.writer()));
      assertThat(commit.at().toEpochMilli(), is(expected.at()));
      assertThat(commit.records(), is((long) expected.rows().size()));
      assertThat(
          Hours.millis(commit.min()), is(expected.rows().stream().min(Long::compare).orElse(null)));
      assertThat(
          Hours.millis(commit.max()), is(expected.rows().stream().max(Long::compare).orElse(null)));
      assertThat(Hours.millis(commit.met()), is(expected.met()));
      long own = BruteForce.late(expected, expected.met());
      assertThat(commit.late(), is(new LateCount(own, own)));
      assertThat(commit.lost(), is(past.gone().contains(expected.snapshotId())));
      late += own;
    }
    assertThat(late, greaterThan(0L));
    assertThat(report.late(), is(new LateCount(late, late)));
  }

  @Test
  public void stairsAreTheMovesThatWereMade() {
    List<WatermarkStep> expected = new ArrayList<>();
    Long before = null;
    for (Past.Event event : past.events()) {
      if (!Objects.equals(before, event.watermark())) {
        before = event.watermark();
        expected.add(
            new WatermarkStep(Instant.ofEpochMilli(event.at()), Instant.ofEpochMilli(before)));
      }
    }

    assertThat(report.moves().size(), is(expected.size()));
    for (int i = 0; i < expected.size(); i++) {
      assertThat(report.moves().get(i).watermark(), is(expected.get(i).watermark()));
      assertSoonAfter(report.moves().get(i).at(), expected.get(i).at().toEpochMilli());
    }
  }

  /** An advance follows its commit by what the catalog takes, since only pauses move the clock. */
  private static void assertSoonAfter(Instant at, long commitMillis) {
    long after = at.toEpochMilli() - commitMillis;
    assertThat(at + " is " + after + " ms after", after >= 0 && after < 30_000, is(true));
  }

  @Test
  public void hoursAreThoseOfTheRows() {
    Map<Long, Long> records = new TreeMap<>();
    Map<Long, Long> late = new HashMap<>();
    for (Past.Made made : past.commits()) {
      if (past.gone().contains(made.snapshotId())) {
        continue;
      }
      for (long row : made.rows()) {
        records.merge(BruteForce.hour(row), 1L, Long::sum);
        if (made.met() != null && row < made.met()) {
          late.merge(BruteForce.hour(row), 1L, Long::sum);
        }
      }
    }
    long since = report.table().finalizedSince().toEpochMilli();
    List<Long> watermarks = past.events().stream().map(Past.Event::watermark).toList();
    Map<Long, Long> finalAt = BruteForce.finalAt(past.events(), watermarks, since);

    for (ReportedHour hour : report.hours()) {
      long start = hour.start().toEpochMilli();
      assertThat(hour.records(), is(records.getOrDefault(start, 0L)));
      assertThat(hour.late(), is(late.getOrDefault(start, 0L)));
      assertThat(hour.mayBeLate(), is(false));
      boolean isFinal = start >= since && start + Past.HOUR <= past.watermark();
      assertThat(hour.state() == ReportedHour.State.FINAL, is(isFinal));
      assertThat(hour.state() == ReportedHour.State.NOT_COVERED, is(start < since));
      if (isFinal) {
        assertSoonAfter(hour.finalAt().exact(), finalAt.get(start));
      }
      records.remove(start);
    }
    assertThat(records.keySet(), is(empty()));
  }

  @Test
  public void delaysAreThoseOfTheRows() {
    for (DelayClass row : report.delays()) {
      long records = 0;
      long late = 0;
      for (Past.Made made : past.commits()) {
        for (long at : past.gone().contains(made.snapshotId()) ? List.<Long>of() : made.rows()) {
          long hours = (BruteForce.hour(made.at()) - BruteForce.hour(at)) / Past.HOUR;
          if (hours >= row.fromHours() && hours < row.belowHours()) {
            records++;
            late += made.met() != null && at < made.met() ? 1 : 0;
          }
        }
      }
      assertThat(row.toString(), row.records(), is(records));
      assertThat(row.toString(), row.late(), is(late));
    }
    assertThat(report.unplacedRecords(), is(0L));
  }

  @Test
  public void holdsSpanTwoStepsAndSayWhy() {
    assertThat(report.holds().size(), greaterThan(0));
    for (WatermarkHold hold : report.holds()) {
      assertThat(hold.length().toMillis(), greaterThan(2 * Past.HOUR));
      assertThat(hold.reason(), startsWith("Held at " + hold.watermark()));
    }
  }

  @Test
  public void foreignRowsAndRollbacksAreSaid() {
    assertThat(
        report.notices(),
        hasItem(
            "%d snapshots of other programs added %d rows without facts; they are not in here."
                .formatted(past.foreignRows() / 7, past.foreignRows())));
    assertThat(report.notices(), hasItem("3 commits were rolled back."));
    assertThat(report.cut(), is(false));
  }

  @Test
  public void simulationOfThePolicyInForceIsWhatWas() {
    Simulation simulation = simulate(Past.LOOKBACK);

    assertThat(simulation.unsurePoints(), is(0));
    assertThat(simulation.simulatedLate(), is(simulation.actualLate()));
    assertThat(
        simulation.simulated().stream().map(WatermarkStep::watermark).toList(),
        is(simulation.actual().stream().map(WatermarkStep::watermark).toList()));
    for (java.time.Duration delta : simulation.deltas()) {
      // The simulation does not know how long an advance takes.
      assertThat(delta.toMillis() <= 0 && delta.toMillis() > -30_000, is(true));
    }
    assertThat(simulation.deltas().size(), greaterThan(HOURS / 2));
  }

  @Test
  public void simulationIsWhatAnotherLookbackWouldHaveDone() {
    assertSimulated(5, 3 * Past.HOUR);
    assertSimulated(1, 0);
  }

  private void assertSimulated(int commits, long duration) {
    Simulation simulation = simulate(Lookback.of(commits, Duration.millis(duration)));
    List<Past.Event> events = past.events();
    List<Long> watermarks = new BruteForce(commits, duration).watermarks(events);
    Map<Long, Long> would =
        BruteForce.finalAt(events, watermarks, report.table().finalizedSince().toEpochMilli());

    assertThat(simulation.unsurePoints(), is(0));
    long late = 0;
    int commit = 0;
    for (int i = 0; i < events.size(); i++) {
      if (events.get(i).made() != null) {
        long own = BruteForce.late(events.get(i).made(), i == 0 ? null : watermarks.get(i - 1));
        assertThat(simulation.commits().get(commit++).late(), is(new LateCount(own, own)));
        late += own;
      }
    }
    assertThat(simulation.simulatedLate(), is(new LateCount(late, late)));
    for (SimulatedHour hour : simulation.hours()) {
      assertThat(
          "hour " + hour.start(),
          Hours.millis(hour.simulated().exact()),
          is(would.get(hour.start().toEpochMilli())));
    }
  }
}
