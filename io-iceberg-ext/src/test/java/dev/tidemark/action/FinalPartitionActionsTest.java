package dev.tidemark.action;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.Assert.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Ordering;
import dev.tidemark.commit.AdvanceOutcome;
import dev.tidemark.sensor.SensorTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.iceberg.Table;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Tags and marker files of final partitions, on real catalogs. */
@RunWith(Parameterized.class)
public class FinalPartitionActionsTest {
  private static final TagFinalPartitions TAGS = TagFinalPartitions.hourly();
  private static final MarkFinalPartitions MARKS = MarkFinalPartitions.hourly();

  @Parameters(name = "{0}")
  public static Object[] catalogs() {
    return SensorTable.Kind.values();
  }

  @Rule public final SensorTable lake;

  public FinalPartitionActionsTest(SensorTable.Kind kind) {
    lake = new SensorTable(kind);
  }

  private static AdvanceNotice notice(AdvanceOutcome outcome) {
    return AdvanceNotice.builder()
        .setTable(SensorTable.TABLE.toString())
        .setTableUuid(outcome.tableUuid())
        .setBranch("main")
        .setFinalizedUntil(Instant.ofEpochMilli(outcome.afterMillis()))
        .setFinalizedSince(Instant.ofEpochMilli(outcome.sinceMillis()))
        .setSnapshotId(outcome.watermarkSnapshotId())
        .setReason(outcome.reason())
        .build();
  }

  /** The watermark goes to this hour of New Year's Day. */
  private AdvanceNotice advanceTo(int hour) {
    return notice(lake.commitAndAdvance("a", String.format("2026-01-01T%02d:10:00Z", hour)));
  }

  private void tell(AdvanceNotice notice) throws IOException {
    TAGS.advanced(notice, lake::table);
    MARKS.advanced(notice, lake::table);
  }

  private Set<String> tags() {
    return ImmutableSortedSet.copyOf(
        lake.table().refs().entrySet().stream()
            .filter(ref -> ref.getValue().isTag())
            .map(ref -> ref.getKey())
            .toList());
  }

  private Set<String> marks() throws IOException {
    Path folder = Path.of(lake.table().location().replaceFirst("^file:", ""), "_finalized/main");
    if (!Files.exists(folder)) {
      return Set.of();
    }
    try (Stream<Path> partitions = Files.list(folder)) {
      return partitions
          .filter(partition -> Files.exists(partition.resolve("_SUCCESS")))
          .map(partition -> partition.getFileName().toString())
          .collect(ImmutableSortedSet.toImmutableSortedSet(Ordering.natural()));
    }
  }

  @Test
  public void eachFinalHourIsTaggedAndMarked() throws Exception {
    tell(advanceTo(3));
    assertThat(tags(), is(empty()));
    AdvanceNotice notice = advanceTo(5);

    tell(notice);

    assertThat(tags(), contains("final-2026-01-01-03", "final-2026-01-01-04"));
    assertThat(
        lake.table().refs().get("final-2026-01-01-04").snapshotId(), is(notice.snapshotId()));
    assertThat(
        lake.table().refs().get("final-2026-01-01-04").maxRefAgeMs(),
        is(Duration.standardDays(7).getMillis()));
    assertThat(marks(), contains("2026-01-01-03", "2026-01-01-04"));
    JsonNode content = content(lake.table().location() + "/_finalized/main/2026-01-01-04/_SUCCESS");
    assertThat(content.get("start").asText(), is("2026-01-01T04:00:00Z"));
    assertThat(content.get("end").asText(), is("2026-01-01T05:00:00Z"));
    assertThat(content.get("snapshotId").asText(), is(notice.snapshotId().toString()));
    assertThat(content.get("tableUuid").asText(), is(lake.table().uuid().toString()));
  }

