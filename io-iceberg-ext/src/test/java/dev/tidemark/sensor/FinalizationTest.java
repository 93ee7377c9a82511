package dev.tidemark.sensor;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.Assert.assertThrows;

import dev.tidemark.commit.TidemarkKeys;
import java.time.Instant;
import java.util.Map;
import org.apache.iceberg.MetadataTableType;
import org.apache.iceberg.MetadataTableUtils;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

@RunWith(Parameterized.class)
public final class FinalizationTest {
  private static final Instant TEN = Instant.parse("2026-01-01T10:00:00Z");
  private static final Instant ELEVEN = Instant.parse("2026-01-01T11:00:00Z");
  private static final Instant TWELVE = Instant.parse("2026-01-01T12:00:00Z");

  @Rule public final SensorTable table;

  public FinalizationTest(SensorTable.Kind kind) {
    table = new SensorTable(kind);
  }

  @Parameters(name = "{0}")
  public static Object[] kinds() {
    return SensorTable.Kind.values();
  }

  private void finalizeFromTenToTwelve() {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z", "2026-01-01T10:40:00Z");
    table.commitAndAdvance("eu", "2026-01-01T12:05:00Z");
  }

  private FinalizationStatus.State state(Instant start, Instant end) {
    return table.finalization().status(start, end).state();
  }

  @Test
  public void tableWithoutWatermarkIsNotYetFinalized() {
    FinalizationStatus status = table.finalization().status(TEN, ELEVEN);

    assertThat(status.state(), is(FinalizationStatus.State.NOT_YET));
    assertThat(status.reason(), containsString("no watermark yet"));
    assertThat(status.snapshotId(), is(nullValue()));
    assertThat(table.finalization().finalizedUntil(), is(nullValue()));
    assertThat(table.finalization().finalizedSince(), is(nullValue()));
  }

  @Test
  public void answerComesWithTheHeadToRead() {
    finalizeFromTenToTwelve();

    FinalizationStatus status = table.finalization().status(TEN, ELEVEN);

    assertThat(status.state(), is(FinalizationStatus.State.FINALIZED));
    assertThat(status.verified(), is(true));
    assertThat(status.snapshotId(), is(table.table().currentSnapshot().snapshotId()));
    assertThat(status.tableUuid(), is(table.table().uuid().toString()));
    assertThat(table.finalization().finalizedUntil(), is(TWELVE));
    assertThat(table.finalization().finalizedSince(), is(TEN));
  }

  @Test
  public void rangeIsFinalizedUpToTheWatermarkAndNoFurther() {
    finalizeFromTenToTwelve();

    assertThat(table.finalization().isFinalized(TEN, TWELVE), is(true));
    assertThat(state(TEN, TWELVE.plusMillis(1)), is(FinalizationStatus.State.NOT_YET));
    assertThat(state(TEN, TWELVE.plusNanos(1)), is(FinalizationStatus.State.NOT_YET));
  }

  @Test
  public void rangeBeforeTheFactsIsNotCovered() {
    finalizeFromTenToTwelve();

    assertThat(state(TEN.minusNanos(1), ELEVEN), is(FinalizationStatus.State.NOT_COVERED));
    assertThat(
        state(TEN.minusSeconds(1), TWELVE.plusSeconds(1)),
        is(FinalizationStatus.State.NOT_COVERED));
  }

  @Test
  public void rangeWithoutStartIsWhatTheFactsCover() {
    finalizeFromTenToTwelve();
    Finalization finalization = table.finalization();

    assertThat(
        finalization.status(EventTimeRange.until(TWELVE)).state(),
        is(FinalizationStatus.State.FINALIZED));
    assertThat(
        finalization.status(EventTimeRange.until(TWELVE.plusNanos(1))).state(),
        is(FinalizationStatus.State.NOT_YET));
    assertThat(
        finalization.status(EventTimeRange.until(TEN)).state(),
        is(FinalizationStatus.State.NOT_COVERED));
    assertThat(
        finalization.status(EventTimeRange.until(TEN.plusNanos(1))).state(),
        is(FinalizationStatus.State.FINALIZED));
  }

