package dev.tidemark.report;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import dev.tidemark.finalization.FinalizationPolicy;
import dev.tidemark.finalization.Lookback;
import dev.tidemark.finalization.Policies;
import dev.tidemark.sensor.FinalizationTimeline;
import dev.tidemark.sensor.SensorTable;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.ExpireSnapshots;
import org.joda.time.Duration;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Where snapshots and metadata files are gone, what is said holds what was. */
@RunWith(Parameterized.class)
public final class CutReportTest {
  private static final long SEED = Long.getLong("tidemark.seed", 20260102);
  private static final FinalizationPolicy QUICK = Policies.minOfMins(Lookback.of(2, Duration.ZERO));

  @Rule public final SensorTable table;

  public CutReportTest(SensorTable.Kind kind) {
    this.table = new SensorTable(kind);
  }

  @Parameters(name = "{0}")
  public static Object[] kinds() {
    return SensorTable.Kind.values();
  }

  private Simulation simulate(FinalizationTimeline timeline, FinalizationPolicy policy) {
    return Simulation.of(timeline, SimulationRules.of(policy), table.clock().instant());
  }

  @Test
  public void replayThatBeginsInTheMiddleHoldsWhatWouldHaveBeen() {
    table.setProperty("write.metadata.previous-versions-max", "40");
    Past past = new Past(table, Past.POLICY, table.clock(), SEED);
    for (int hour = 0; hour < 30; hour++) {
      past.hour(hour, 1_000);
      table.expire();
    }
    Lookback lookback = Lookback.of(4, Duration.standardHours(3));
    FinalizationTimeline timeline = past.timeline();
    Simulation simulation = simulate(timeline, Policies.minOfMins(lookback));
    List<Long> watermarks = new BruteForce(4, 3 * Past.HOUR).watermarks(past.events());

    assertThat(timeline.cut(), is(true));
    assertThat(simulation.commits().size(), lessThan(past.commits().size()));
    assertThat(simulation.commits().size(), greaterThan(5));
    assertThat(
        simulation.notices(),
        hasItem(startsWith("Snapshots before " + timeline.points().get(0).at())));
    assertThat(simulation.notices(), hasItem(startsWith("The replay begins in the middle")));
    assertThat(simulation.unsurePoints(), greaterThan(0));
    assertLateHolds(past, watermarks, simulation);
    assertHoursHold(past, watermarks, simulation);
  }

  private static int assertLateHolds(Past past, List<Long> watermarks, Simulation simulation) {
    Map<Long, Integer> events = new HashMap<>();
    for (int i = 0; i < past.events().size(); i++) {
      if (past.events().get(i).made() != null) {
        events.put(past.events().get(i).made().snapshotId(), i);
      }
    }
    int exact = 0;
    for (CommitSpan commit : simulation.commits()) {
      int event = events.get(commit.snapshotId());
      Long met = event == 0 ? null : watermarks.get(event - 1);
      long late = BruteForce.late(past.events().get(event).made(), met);
      assertThat(
          late + " of " + commit,
          commit.late().least() <= late && late <= commit.late().most(),
          is(true));
      exact += commit.late().exact() && commit.late().least() > 0 ? 1 : 0;
    }
    return exact;
  }

  private static void assertHoursHold(Past past, List<Long> watermarks, Simulation simulation) {
    long from = simulation.table().finalizedSince().toEpochMilli();
    Map<Long, Long> would = BruteForce.finalAt(past.events(), watermarks, from);
    for (SimulatedHour hour : simulation.hours()) {
      Long truth = would.get(hour.start().toEpochMilli());
      FinalTime said = hour.simulated();
      String was = hour + " was " + truth;
      if (truth == null) {
        assertThat(was, said.open(), is(true));
        continue;
      }
      assertThat(
          was, said.notBefore() == null || said.notBefore().toEpochMilli() <= truth, is(true));
      assertThat(was, said.open() || said.notAfter().toEpochMilli() >= truth, is(true));
    }
  }

  /** By the real clock, since a snapshot that no window holds has no other. */
  private Past snapshotsOnly() {
    table.setProperty("write.metadata.previous-versions-max", "2");
    Past past = new Past(table, QUICK, Clock.systemUTC(), SEED);
    long start = BruteForce.hour(past.now()) - 60 * Past.HOUR;
    for (int i = 0; i < 24; i++) {
      long hour = start + i * Past.HOUR;
      List<Long> rows = new ArrayList<>(List.of(hour + 60_000, hour + 120_000));
      if (i % 6 == 5) {
        rows.addAll(List.of(hour - 9 * Past.HOUR, hour - 8 * Past.HOUR));
      }
      for (String writer : Past.WRITERS) {
        past.commit(writer, rows, 0);
        past.advance(writer);
      }
    }
    return past;
  }

