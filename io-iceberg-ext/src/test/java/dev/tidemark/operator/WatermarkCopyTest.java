package dev.tidemark.operator;

import static dev.tidemark.sensor.SensorTable.TABLE;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasEntry;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import dev.tidemark.commit.FaultyAccess;
import dev.tidemark.commit.TableAccess;
import dev.tidemark.sensor.Finalization;
import dev.tidemark.sensor.SensorTable;
import java.time.Instant;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** The watermark of change tables, carried to a base table that has consumed a part of them. */
@RunWith(Parameterized.class)
public final class WatermarkCopyTest {
  private static final TableIdentifier BASE = TableIdentifier.of("db", "base");
  private static final Instant TEN = Instant.parse("2026-01-01T10:00:00Z");
  private static final Instant TWELVE = Instant.parse("2026-01-01T12:00:00Z");

  @Parameters(name = "{0}")
  public static Object[] catalogs() {
    return SensorTable.Kind.values();
  }

  @Rule public final SensorTable changes;

  public WatermarkCopyTest(SensorTable.Kind kind) {
    this.changes = new SensorTable(kind);
  }

  private TableOperator operator(TableAccess access) {
    return TableOperator.of(access, BASE).withClock(changes.clock()).withSleeper(millis -> {});
  }

  private TableOperator operator() {
    return operator(TableAccess.of(changes.catalog()));
  }

  private Finalization source() {
    return Finalization.of(changes.config(), TABLE);
  }

  private Finalization base() {
    return Finalization.of(changes.config(), BASE);
  }

  /** A base table that has consumed changes up to a snapshot. */
  private void consumed(long snapshotId) {
    if (!changes.catalog().tableExists(BASE)) {
      changes.create(BASE, PartitionSpec.unpartitioned(), Map.of());
    }
    changes
        .catalog()
        .loadTable(BASE)
        .updateProperties()
        .set("tidemark.source.changes.consumed-snapshot-id", Long.toString(snapshotId))
        .set("tidemark.source.changes.table-uuid", changes.table().uuid().toString())
        .commit();
  }

  private long head() {
    return changes.table().currentSnapshot().snapshotId();
  }

  @Test
  public void baseIsFinalizedAsFarAsWhatItConsumed() {
    changes.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    consumed(head());

    OperatorOutcome outcome = operator().copyWatermark(source());

    assertThat(outcome.watermarkAfter(), is(TEN));
    assertThat(base().finalizedUntil(), is(TEN));
    assertThat(base().finalizedSince(), is(TEN));
    assertThat(base().report().operations().isEmpty(), is(true));
    assertThat(
        changes.catalog().loadTable(BASE).properties(),
        hasEntry("tidemark.policy", "minOfSources()"));
  }

  @Test
  public void newerWatermarkOfTheSourceIsNotTaken() {
    changes.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    consumed(head());
    changes.commitAndAdvance("eu", "2026-01-01T12:05:00Z");
    changes.commitAndAdvance("eu", "2026-01-01T14:05:00Z");

    operator().copyWatermark(source());

    assertThat(source().finalizedUntil(), is(Instant.parse("2026-01-01T14:00:00Z")));
    assertThat(base().finalizedUntil(), is(TEN));
  }

  /** The watermark moved without new rows, so all rows that it speaks of are consumed. */
  @Test
  public void moveWithoutNewRowsIsTaken() {
    changes.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    changes.commit("eu", "2026-01-01T12:05:00Z");
    consumed(head());

    OperatorOutcome before = operator().copyWatermark(source());
    changes.advance("eu");
    OperatorOutcome after = operator().copyWatermark(source());
    OperatorOutcome again = operator().copyWatermark(source());

    assertThat(before.watermarkAfter(), is(TEN));
    assertThat(after.watermarkAfter(), is(TWELVE));
    assertThat(again.changed(), is(false));
  }

  @Test
  public void compactionOfTheSourceDoesNotHideTheWatermark() {
    DataFile file = changes.file(1);
    changes.table().newAppend().appendFile(file).commit();
    changes.commit("eu", "2026-01-01T10:05:00Z");
    consumed(head());
    changes.table().newRewrite().deleteFile(file).addFile(changes.file(1)).commit();
    changes.advance("eu");

    assertThat(operator().copyWatermark(source()).watermarkAfter(), is(TEN));
  }

  @Test
  public void sourceWithoutAWatermarkThenLeavesTheBaseAlone() {
    changes.commit("eu", "2026-01-01T10:05:00Z");
    consumed(head());
    changes.commitAndAdvance("eu", "2026-01-01T12:05:00Z");

    OperatorOutcome outcome = operator().copyWatermark(source());

    assertThat(outcome.changed(), is(false));
    assertThat(outcome.effect(), containsString("had no watermark"));
  }

