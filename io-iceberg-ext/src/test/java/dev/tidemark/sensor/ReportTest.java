package dev.tidemark.sensor;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Iterables;
import com.google.common.collect.Lists;
import dev.tidemark.commit.TidemarkKeys;
import java.io.File;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Reports, late data and histories. */
@RunWith(Parameterized.class)
public final class ReportTest {
  private static final Instant TEN = Instant.parse("2026-01-01T10:00:00Z");
  private static final Instant TWELVE = Instant.parse("2026-01-01T12:00:00Z");

  @Rule public final SensorTable table;
  private final SensorTable.Kind kind;

  public ReportTest(SensorTable.Kind kind) {
    this.kind = kind;
    this.table = new SensorTable(kind);
  }

  @Parameters(name = "{0}")
  public static Object[] kinds() {
    return SensorTable.Kind.values();
  }

  private void finalizeFromTenToTwelve() {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z", "2026-01-01T10:40:00Z");
    table.commitAndAdvance("eu", "2026-01-01T12:05:00Z");
  }

  @Test
  public void reportTellsTheEvidenceOfEachWriter() {
    table.setProperty(TidemarkKeys.main().writers(), "us,eu");
    table.commit("eu", "2026-01-01T10:05:00Z", "2026-01-01T10:40:00Z");

    FinalizationReport report = table.finalization().report();
    WriterReport eu = report.writers().get(0);
    WriterReport us = report.writers().get(1);

    assertThat(report.snapshotState(), is(FinalizationReport.SnapshotState.NO_WATERMARK));
    assertThat(report.lag(), is(nullValue()));
    assertThat(report.requiredWriters().asList(), contains("eu", "us"));
    assertThat(report.eventTimeColumn(), is("ts"));
    assertThat(eu.writer(), is("eu"));
    assertThat(eu.required(), is(true));
    assertThat(eu.commits(), is(1L));
    assertThat(eu.records(), is(2L));
    assertThat(eu.minEventTime(), is(Instant.parse("2026-01-01T10:05:00Z")));
    assertThat(eu.maxEventTime(), is(Instant.parse("2026-01-01T10:40:00Z")));
    assertThat(eu.newestCommit(), is(table.now()));
    assertThat(eu.inputWatermark(), is(table.now().minus(Duration.ofHours(1))));
    assertThat(eu.attestedAt(), is(table.now()));
    assertThat(us.writer(), is("us"));
    assertThat(us.commits(), is(0L));
    assertThat(us.inputWatermark(), is(nullValue()));
  }

  @Test
  public void reportTellsTheWatermarkAndItsLag() {
    finalizeFromTenToTwelve();

    FinalizationReport report = table.finalization().report();

    assertThat(report.finalizedUntil(), is(TWELVE));
    assertThat(report.finalizedSince(), is(TEN));
    assertThat(report.lag(), is(Duration.between(TWELVE, table.now())));
    assertThat(report.snapshotState(), is(FinalizationReport.SnapshotState.HELD));
    assertThat(report.policy(), is(SensorTable.POLICY.describe()));
    assertThat(report.headSnapshotId(), is(table.table().currentSnapshot().snapshotId()));
  }

  @Test
  public void inputWatermarkThatIsNotKnownYetIsNone() {
    table.commit("eu", "2026-01-01T10:05:00Z");
    table.setProperty(
        TidemarkKeys.main().attested("eu"), "a1:-9223372036854775:" + TEN.toEpochMilli());

    WriterReport eu = table.finalization().report().writers().get(0);

    assertThat(eu.inputWatermark(), is(nullValue()));
    assertThat(eu.attestedAt(), is(TEN));
  }

  @Test
  public void windowOmitsCommitsThatWereRolledBack() {
    long kept = table.commit("eu", "2026-01-01T10:05:00Z");
    table.commit("eu", "2026-01-01T12:05:00Z");
    table.rollbackTo(kept);

    WriterReport eu = table.finalization().report().writers().get(0);

    assertThat(eu.commits(), is(1L));
    assertThat(eu.maxEventTime(), is(Instant.parse("2026-01-01T10:05:00Z")));
  }

