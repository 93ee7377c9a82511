package dev.tidemark.operator;

import static dev.tidemark.sensor.SensorTable.TABLE;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableList;
import dev.tidemark.operator.Finding.Severity;
import dev.tidemark.sensor.SensorTable;
import java.io.File;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.expressions.Expressions;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** What a doctor finds, each case on a real table. */
@RunWith(Parameterized.class)
public final class DoctorTest {
  @Parameters(name = "{0}")
  public static Object[] catalogs() {
    return SensorTable.Kind.values();
  }

  @Rule public final SensorTable table;
  private final SensorTable.Kind kind;

  public DoctorTest(SensorTable.Kind kind) {
    this.kind = kind;
    this.table = new SensorTable(kind);
  }

  /** Snapshots are made by Iceberg's clock, so the doctor looks by it. */
  private Doctor doctor() {
    return Doctor.of(table.config(), TABLE);
  }

  private ImmutableList<Finding> of(String check) {
    return of(doctor(), check);
  }

  private static ImmutableList<Finding> of(Doctor doctor, String check) {
    ImmutableList<Finding> findings =
        doctor.examine().stream()
            .filter(finding -> finding.check().equals(check))
            .collect(ImmutableList.toImmutableList());
    assertThat(check, findings, is(not(empty())));
    return findings;
  }

  private Finding only(String check) {
    ImmutableList<Finding> findings = of(check);
    assertThat(findings.toString(), findings.size(), is(1));
    return findings.get(0);
  }

  private void assertFinding(Finding finding, Severity severity, String part) {
    assertThat(finding.toString(), finding.severity(), is(severity));
    assertThat(finding.message(), containsString(part));
    boolean bad = severity.compareTo(Severity.WARNING) >= 0;
    assertThat(finding.toString(), finding.remedy() == null, is(!bad));
  }

  private void finalizeFromTenToTwelve() {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    table.commitAndAdvance("eu", "2026-01-01T12:05:00Z");
  }

  @Test
  public void healthyTableHasNothingToMend() {
    table.setProperty("write.metadata.delete-after-commit.enabled", "true");
    finalizeFromTenToTwelve();

    ImmutableList<Finding> findings = doctor().examine();

    assertThat(
        findings.stream().map(Finding::severity).toList(), everyItem(lessThan(Severity.WARNING)));
  }

  @Test
  public void rightsAreProbedWithoutATrace() {
    finalizeFromTenToTwelve();
    File metadata = new File(URI.create(table.table().location() + "/metadata"));
    List<String> before = List.of(metadata.list());

    Finding storage = only("storage-rights");
    Finding catalog = only("catalog-rights");

    assertThat(storage.severity(), is(Severity.OK));
    boolean rest = kind == SensorTable.Kind.REST;
    assertThat(catalog.toString(), catalog.severity(), is(rest ? Severity.OK : Severity.INFO));
    assertThat(table.table().properties().get("tidemark.doctor-probe"), is(nullValue()));
    assertThat(
        List.of(metadata.list()).stream().filter(name -> !before.contains(name)).toList(),
        is(empty()));
  }

  @Test
  public void watermarkThatDoesNotCountIsAnError() {
    finalizeFromTenToTwelve();
    assertFinding(only("watermark"), Severity.OK, "2026-01-01T12:00:00Z");
    String uuid = table.table().uuid().toString();

    table.setProperty("tidemark.finalized-until-table-uuid", "00000000-another");
    assertFinding(only("watermark"), Severity.ERROR, "copied from another table");

    table.setProperty("tidemark.finalized-until-table-uuid", uuid);
    table.setProperty("tidemark.finalized-until-snapshot-id", "42");
    assertFinding(only("watermark"), Severity.ERROR, "rolled back");
  }

  @Test
  public void watermarkOfTheFutureIsAnError() {
    finalizeFromTenToTwelve();
    Clock past = Clock.fixed(Instant.parse("2026-01-01T11:00:00Z"), ZoneOffset.UTC);

    assertFinding(
        of(doctor().withClock(past), "watermark").get(0), Severity.ERROR, "in the future");
  }

  @Test
  public void pauseIsAWarning() {
    finalizeFromTenToTwelve();
    table.setProperty("tidemark.paused", "audit");

    assertFinding(of("watermark").get(1), Severity.WARNING, "paused: audit");
  }

  @Test
  public void unreadableKeysAreErrorsEach() {
    finalizeFromTenToTwelve();
    table.setProperty("tidemark.window.eu", "1;w9:xx");
    table.setProperty("tidemark.attested.us", "yesterday");
    table.setProperty("tidemark.committed.eu.0", "1;c1:xx");
    table.setProperty("tidemark.operations", "x");
    table.setProperty("tidemark.writers", "eu,,us");

    List<String> keys =
        of("keys").stream()
            .map(
                finding -> finding.message().replaceAll("Property (\\S+) cannot be read: .+", "$1"))
            .sorted()
            .toList();

    assertThat(
        keys,
        is(
            List.of(
                "tidemark.attested.us",
                "tidemark.committed.eu",
                "tidemark.operations",
                "tidemark.window.eu",
                "tidemark.writers")));
    assertThat(of("keys").stream().map(Finding::severity).toList(), everyItem(is(Severity.ERROR)));
  }