  private JsonNode content(String path) {
    try (InputStream in = lake.table().io().newInputFile(path).newStream()) {
      return new ObjectMapper().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  public void repetitionChangesNothing() throws Exception {
    advanceTo(3);
    AdvanceNotice notice = advanceTo(5);
    tell(notice);
    String version = metadata();
    lake.commit("a", "2026-01-01T05:30:00Z");
    String later = metadata();

    tell(notice);

    assertThat(later, is(not(version)));
    assertThat(metadata(), is(later));
    assertThat(
        lake.table().refs().get("final-2026-01-01-03").snapshotId(), is(notice.snapshotId()));
  }

  private String metadata() {
    return ((org.apache.iceberg.HasTableOperations) lake.table())
        .operations()
        .current()
        .metadataFileLocation();
  }

  @Test
  public void hoursOfLostNoticesAreMadeUpFor() throws Exception {
    advanceTo(3);
    tell(advanceTo(4));
    advanceTo(5);
    advanceTo(8);

    tell(advanceTo(9));

    assertThat(tags(), hasSize(6));
    assertThat(marks(), hasSize(6));
  }

  @Test
  public void crashBetweenMarkersLeavesNoHole() throws Exception {
    advanceTo(3);
    AdvanceNotice notice = advanceTo(6);
    tell(notice);
    Table table = lake.table();
    table.io().deleteFile(table.location() + "/_finalized/main/2026-01-01-05/_SUCCESS");
    table.io().deleteFile(table.location() + "/_finalized/main/2026-01-01-04/_SUCCESS");

    tell(notice);

    assertThat(marks(), contains("2026-01-01-03", "2026-01-01-04", "2026-01-01-05"));
  }

  @Test
  public void whatIsBeyondAResetWatermarkIsTakenAway() throws Exception {
    advanceTo(3);
    AdvanceNotice notice = advanceTo(7);
    tell(notice);

    tell(notice.toBuilder().setFinalizedUntil(Instant.parse("2026-01-01T05:00:00Z")).build());

    assertThat(tags(), contains("final-2026-01-01-03", "final-2026-01-01-04"));
    assertThat(marks(), contains("2026-01-01-03", "2026-01-01-04"));
  }

  @Test
  public void rolledBackWatermarkDeclaresNothing() throws Exception {
    long first = lake.commit("a", "2026-01-01T03:10:00Z");
    lake.advance("a");
    AdvanceNotice notice = advanceTo(6);
    lake.rollbackTo(first);

    tell(notice);

    assertThat(tags(), is(empty()));
    assertThat(marks(), is(empty()));
  }

  @Test
  public void tableMadeAnewIsNotTakenForTheOldOne() throws Exception {
    advanceTo(3);
    AdvanceNotice notice = advanceTo(6);
    lake.drop();
    lake.create(
        SensorTable.TABLE, org.apache.iceberg.PartitionSpec.unpartitioned(), java.util.Map.of());
    lake.commit("a", "2026-01-01T03:10:00Z");

    tell(notice);

    assertThat(tags(), is(empty()));
  }

  @Test
  public void headStandsInForAnExpiredSnapshot() throws Exception {
    advanceTo(3);
    AdvanceNotice notice = advanceTo(5);
    long head = lake.commit("a", "2026-01-01T05:30:00Z");
    lake.expire();

    tell(notice);

    assertThat(lake.table().refs().get("final-2026-01-01-04").snapshotId(), is(head));
  }

  @Test
  public void otherTagsStay() throws Exception {
    advanceTo(3);
    AdvanceNotice notice = advanceTo(5);
    Table table = lake.table();
    table.manageSnapshots().createTag("release-1", notice.snapshotId()).commit();
    table.manageSnapshots().createTag("final-countdown", notice.snapshotId()).commit();

    tell(notice);

    assertThat(lake.table().refs(), hasKey("release-1"));
    assertThat(lake.table().refs(), hasKey("final-countdown"));
  }

  @Test
  public void prefixRetentionAndLocationTakeEffect() throws Exception {
    advanceTo(3);
    AdvanceNotice notice = advanceTo(5);
    String folder = lake.newFolder().toURI().toString();

    TAGS.withPrefix("hour-").withRetention(null).advanced(notice, lake::table);
    MARKS.withLocation(folder + "{table}/{branch}/{partition}.done").advanced(notice, lake::table);

    assertThat(tags(), contains("hour-2026-01-01-03", "hour-2026-01-01-04"));
    assertThat(lake.table().refs().get("hour-2026-01-01-03").maxRefAgeMs() == null, is(true));
    assertThat(
        content(folder + "db.events/main/2026-01-01-04.done").get("partition").asText(),
        is("2026-01-01-04"));
  }

  @Test
  public void daysAreTaggedWhenTheyAreOver() throws Exception {
    lake.commitAndAdvance("a", "2025-12-29T22:10:00Z");
    AdvanceNotice notice = notice(lake.commitAndAdvance("a", "2026-01-01T22:10:00Z"));

    TagFinalPartitions.daily(ZoneId.of("Europe/Berlin")).advanced(notice, lake::table);

    assertThat(tags(), contains("final-2025-12-30", "final-2025-12-31"));
  }

  @Test
  public void pipelinesThatTellAtOnceAgree() throws Exception {
    advanceTo(1);
    AdvanceNotice notice = advanceTo(9);
    ExecutorService pipelines = Executors.newFixedThreadPool(4);
    List<Future<Void>> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Callable<Void> pipeline =
          () -> {
            // As the dispatcher does: what fails is tried again.
            for (int attempt = 0; ; attempt++) {
              try {
                tell(notice);
                return null;
              } catch (RuntimeException e) {
                if (attempt == 10) {
                  throw e;
                }
              }
            }
          };
      all.add(pipelines.submit(pipeline));
    }
    for (Future<Void> each : all) {
      each.get();
    }
    pipelines.shutdown();

    assertThat(tags(), hasSize(8));
    assertThat(marks(), hasSize(8));
  }

  @Test
  public void settingsAreChecked() {
    assertThat(
        assertThrows(IllegalArgumentException.class, () -> TAGS.withPrefix("")).getMessage(),
        containsString("Invalid tag prefix"));
    assertThat(
        assertThrows(IllegalArgumentException.class, () -> TAGS.withRetention(Duration.ZERO))
            .getMessage(),
        containsString("Invalid retention"));
    assertThat(
        assertThrows(IllegalArgumentException.class, () -> MARKS.withLocation("s3://b/{table}"))
            .getMessage(),
        containsString("must contain {partition}"));
    assertThat(
        assertThrows(IllegalArgumentException.class, () -> MARKS.withLocation("{partition}/{hour}"))
            .getMessage(),
        containsString("fields must be among"));
  }
}
