package dev.tidemark.merge;

import static dev.tidemark.merge.MergeFixture.BASE;
import static dev.tidemark.merge.MergeFixture.CHANGES;
import static dev.tidemark.merge.MergeFixture.HOUR;
import static dev.tidemark.merge.MergeFixture.order;
import static dev.tidemark.merge.MergeFixture.spec;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.Assert.assertThrows;

import dev.tidemark.commit.CatalogKind;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expressions;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Which changes are read, and which change tables are refused. */
@RunWith(JUnit4.class)
public class SourceRangeTest {
  private static final String TAG = "tidemark-consumed-shop.orders";

  @Rule public final MergeFixture tables = new MergeFixture(CatalogKind.JDBC);

  @Before
  public void mergeOnce() {
    tables.createTables(2);
    tables.append(tables.change("+I", 1L, "eu", 10), tables.change("+I", 2L, "eu", 20));
    tables.merge(spec());
  }

  private MergeException refused(MergeSpec spec) {
    MergeException refused = assertThrows(MergeException.class, () -> tables.merge(spec));
    assertThat(refused.permanent(), is(true));
    assertThat(refused.getMessage(), containsString("withRebuild(true)"));
    return refused;
  }

  @Test
  public void tagFollowsWhatTheBaseHolds() {
    long first = tables.changes().currentSnapshot().snapshotId();
    assertThat(tables.changes().refs().get(TAG).snapshotId(), is(first));
    assertThat(tables.changes().refs().get(TAG).maxRefAgeMs(), is(Long.MAX_VALUE));
    tables.append(tables.change("+U", 1L, "us", 11));
    tables.merge(spec());
    assertThat(
        tables.changes().refs().get(TAG).snapshotId(),
        is(tables.changes().currentSnapshot().snapshotId()));
  }