  @Test
  public void unreadableWindowIsAProblemOfItsWriterOnly() {
    finalizeFromTenToTwelve();
    table.setProperty(TidemarkKeys.main().window("us"), "1;w9:?");

    FinalizationReport report = table.finalization().report();

    assertThat(report.writers().get(0).problem(), is(nullValue()));
    assertThat(report.writers().get(1).problem(), containsString("w"));
    assertThat(report.finalizedUntil(), is(TWELVE));
  }

  @Test
  public void commitBelowTheWatermarkIsLateInItsHours() {
    finalizeFromTenToTwelve();
    long late =
        table.commit("eu", "2026-01-01T10:10:00Z", "2026-01-01T10:20:00Z", "2026-01-01T12:30:00Z");
    Finalization finalization = table.finalization();
    Instant eleven = TEN.plus(Duration.ofHours(1));

    ImmutableList<LateCommit> found = finalization.late(EventTimeRange.of(TEN, TWELVE));
    LateCommit commit = Iterables.getOnlyElement(found);

    assertThat(commit.snapshotId(), is(late));
    assertThat(commit.writer(), is("eu"));
    assertThat(commit.watermark(), is(TWELVE));
    assertThat(commit.records(), is(2L));
    assertThat(commit.lateByHour(), is(ImmutableSortedMap.of(TEN, 2L)));
    assertThat(commit.exact(), is(true));
    assertThat(finalization.late(EventTimeRange.of(eleven, TWELVE)), is(empty()));
    assertThat(finalization.late(EventTimeRange.until(TWELVE)), is(found));
    assertThat(finalization.report().writers().get(0).lateRecords(), is(2L));
  }

  @Test
  public void recordsOfThePastAreLateInNoHour() {
    finalizeFromTenToTwelve();
    table.commit("main", "eu", SensorTable.stats("2026-01-01T12:10:00Z").withPastCount(3));
    Finalization finalization = table.finalization();

    assertThat(finalization.late(EventTimeRange.of(TEN, TWELVE)), is(empty()));
    assertThat(
        Iterables.getOnlyElement(finalization.late(EventTimeRange.until(TWELVE))).records(),
        is(3L));
    assertThat(finalization.report().writers().get(0).outOfRange(), is(3L));
  }

  @Test
  public void lateRecordsWithoutSketchMayLieAnywhereBelow() {
    finalizeFromTenToTwelve();
    String[] times = new String[300];
    for (int i = 0; i < times.length; i++) {
      times[i] = TWELVE.minus(Duration.ofMinutes(90)).plusSeconds(i * 37L * 40L).toString();
    }
    table.commit("eu", times);
    LateCommit commit =
        Iterables.getOnlyElement(table.finalization().late(EventTimeRange.of(TEN, TWELVE)));

    // The sketch of so many hours is not in the summary, so that all but the newest may be late.
    assertThat(commit.exact(), is(false));
    assertThat(commit.records(), is(299L));
    assertThat(commit.earliest(), is(TWELVE.minus(Duration.ofMinutes(90))));
    assertThat(commit.recordsIn(EventTimeRange.of(TEN, TEN.plus(Duration.ofMinutes(30)))), is(0L));
    assertThat(
        commit.recordsIn(EventTimeRange.of(TEN, TEN.plus(Duration.ofMinutes(31)))), is(299L));
  }

  @Test
  public void foreignAppendWithoutMetricsIsSuspected() {
    finalizeFromTenToTwelve();
    assertThat(table.finalization().foreignLate(), is(empty()));
    long foreign = table.foreignAppend();

    assertThat(table.finalization().foreignLate(), contains(new ForeignLate(foreign, 1, 7, true)));
  }

  @Test
  public void foreignAppendIsLateByItsMetrics() {
    finalizeFromTenToTwelve();
    table.foreignAppend("ts", "2026-01-01T12:00:00Z");
    assertThat(table.finalization().foreignLate(), is(empty()));
    long late = table.foreignAppend("ts", "2026-01-01T11:59:59.999Z");

    assertThat(table.finalization().foreignLate(), contains(new ForeignLate(late, 1, 1, false)));
  }

  @Test
  public void foreignLocalTimesAreReadInTheZone() {
    finalizeFromTenToTwelve();
    table.setProperty(TidemarkKeys.main().eventTimeColumn(), "local");
    table.setProperty(TidemarkKeys.main().eventTimeZone(), "Europe/Berlin");
    // Noon in UTC is one o'clock in Berlin; the bounds of a local column are its clock's times.
    table.foreignAppend("local", "2026-01-01T13:00:00Z");
    long late = table.foreignAppend("local", "2026-01-01T12:59:59Z");

    assertThat(table.finalization().foreignLate(), contains(new ForeignLate(late, 1, 1, false)));
  }