  @Test
  public void watermarkWithoutRecordOfItsStartCoversNothing() {
    finalizeFromTenToTwelve();
    table.table().updateProperties().remove(TidemarkKeys.main().finalizedSince()).commit();

    FinalizationStatus status = table.finalization().status(TEN, ELEVEN);

    assertThat(status.state(), is(FinalizationStatus.State.NOT_COVERED));
    assertThat(status.reason(), containsString("does not record"));
  }

  @Test
  public void rollbackInvalidatesUntilTheWatermarkMovesAgain() {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    long before = table.table().currentSnapshot().snapshotId();
    table.commitAndAdvance("eu", "2026-01-01T12:05:00Z");
    table.rollbackTo(before);

    FinalizationStatus status = table.finalization().status(TEN, ELEVEN);
    assertThat(status.state(), is(FinalizationStatus.State.INVALIDATED));
    assertThat(status.reason(), containsString("does not hold any more"));
    assertThat(status.verified(), is(false));
    assertThat(table.finalization().finalizedUntil(), is(nullValue()));

    table.commitAndAdvance("us", "2026-01-01T13:05:00Z");
    assertThat(state(TEN, ELEVEN), is(FinalizationStatus.State.FINALIZED));
  }

  @Test
  public void rollbackToAfterTheWatermarkMovedLeavesItValid() {
    finalizeFromTenToTwelve();
    long moved = table.table().currentSnapshot().snapshotId();
    table.commit("eu", "2026-01-01T12:10:00Z");
    table.rollbackTo(moved);

    assertThat(state(TEN, TWELVE), is(FinalizationStatus.State.FINALIZED));
  }

  @Test
  public void expiredSnapshotLeavesTheWatermarkValidButUnverified() {
    finalizeFromTenToTwelve();
    table.foreignAppend();
    table.expire();

    FinalizationStatus status = table.finalization().status(TEN, TWELVE);

    assertThat(status.state(), is(FinalizationStatus.State.FINALIZED));
    assertThat(status.verified(), is(false));
    assertThat(status.reason(), containsString("unverified"));
  }

  @Test
  public void expiryOfTheRolledBackSnapshotDoesNotMakeItValid() {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    long before = table.table().currentSnapshot().snapshotId();
    table.commitAndAdvance("eu", "2026-01-01T12:05:00Z");
    table.rollbackTo(before);
    long lost =
        Long.parseLong(
            table.table().properties().get(TidemarkKeys.main().finalizedUntilSnapshotId()));
    table.table().expireSnapshots().expireSnapshotId(lost).commit();

    assertThat(state(TEN, ELEVEN), is(FinalizationStatus.State.INVALIDATED));
  }

  @Test
  public void tagKeepsTheWatermarkValidAfterExpiryOfWhatIsBetween() {
    finalizeFromTenToTwelve();
    long moved =
        Long.parseLong(
            table.table().properties().get(TidemarkKeys.main().finalizedUntilSnapshotId()));
    table.table().manageSnapshots().createTag("consumed", moved).commit();
    table.foreignAppend();
    table.foreignAppend();
    table.expire();

    FinalizationStatus status = table.finalization().status(TEN, TWELVE);

    assertThat(table.table().snapshot(moved).snapshotId(), is(moved));
    assertThat(status.state(), is(FinalizationStatus.State.FINALIZED));
    assertThat(status.verified(), is(false));
  }

  @Test
  public void cloneIsRefused() {
    finalizeFromTenToTwelve();
    TableIdentifier copy = TableIdentifier.of("db", "copy");
    Map<String, String> properties = TidemarkKeys.owned(table.table().properties());
    table.create(copy, PartitionSpec.unpartitioned(), properties);

    Finalization finalization = Finalization.of(table.config(), copy);

    FinalizationException refused =
        assertThrows(FinalizationException.class, () -> finalization.isFinalized(TEN, ELEVEN));
    assertThat(refused.kind(), is(FinalizationException.Kind.CLONED));
    assertThat(refused.getMessage(), containsString(table.table().uuid().toString()));
    assertThrows(FinalizationException.class, finalization::finalizedUntil);
    assertThat(finalization.report().snapshotState(), is(FinalizationReport.SnapshotState.CLONE));
  }

