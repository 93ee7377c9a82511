package dev.tidemark.sensor;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import com.google.common.collect.Iterables;
import dev.tidemark.commit.TidemarkKeys;
import java.io.File;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.TableMetadata;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** What is left of a table's past. */
@RunWith(Parameterized.class)
public final class TimelineTest {
  private static final Instant TEN = Instant.parse("2026-01-01T10:00:00Z");
  private static final Instant TWELVE = Instant.parse("2026-01-01T12:00:00Z");

  @Rule public final SensorTable table;

  public TimelineTest(SensorTable.Kind kind) {
    this.table = new SensorTable(kind);
  }

  @Parameters(name = "{0}")
  public static Object[] kinds() {
    return SensorTable.Kind.values();
  }

  private FinalizationTimeline timeline() {
    return table.finalization().timeline();
  }

  private static List<TimelinePoint> commits(FinalizationTimeline timeline) {
    return timeline.points().stream()
        .filter(point -> point.commit() != null && point.commit().writer() != null)
        .toList();
  }

  private void finalizeFromTenToTwelve() throws InterruptedException {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z", "2026-01-01T10:40:00Z");
    table.sleeper(() -> {}).sleep(Duration.ofHours(1).toMillis());
    table.commitAndAdvance("eu", "2026-01-01T12:05:00Z");
  }

  @Test
  public void everyStateHasAPointByTheWritersClock() throws Exception {
    finalizeFromTenToTwelve();

    FinalizationTimeline timeline = timeline();
    List<TimelinePoint> commits = commits(timeline);

    assertThat(commits.size(), is(2));
    assertThat(commits.get(0).at(), is(Instant.parse("2026-01-02T00:00:00Z")));
    assertThat(commits.get(1).at(), is(Instant.parse("2026-01-02T01:00:00Z")));
    assertThat(commits.get(0).commit().facts().count(), is(2L));
    assertThat(commits.get(0).commit().facts().sketch(), is(notNullValue()));
    assertThat(commits.get(0).commit().met(), is(nullValue()));
    assertThat(commits.get(1).commit().met(), is(TEN));
    assertThat(commits.get(1).watermark(), is(TEN));
    assertThat(commits.get(1).attestations(), hasKey("eu"));
    assertThat(
        timeline.points().stream()
            .map(TimelinePoint::watermark)
            .filter(watermark -> watermark != null)
            .distinct()
            .toList(),
        contains(TEN, TWELVE));
    assertThat(timeline.points().stream().allMatch(TimelinePoint::stored), is(true));
    assertThat(timeline.cut(), is(false));
    assertThat(timeline.report().finalizedUntil(), is(TWELVE));
  }

  @Test
  public void rollbackTakesSnapshotsAwayAndBack() throws Exception {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    long first = table.table().currentSnapshot().snapshotId();
    long second = table.commit("eu", "2026-01-01T12:05:00Z");
    table.rollbackTo(first);

    assertThat(Iterables.getLast(timeline().points()).lost(), contains(second));
    table.rollbackTo(second);
    assertThat(Iterables.getLast(timeline().points()).lost(), is(empty()));
    assertThat(commits(timeline()).size(), is(2));
  }

  @Test
  public void summariesTellWhereMetadataFilesAreGone() throws Exception {
    finalizeFromTenToTwelve();
    table.commit("eu", "2026-01-01T13:05:00Z");
    TableMetadata current = ((HasTableOperations) table.table()).operations().current();
    for (TableMetadata.MetadataLogEntry entry : current.previousFiles()) {
      File file =
          entry.file().startsWith("file:")
              ? new File(URI.create(entry.file()))
              : new File(entry.file());
      assertThat(entry.file(), file.delete(), is(true));
    }

    FinalizationTimeline timeline = timeline();
    List<TimelinePoint> commits = commits(timeline);

    assertThat(timeline.unreadableFiles(), is(current.previousFiles().size()));
    assertThat(commits.size(), is(3));
    assertThat(commits.get(0).stored(), is(false));
    assertThat(commits.get(0).commit().facts().buckets().size(), greaterThan(0));
    assertThat(commits.get(2).commit().met(), is(TWELVE));
    assertThat(commits.get(2).stored(), is(true));
  }

  @Test
  public void expiredSnapshotsLeaveFactsInTheWindow() throws Exception {
    finalizeFromTenToTwelve();
    table.expire();
    table.setProperty("write.metadata.previous-versions-max", "1");
    table.setProperty("note", "1");
    table.setProperty("note", "2");

    FinalizationTimeline timeline = timeline();

    assertThat(timeline.cut(), is(true));
    assertThat(timeline.earlier().get("eu").isEmpty(), is(false));
    assertThat(timeline.earlier().get("eu").get(0).minMillis(), is(TEN.toEpochMilli() + 300_000));
  }

  @Test
  public void requiredWritersAreThoseOfTheFirstListThatIsKnown() throws Exception {
    table.commit("eu", "2026-01-01T10:05:00Z");
    table.setProperty(TidemarkKeys.main().writers(), "eu,us");

    assertThat(timeline().points().get(0).requiredWriters().asList(), contains("eu", "us"));
  }

  @Test
  public void tableWithoutSnapshotsHasNoPoints() {
    assertThat(timeline().points(), is(empty()));
  }
}