  @Test
  public void smallestOfSeveralSourcesCounts() {
    changes.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    long first = head();
    changes.commitAndAdvance("eu", "2026-01-01T12:05:00Z");
    consumed(head());
    Table table = changes.catalog().loadTable(BASE);
    table
        .updateProperties()
        .set("tidemark.source.other.consumed-snapshot-id", Long.toString(first))
        .commit();

    OperatorException one =
        assertThrows(OperatorException.class, () -> operator().copyWatermark(source()));
    OperatorException part =
        assertThrows(
            OperatorException.class, () -> operator().copyWatermark(Map.of("changes", source())));
    OperatorOutcome all = operator().copyWatermark(Map.of("changes", source(), "other", source()));

    assertThat(one.kind(), is(OperatorException.Kind.SOURCE_UNKNOWN));
    assertThat(part.getMessage(), containsString("[changes, other]"));
    assertThat(all.watermarkAfter(), is(TEN));
  }

  @Test
  public void mergeThatLandsMeanwhileIsTakenIntoAccount() {
    changes.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    consumed(head());
    changes.commitAndAdvance("eu", "2026-01-01T12:05:00Z");
    FaultyAccess faults =
        new FaultyAccess(changes.catalog()).then(FaultyAccess.after(() -> consumed(head())));

    operator(faults).copyWatermark(source());

    assertThat(base().finalizedUntil(), is(TWELVE));
  }

  @Test
  public void nothingMovesBack() {
    changes.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    long first = head();
    changes.commitAndAdvance("eu", "2026-01-01T12:05:00Z");
    consumed(head());
    operator().copyWatermark(source());
    consumed(first);

    assertThat(operator().copyWatermark(source()).changed(), is(false));
    assertThat(base().finalizedUntil(), is(TWELVE));
  }

  @Test
  public void pausedBaseStays() {
    changes.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    consumed(head());
    operator().pause("audit");

    OperatorOutcome outcome = operator().copyWatermark(source());

    assertThat(outcome.effect(), containsString("paused: audit"));
    assertThat(outcome.changed(), is(false));
  }

  @Test
  public void sourceThatDoesNotHoldTheSnapshotIsRefused() {
    changes.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    long first = head();
    changes.commitAndAdvance("eu", "2026-01-01T12:05:00Z");
    consumed(head());
    long second = head();
    changes.rollbackTo(first);
    changes.advance("eu");

    OperatorException rolledBack =
        assertThrows(OperatorException.class, () -> operator().copyWatermark(source()));
    changes.rollbackTo(second);
    changes.commitAndAdvance("us", "2026-01-01T14:05:00Z");
    changes.expire();
    OperatorException expired =
        assertThrows(OperatorException.class, () -> operator().copyWatermark(source()));

    assertThat(rolledBack.kind(), is(OperatorException.Kind.SOURCE_UNUSABLE));
    assertThat(expired.kind(), is(OperatorException.Kind.SOURCE_UNUSABLE));
    assertThat(expired.getMessage(), containsString("Merge again"));
  }

  /** The property stays where it was after a rollback; what it spoke of is gone. */
  @Test
  public void watermarkThatRestsOnARolledBackSnapshotIsNotTaken() {
    changes.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    long first = head();
    changes.commitAndAdvance("eu", "2026-01-01T12:05:00Z");
    changes.rollbackTo(first);
    consumed(first);

    OperatorOutcome afterTheRollback = operator().copyWatermark(source());
    changes.commitAndAdvance("us", "2026-01-01T14:05:00Z");
    OperatorOutcome afterItMovedAgain = operator().copyWatermark(source());

    assertThat(source().finalizedUntil(), is(Instant.parse("2026-01-01T14:00:00Z")));
    assertThat(afterTheRollback.watermarkAfter(), is(TEN));
    assertThat(afterItMovedAgain.changed(), is(false));
    assertThat(base().finalizedUntil(), is(TEN));
  }

  @Test
  public void metadataFilesThatAreGoneAreNotGuessed() {
    changes.setProperty("write.metadata.previous-versions-max", "1");
    changes.setProperty("write.metadata.delete-after-commit.enabled", "true");
    changes.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    consumed(head());
    changes.commitAndAdvance("eu", "2026-01-01T12:05:00Z");
    changes.commitAndAdvance("eu", "2026-01-01T14:05:00Z");

    OperatorException gone =
        assertThrows(OperatorException.class, () -> operator().copyWatermark(source()));

    assertThat(gone.kind(), is(OperatorException.Kind.SOURCE_UNUSABLE));
    assertThat(gone.getMessage(), containsString("no metadata file that is left"));
  }

  @Test
  public void anotherTableAndABaseThatConsumedNothingAreRefused() {
    changes.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    changes.create(BASE, PartitionSpec.unpartitioned(), Map.of());

    OperatorException nothing =
        assertThrows(OperatorException.class, () -> operator().copyWatermark(source()));
    consumed(head());
    changes
        .catalog()
        .loadTable(BASE)
        .updateProperties()
        .set("tidemark.source.changes.table-uuid", "00000000-another")
        .commit();
    OperatorException other =
        assertThrows(OperatorException.class, () -> operator().copyWatermark(source()));

    assertThat(nothing.getMessage(), containsString("Merge changes into it first"));
    assertThat(other.kind(), is(OperatorException.Kind.SOURCE_UNKNOWN));
    assertThat(other.getMessage(), containsString("00000000-another"));
  }
}