  @Test
  public void rangeWithoutItsTagIsRefusedUntilRebuilt() {
    tables.changes().manageSnapshots().removeTag(TAG).commit();
    tables.append(tables.change("+U", 1L, "us", 11));
    MergeException refused = refused(spec());
    assertThat(refused.kind(), is(MergeException.Kind.RANGE_LOST));
    assertThat(refused.getMessage(), containsString(TAG));
    assertThat(tables.rows().get(1L), equalTo(List.of("eu", 10)));
    tables.merge(spec().withRebuild(true));
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("us", 11), 2L, List.of("eu", 20))));
    tables.append(tables.change("-D", 1L, null, null));
    tables.merge(spec());
    assertThat(tables.rows(), equalTo(Map.of(2L, List.of("eu", 20))));
  }

  @Test
  public void rebuildReplacesRowsThatNoChangeNames() {
    MergeFixture.append(tables.base(), List.of(order(77, "eu", 7)));
    MergeResult result = tables.merge(spec().withRebuild(true));
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("eu", 10), 2L, List.of("eu", 20))));
    assertThat(result.rowsInserted(), is(2L));
    assertThat(result.sources().get(0).fromSnapshotId(), nullValue());
  }

  @Test
  public void rebuildTakesTheWatermarkAsItIs() {
    tables.finalizeUntil(CHANGES, 5 * HOUR);
    tables.merge(spec());
    tables.finalizeUntil(CHANGES, 3 * HOUR);
    assertThat(tables.merge(spec()).finalizedUntilMillis(), is(5 * HOUR));
    assertThat(tables.merge(spec().withRebuild(true)).finalizedUntilMillis(), is(3 * HOUR));
  }

  @Test
  public void deletedChangesAreRefused() {
    tables.append(tables.change("+U", 1L, "us", 11));
    tables.changes().newDelete().deleteFromRowFilter(Expressions.alwaysTrue()).commit();
    MergeException refused = refused(spec());
    assertThat(refused.kind(), is(MergeException.Kind.SOURCE_CHANGED));
    assertThat(refused.getMessage(), containsString("operation delete"));
  }

  @Test
  public void overwrittenChangesAreRefused() {
    Table changes = tables.changes();
    changes
        .newOverwrite()
        .overwriteByRowFilter(Expressions.alwaysTrue())
        .addFile(MergeFixture.write(changes, List.of(tables.change("+I", 3L, "eu", 30))).get(0))
        .commit();
    MergeException refused = refused(spec());
    assertThat(refused.kind(), is(MergeException.Kind.SOURCE_CHANGED));
    assertThat(refused.getMessage(), containsString("operation overwrite"));
  }

  @Test
  public void rewrittenChangesAreSkipped() {
    tables.append(tables.change("+U", 1L, "us", 11));
    MergeFixture.compact(tables.changes());
    tables.append(tables.change("-D", 2L, null, null));
    MergeResult result = tables.merge(spec());
    // Only the two appended files, not the rewritten one, which repeats old changes.
    assertThat(result.changeFilesRead(), is(2));
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("us", 11))));
  }

  @Test
  public void expiredSnapshotsBetweenAreMadeUpForByTheTag() {
    for (int i = 0; i < 4; i++) {
      tables.append(tables.change("+U", 1L, "us", 11 + i));
    }
    tables.expire(CHANGES);
    MergeResult result = tables.merge(spec());
    assertThat(result.changeFilesRead(), is(4));
    assertThat(tables.rows().get(1L), equalTo(List.of("us", 14)));
  }

  @Test
  public void rewriteBehindExpiredSnapshotsIsRefused() {
    tables.append(tables.change("+U", 1L, "us", 11));
    MergeFixture.compact(tables.changes());
    tables.append(tables.change("+U", 1L, "us", 12));
    tables.expire(CHANGES);
    assertThat(refused(spec()).kind(), is(MergeException.Kind.RANGE_LOST));
  }

  @Test
  public void rolledBackChangesAreRefused() {
    long before = tables.changes().currentSnapshot().snapshotId();
    tables.append(tables.change("+U", 1L, "us", 11));
    tables.merge(spec());
    tables.changes().manageSnapshots().setCurrentSnapshot(before).commit();
    tables.append(tables.change("+U", 1L, "us", 12));
    assertThat(refused(spec()).kind(), is(MergeException.Kind.RANGE_LOST));
  }

  @Test
  public void rolledBackBaseTableIsRefusedUntilItIsRebuilt() {
    long before = tables.base().currentSnapshot().snapshotId();
    tables.append(tables.change("+U", 1L, "us", 11));
    tables.merge(spec());
    long merged = tables.base().currentSnapshot().snapshotId();
    tables.base().manageSnapshots().setCurrentSnapshot(before).commit();
    tables.append(tables.change("+U", 2L, "us", 21));
    MergeException refused = refused(spec());
    assertThat(refused.kind(), is(MergeException.Kind.BASE_UNFIT));
    assertThat(refused.getMessage(), containsString("rolled back behind snapshot " + merged));
    tables.merge(spec().withRebuild(true));
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("us", 11), 2L, List.of("us", 21))));
    tables.append(tables.change("+U", 2L, "us", 22));
    tables.merge(spec());
    assertThat(tables.rows().get(2L), equalTo(List.of("us", 22)));
  }

  @Test
  public void recreatedSourceIsRefused() {
    tables.catalog().dropTable(CHANGES);
    tables.create(CHANGES, MergeFixture.CHANGE, 2, PartitionSpec.unpartitioned());
    tables.append(tables.change("+I", 3L, "eu", 30));
    assertThat(refused(spec()).kind(), is(MergeException.Kind.SOURCE_RECREATED));
    tables.merge(spec().withRebuild(true));
    assertThat(tables.rows(), equalTo(Map.of(3L, List.of("eu", 30))));
  }

  @Test
  public void watermarkOfARolledBackSourceDoesNotCount() {
    long before = tables.changes().currentSnapshot().snapshotId();
    tables.append(tables.change("+U", 1L, "us", 11));
    tables.finalizeUntil(CHANGES, HOUR);
    tables.changes().manageSnapshots().setCurrentSnapshot(before).commit();
    assertThat(tables.merge(spec()).finalizedUntilMillis(), nullValue());
  }

  @Test
  public void truncateIsRefused() {
    tables.append(tables.change("-T", null, null, null));
    MergeException refused = assertThrows(MergeException.class, () -> tables.merge(spec()));
    assertThat(refused.kind(), is(MergeException.Kind.TRUNCATED));
    assertThat(refused.getMessage(), containsString("Truncation.APPLY"));
    assertThat(tables.rows().size(), is(2));
  }

  @Test
  public void truncateTakesAllRowsFromBefore() {
    for (long rowsInMemory : new long[] {1_000_000, 1}) {
      tables.append(
          tables.change("+U", 1L, "us", 11),
          tables.change("-T", null, null, null),
          tables.change("+I", 5L, "eu", 50));
      MergeResult result =
          tables.merge(spec().withTruncates(Truncation.APPLY).withRowsInMemory(rowsInMemory));
      assertThat(tables.rows(), equalTo(Map.of(5L, List.of("eu", 50))));
      assertThat(result.rowsDeleted(), is(-1L));
    }
  }

  @Test
  public void unreadableRecordIsNotTakenForAFirstMerge() {
    tables
        .base()
        .updateProperties()
        .set("tidemark.source.orders.consumed-snapshot-id", "x")
        .commit();
    assertThat(refused(spec()).kind(), is(MergeException.Kind.BASE_UNFIT));
    assertThat(tables.metadata(BASE).snapshots().size(), is(1));
  }
}