  @Test
  public void snapshotsTellAsMuchAsMetadataFiles() {
    Past past = snapshotsOnly();
    FinalizationTimeline timeline = past.timeline();
    Simulation simulation = simulate(timeline, Policies.minOfMins(Lookback.of(3, Duration.ZERO)));
    List<Long> watermarks = new BruteForce(3, 0).watermarks(past.events());

    assertThat(timeline.cut(), is(false));
    assertThat(simulation.commits().size(), is(past.commits().size()));
    assertThat(simulation.unsurePoints(), is(0));
    assertThat(simulation.notices(), hasItem(startsWith("Metadata files before ")));
    assertThat(assertLateHolds(past, watermarks, simulation), greaterThan(3));
    assertThat(simulation.simulatedLate().exact(), is(true));
    assertThat(
        simulation.simulated().stream().map(move -> move.watermark().toEpochMilli()).toList(),
        is(watermarks.stream().filter(watermark -> watermark != null).distinct().toList()));
  }

  @Test
  public void expiredSnapshotsLeaveBounds() {
    Past past = snapshotsOnly();
    table
        .table()
        .expireSnapshots()
        .expireOlderThan(Long.MAX_VALUE)
        .retainLast(24)
        .cleanupLevel(ExpireSnapshots.CleanupLevel.NONE)
        .commit();
    for (int i = 0; i < 3; i++) {
      // Until no metadata file from before the expiry is left.
      table.setProperty("note", Integer.toString(i));
    }
    FinalizationTimeline timeline = past.timeline();
    Simulation simulation = simulate(timeline, Policies.minOfMins(Lookback.of(3, Duration.ZERO)));
    List<Long> watermarks = new BruteForce(3, 0).watermarks(past.events());

    assertThat(timeline.cut(), is(true));
    assertThat(simulation.commits().size(), lessThan(25));
    assertThat(simulation.unsurePoints(), greaterThan(0));
    assertLateHolds(past, watermarks, simulation);
    SimulatedHour first = simulation.hours().get(0);
    // It was open when what is stored begins; by other rules it may have been final before.
    assertThat(first.actual().exact(), is(notNullValue()));
    assertThat(first.simulated().notBefore(), is(nullValue()));
    assertThat(first.simulated().notAfter(), is(notNullValue()));
  }

  @Test
  public void attestationsThatAreGoneAreNotGuessed() {
    Past past = snapshotsOnly();

    Simulation simulation =
        simulate(past.timeline(), Policies.inputWatermark(Duration.standardHours(1)));

    assertThat(simulation.unsurePoints(), greaterThan(24));
    assertThat(simulation.notices(), hasItem(startsWith("This policy also moves between commits")));
  }

  @Test
  public void commitsWithoutCountsAreBounded() {
    table.setProperty("write.metadata.previous-versions-max", "1");
    Past past = new Past(table, QUICK, Clock.systemUTC(), SEED);
    long hour = BruteForce.hour(past.now()) - 200 * Past.HOUR;
    commitBoth(past, List.of(hour));
    commitBoth(past, List.of(hour + Past.HOUR));
    commitBoth(past, List.of(hour + 2 * Past.HOUR));
    List<Long> rows = new ArrayList<>();
    for (int i = 0; i < 170; i++) {
      // Far more hours than a summary has room for; a hundred of them are late.
      rows.add(hour + (i - 98) * Past.HOUR + i * 13L);
    }
    Past.Made wide = past.commit("eu", rows, 0);
    for (int i = 3; i < 12; i++) {
      // Until the windows have moved on.
      commitBoth(past, List.of(hour + i * Past.HOUR));
    }

    TableReport report = TableReport.of(past.timeline(), Span.ALL, Instant.now());
    CommitSpan said =
        report.commits().stream()
            .filter(commit -> commit.snapshotId() == wide.snapshotId())
            .findFirst()
            .orElseThrow();
    long late = BruteForce.late(wide, wide.met());

    assertThat(late, greaterThan(90L));
    assertThat(said.late(), is(new LateCount(1, 169)));
    assertThat(report.unplacedRecords(), is(170L));
    assertThat(report.notices(), hasItem(startsWith("1 commits have no counts per hour")));
    assertThat(report.hours().stream().anyMatch(ReportedHour::mayBeLate), is(true));
  }

  private static void commitBoth(Past past, List<Long> rows) {
    for (String writer : Past.WRITERS) {
      past.commit(writer, rows, 0);
      past.advance(writer);
    }
  }
}