  @Test
  public void branchHasItsOwnWatermark() {
    finalizeFromTenToTwelve();
    table.commit("audit", "eu", SensorTable.stats("2026-01-01T14:05:00Z"));
    table.advance("audit", "eu");
    table.commit("audit", "eu", SensorTable.stats("2026-01-01T16:05:00Z"));
    table.advance("audit", "eu");

    Finalization audit = table.finalization().branch("audit");

    assertThat(audit.finalizedUntil(), is(Instant.parse("2026-01-01T16:00:00Z")));
    assertThat(audit.status(TEN, ELEVEN).state(), is(FinalizationStatus.State.NOT_COVERED));
    assertThat(
        audit.status(EventTimeRange.until(audit.finalizedUntil())).snapshotId(),
        is(table.table().refs().get("audit").snapshotId()));
    assertThat(table.finalization().finalizedUntil(), is(TWELVE));
  }

  @Test
  public void missingBranchIsRefusedWithThoseThatAre() {
    finalizeFromTenToTwelve();
    long tagged = table.foreignAppend();
    table.table().manageSnapshots().createTag("v1", tagged).commit();
    table.commit("audit", "eu", SensorTable.stats("2026-01-01T14:05:00Z"));

    for (String name : new String[] {"typo", "v1"}) {
      FinalizationException refused =
          assertThrows(
              FinalizationException.class,
              () -> table.finalization().branch(name).finalizedUntil());
      assertThat(refused.kind(), is(FinalizationException.Kind.BRANCH_MISSING));
      assertThat(
          refused.getMessage(),
          allOf(containsString("[audit, main]"), containsString("db.events")));
    }
  }

  @Test
  public void missingTableIsNamed() {
    FinalizationException refused =
        assertThrows(
            FinalizationException.class,
            () ->
                Finalization.of(table.config(), TableIdentifier.of("db", "absent"))
                    .finalizedUntil());

    assertThat(refused.kind(), is(FinalizationException.Kind.TABLE_MISSING));
    assertThat(refused.category(), is(FinalizationException.Category.USER));
    assertThat(refused.getMessage(), containsString("db.absent"));
  }

  @Test
  public void tableObjectAnswersByTheVersionItIsAt() {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    Table loaded = table.table();
    Finalization finalization = Finalization.of(loaded);
    table.commitAndAdvance("eu", "2026-01-01T12:05:00Z");

    assertThat(finalization.finalizedUntil(), is(TEN));
    assertThat(
        finalization.status(TEN, ELEVEN).snapshotId(), is(loaded.currentSnapshot().snapshotId()));

    loaded.refresh();
    assertThat(finalization.finalizedUntil(), is(TWELVE));
  }

  @Test
  public void metadataTableIsRefused() {
    Table files =
        MetadataTableUtils.createMetadataTableInstance(
            table.table(), MetadataTableType.ALL_DATA_FILES);

    assertThrows(IllegalArgumentException.class, () -> Finalization.of(files));
  }

  @Test
  public void unreadableWatermarkIsNoAnswer() {
    finalizeFromTenToTwelve();
    table.setProperty(TidemarkKeys.main().finalizedUntil(), "noon");

    FinalizationException refused =
        assertThrows(FinalizationException.class, () -> table.finalization().finalizedUntil());

    assertThat(refused.kind(), is(FinalizationException.Kind.UNREADABLE));
    assertThat(refused.getMessage(), containsString("finalized-until"));
  }

  @Test
  public void pauseIsPartOfTheReason() {
    finalizeFromTenToTwelve();
    table.setProperty(TidemarkKeys.main().paused(), "backfill of May");

    FinalizationStatus later = table.finalization().status(TEN, TWELVE.plusSeconds(1));
    FinalizationStatus earlier = table.finalization().status(TEN, TWELVE);

    assertThat(later.reason(), containsString("paused: backfill of May"));
    assertThat(earlier.state(), equalTo(FinalizationStatus.State.FINALIZED));
    assertThat(earlier.reason(), not(containsString("paused")));
  }
}