  @Test
  public void damagedWatermarkIsFoundAndTheRestIsLeftOut() {
    finalizeFromTenToTwelve();
    table.setProperty("tidemark.finalized-until", "noon");

    assertFinding(only("keys"), Severity.ERROR, "tidemark.finalized-until");
    assertThat(
        doctor().examine().stream().filter(f -> f.check().equals("watermark")).toList(),
        is(empty()));
  }

  @Test
  public void editedMillisecondsAreFound() {
    finalizeFromTenToTwelve();
    table.setProperty("tidemark.finalized-until-ms", "1");

    assertFinding(only("keys"), Severity.ERROR, "tidemark.finalized-until-ms says 1");
  }

  @Test
  public void silentAndUnheardWritersAreFound() {
    table.setProperty("tidemark.writers", "eu,us");
    table.commit("eu", "2026-01-01T10:05:00Z");
    table.commit("backfill", "2026-01-01T10:05:00Z");

    ImmutableList<Finding> findings = of("writers");
    Clock later = Clock.offset(Clock.systemUTC(), Duration.ofDays(400));
    ImmutableList<Finding> afterwards = of(doctor().withClock(later), "writers");

    assertFinding(findings.get(0), Severity.OK, "Writer eu was heard of");
    assertFinding(findings.get(1), Severity.ERROR, "us is required, and was never heard of");
    assertFinding(findings.get(2), Severity.WARNING, "backfill writes, and is not required");
    assertFinding(afterwards.get(0), Severity.WARNING, "Writer eu went silent");
    assertThat(afterwards.size(), is(2));
    assertFinding(
        of(doctor().withClock(later).withSilentAfter(Duration.ofDays(1000)), "writers").get(0),
        Severity.OK,
        "eu");
  }

  @Test
  public void expiryShorterThanTheLookbackIsAWarning() {
    finalizeFromTenToTwelve();
    assertFinding(only("snapshot-expiry"), Severity.OK, "PT120H");
    table.setProperty("history.expire.max-snapshot-age-ms", "3600000");
    assertFinding(only("snapshot-expiry"), Severity.WARNING, "told to read");
    table.setProperty("tidemark.policy", "minOfMins(6, PT2H)");

    assertFinding(only("snapshot-expiry"), Severity.WARNING, "lookback of 6 commits and PT2H");
  }

  @Test
  public void fenceThatDoesNotHoldIsFound() {
    finalizeFromTenToTwelve();
    assertThat(only("fence").severity(), is(Severity.OK));
    table.setProperty("tidemark.fence", "metadata");
    assertThat(
        only("fence").severity(),
        is(kind == SensorTable.Kind.REST ? Severity.WARNING : Severity.OK));
    table.setProperty("tidemark.fence", "barbed wire");

    assertFinding(only("fence"), Severity.ERROR, "barbed wire");
  }

  @Test
  public void settingsThatHurtAreFound() {
    table.setProperty("write.metadata.delete-after-commit.enabled", "false");
    table.setProperty("write.wap.enabled", "true");

    assertThat(only("metadata-files").severity(), is(Severity.WARNING));
    assertThat(only("staged-commits").severity(), is(Severity.ERROR));
  }

  @Test
  public void largeMetadataAreAWarning() {
    assertThat(only("metadata-size").severity(), is(Severity.OK));
    StringBuilder digits = new StringBuilder();
    Random random = new Random(7);
    while (digits.length() < (8 << 20) + 1) {
      digits.append(random.nextLong() & Long.MAX_VALUE);
    }
    table.setProperty("write.metadata.compression-codec", "none");
    table.setProperty("large", digits.toString());

    assertFinding(only("metadata-size"), Severity.WARNING, "bytes");
  }

  @Test
  public void eventTimeColumnIsLookedAt() {
    assertFinding(only("event-time-column"), Severity.INFO, "No event-time column");
    finalizeFromTenToTwelve();
    assertFinding(only("event-time-column"), Severity.INFO, "not partitioned by hour");
    table.table().updateSpec().addField(Expressions.hour("ts")).commit();
    assertFinding(only("event-time-column"), Severity.OK, "by name");
    table.setProperty("tidemark.event-time.column", "gone");

    assertFinding(only("event-time-column"), Severity.ERROR, "no event-time column gone");
  }

  @Test
  public void missingTableAndBranchAreSaid() {
    OperatorException missing =
        assertThrows(
            OperatorException.class,
            () -> Doctor.of(table.config(), TableIdentifier.of("db", "absent")).examine());
    OperatorException branch =
        assertThrows(OperatorException.class, () -> doctor().branch("typo").examine());

    assertThat(missing.kind(), is(OperatorException.Kind.TABLE_MISSING));
    assertThat(branch.getMessage(), containsString("typo"));
  }
}