  @Test
  public void historyIsTheStaircaseOfTheWatermark() {
    finalizeFromTenToTwelve();
    table.foreignAppend();
    table.commitAndAdvance("eu", "2026-01-01T15:05:00Z");

    FinalizationHistory history = table.finalization().history(100);
    List<HistoryEntry> own =
        history.entries().stream().filter(entry -> entry.writer() != null).toList();

    assertThat(Lists.transform(own, HistoryEntry::records), contains(2L, 1L, 1L));
    assertThat(own.get(0).minEventTime(), is(Instant.parse("2026-01-01T10:05:00Z")));
    assertThat(own.get(0).maxEventTime(), is(Instant.parse("2026-01-01T10:40:00Z")));
    assertThat(own.get(0).committed(), is("1"));
    assertThat(history.cut(), is(false));
    assertThat(history.unreadableFiles(), is(0));
    assertThat(
        Lists.transform(history.entries(), HistoryEntry::watermarkAfter), is(expectedStaircase()));
    assertThat(history.entries().stream().allMatch(HistoryEntry::watermarkKnown), is(true));
  }

  /** What each version of the metadata says, by its head; of one head the last one counts. */
  private List<Instant> expectedStaircase() {
    Map<Long, Instant> byHead = new LinkedHashMap<>();
    TableMetadata current = ((HasTableOperations) table.table()).operations().current();
    for (TableMetadata version : versions(current)) {
      if (version.currentSnapshot() != null) {
        String until = version.property(TidemarkKeys.main().finalizedUntil(), null);
        byHead.put(
            version.currentSnapshot().snapshotId(), until == null ? null : Instant.parse(until));
      }
    }
    return Lists.newArrayList(byHead.values());
  }

  private List<TableMetadata> versions(TableMetadata current) {
    List<TableMetadata> versions = Lists.newArrayList();
    for (TableMetadata.MetadataLogEntry entry : current.previousFiles()) {
      versions.add(TableMetadataParser.read(table.table().io(), entry.file()));
    }
    versions.add(current);
    return versions;
  }

  @Test
  public void historyIsLimitedToTheNewest() {
    finalizeFromTenToTwelve();

    FinalizationHistory history = table.finalization().history(1);

    assertThat(
        Iterables.getOnlyElement(history.entries()).snapshotId(),
        is(table.table().currentSnapshot().snapshotId()));
    assertThat(history.cut(), is(true));
    assertThrows(IllegalArgumentException.class, () -> table.finalization().history(0));
  }

  @Test
  public void historyWithoutMetadataFilesSaysWhatIsNotKnown() {
    finalizeFromTenToTwelve();
    table.foreignAppend();
    table.foreignAppend();
    TableMetadata current = ((HasTableOperations) table.table()).operations().current();
    for (TableMetadata.MetadataLogEntry entry : current.previousFiles()) {
      assertThat(entry.file(), file(entry.file()).delete(), is(true));
    }

    FinalizationHistory history = table.finalization().history(3);
    List<Boolean> known = Lists.transform(history.entries(), HistoryEntry::watermarkKnown);

    // The current version tells about the newest one; a fence tells about itself.
    assertThat(known, contains(kind == SensorTable.Kind.REST, false, true));
    assertThat(history.unreadableFiles() > 0, is(true));
  }

  private static File file(String location) {
    return location.startsWith("file:") ? new File(URI.create(location)) : new File(location);
  }

  @Test
  public void historyOfAnEmptyTableIsEmpty() {
    FinalizationHistory history = table.finalization().history(5);

    assertThat(history.entries(), is(empty()));
    assertThat(history.cut(), is(false));
  }

  @Test
  public void historyShowsWhatWasLate() {
    finalizeFromTenToTwelve();
    table.commit("eu", "2026-01-01T10:10:00Z");

    HistoryEntry newest = Iterables.getLast(table.finalization().history(10).entries());

    assertThat(newest.late().records(), is(1L));
    assertThat(newest.watermarkAfter(), is(TWELVE));
  }
}
