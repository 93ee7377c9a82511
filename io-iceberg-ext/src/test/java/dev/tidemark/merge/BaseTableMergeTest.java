package dev.tidemark.merge;

import static dev.tidemark.merge.MergeFixture.BASE;
import static dev.tidemark.merge.MergeFixture.CHANGES;
import static dev.tidemark.merge.MergeFixture.HOUR;
import static dev.tidemark.merge.MergeFixture.changeAt;
import static dev.tidemark.merge.MergeFixture.order;
import static dev.tidemark.merge.MergeFixture.spec;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.Assert.assertThrows;

import dev.tidemark.commit.CatalogKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.Record;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** What every merge does, on every catalog. */
@RunWith(Parameterized.class)
public class BaseTableMergeTest {
  @Parameters(name = "{0}")
  public static CatalogKind[] kinds() {
    return CatalogKind.values();
  }

  @Rule public final MergeFixture tables;

  public BaseTableMergeTest(CatalogKind kind) {
    this.tables = new MergeFixture(kind);
  }

  @Test
  public void lastChangeOfAKeyCounts() {
    tables.createTables(2);
    tables.append(
        tables.change("+I", 1L, "eu", 10),
        tables.change("+I", 2L, "eu", 20),
        tables.change("+U", 1L, "us", 11),
        tables.change("-D", 2L, null, null));
    MergeResult result = tables.merge(spec());
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("us", 11))));
    assertThat(result.status(), is(MergeResult.Status.MERGED));
    assertThat(result.keys(), is(2L));
    assertThat(result.rowsInserted(), is(1L));
    assertThat(result.rowsDeleted(), is(0L));
    assertThat(result.snapshotId(), is(tables.base().currentSnapshot().snapshotId()));
  }

  @Test
  public void changeOfALaterRangeReplacesTheRow() {
    tables.createTables(2);
    tables.append(tables.change("+I", 1L, "eu", 10), tables.change("+I", 2L, "eu", 20));
    tables.merge(spec());
    tables.append(tables.change("+U", 1L, "us", 11), tables.change("-D", 2L, null, null));
    MergeResult result = tables.merge(spec());
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("us", 11))));
    assertThat(result.rowsInserted(), is(1L));
    assertThat(result.rowsDeleted(), is(2L));
  }

  @Test
  public void mergingAgainDoesNothing() {
    tables.createTables(2);
    tables.append(tables.change("+I", 1L, "eu", 10));
    tables.finalizeUntil(CHANGES, HOUR);
    tables.merge(spec());
    String metadata = tables.metadata(BASE).metadataFileLocation();
    MergeResult again = tables.merge(spec());
    assertThat(again.status(), is(MergeResult.Status.NOTHING));
    assertThat(again.finalizedUntilMillis(), is(HOUR));
    assertThat(tables.metadata(BASE).metadataFileLocation(), is(metadata));
  }

  @Test
  public void watermarkComesWithTheChangesOfItsVersion() {
    tables.createTables(2);
    tables.append(tables.change("+I", 1L, "eu", 10));
    tables.finalizeUntil(CHANGES, 5 * HOUR);
    MergeResult result = tables.merge(spec());
    assertThat(result.finalizedUntilMillis(), is(5 * HOUR));
    assertThat(tables.property("tidemark.finalized-until"), is("1970-01-01T05:00:00Z"));
    assertThat(tables.property("tidemark.finalized-until-ms"), is("" + 5 * HOUR));
    assertThat(
        tables.property("tidemark.finalized-until-snapshot-id"), is("" + result.snapshotId()));
    assertThat(
        tables.property("tidemark.finalized-until-table-uuid"),
        is(tables.base().uuid().toString()));
    assertThat(
        tables.property("tidemark.source.orders.consumed-snapshot-id"),
        is("" + tables.changes().currentSnapshot().snapshotId()));
    assertThat(
        tables.base().currentSnapshot().summary().get("tidemark.merged"),
        is("orders:.." + tables.changes().currentSnapshot().snapshotId()));
  }

  @Test
  public void watermarkIsCarriedWithoutChanges() {
    tables.createTables(2);
    tables.append(tables.change("+I", 1L, "eu", 10));
    tables.merge(spec());
    tables.finalizeUntil(CHANGES, 5 * HOUR);
    MergeResult result = tables.merge(spec());
    assertThat(result.status(), is(MergeResult.Status.CARRIED));
    assertThat(result.finalizedUntilMillis(), is(5 * HOUR));
    assertThat(tables.property("tidemark.finalized-until"), is("1970-01-01T05:00:00Z"));
    assertThat(result.changeFilesRead() + result.baseFilesRead(), is(0));
  }

  @Test
  public void watermarkWrittenAfterThePinIsNotCarried() {
    tables.createTables(2);
    tables.append(tables.change("+I", 1L, "eu", 10));
    tables.finalizeUntil(CHANGES, HOUR);
    MergeResult result =
        tables.merge(
            spec(),
            step -> {
              if (step == MergeProbe.Step.SOURCES_PINNED) {
                tables.append(tables.change("+I", 2L, "eu", 20));
                tables.finalizeUntil(CHANGES, 2 * HOUR);
              }
            });
    assertThat(result.finalizedUntilMillis(), is(HOUR));
    assertThat(tables.rows().keySet(), equalTo(java.util.Set.of(1L)));
    assertThat(tables.merge(spec()).finalizedUntilMillis(), is(2 * HOUR));
    assertThat(tables.rows().keySet(), equalTo(java.util.Set.of(1L, 2L)));
  }

  @Test
  public void pausedWatermarkStays() {
    tables.createTables(2);
    tables.append(tables.change("+I", 1L, "eu", 10));
    tables.finalizeUntil(CHANGES, HOUR);
    tables.base().updateProperties().set("tidemark.paused", "audit").commit();
    assertThat(tables.merge(spec()).finalizedUntilMillis(), nullValue());
    assertThat(tables.rows().keySet(), equalTo(java.util.Set.of(1L)));
  }

  @Test
  public void watermarkIsTheMinimumOfTheSources() {
    tables.createTables(2);
    TableIdentifier asia = TableIdentifier.of("shop", "orders_asia");
    tables.create(asia, MergeFixture.CHANGE, 2, PartitionSpec.unpartitioned());
    MergeSpec both = spec().withSource("asia", asia);
    tables.append(tables.change("+I", 1L, "eu", 10));
    tables.finalizeUntil(CHANGES, 5 * HOUR);
    assertThat(tables.merge(both).finalizedUntilMillis(), nullValue());
    MergeFixture.append(
        tables.catalog().loadTable(asia),
        List.of(tables.change("+I", 2L, "asia", 20), tables.change("+U", 1L, "asia", 12)));
    tables.finalizeUntil(asia, 3 * HOUR);
    assertThat(tables.merge(both).finalizedUntilMillis(), is(3 * HOUR));
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("asia", 12), 2L, List.of("asia", 20))));
    assertThat(
        tables.property("tidemark.source.orders.finalized-until"), is("1970-01-01T05:00:00Z"));
    assertThat(tables.property("tidemark.source.asia.finalized-until"), is("1970-01-01T03:00:00Z"));
    tables.finalizeUntil(asia, 4 * HOUR);
    assertThat(tables.merge(both).finalizedUntilMillis(), is(4 * HOUR));
  }

  @Test
  public void onlyNewFilesAndCandidatesAreOpened() {
    tables.createTables(2);
    for (long id = 0; id < 5; id++) {
      tables.append(tables.change("+I", id, "r" + id, 1));
    }
    MergeResult first = tables.merge(spec());
    assertThat(first.changeFilesRead(), is(5));
    assertThat(first.baseFilesRead(), is(0));
    tables.append(tables.change("+U", 3L, "moved", 2));
    MergeResult second = tables.merge(spec());
    assertThat(second.changeFilesRead(), is(1));
    assertThat(second.baseFilesLive(), is(5));
    // Five files with one id each: the bounds of four of them exclude the key.
    assertThat(second.baseFilesRead(), is(1));
  }

  @Test
  public void partitionsNamedByFullImagesAreTheOnlyOnesOpened() {
    tables.createTables(2);
    List<Record> inserts = new ArrayList<>();
    for (long id = 0; id < 30; id++) {
      inserts.add(tables.change("+I", id, "r" + id % 3, 1));
    }
    tables.append(inserts.toArray(new Record[0]));
    tables.merge(spec());
    tables.append(tables.change("-U", 13L, "r1", 1), tables.change("+U", 13L, "r2", 2));
    MergeSpec full = spec().withFullBeforeImages();
    MergeResult result = tables.merge(full);
    // Bounds exclude none of the three files; the images name two partitions.
    assertThat(result.baseFilesRead(), is(2));
    assertThat(tables.rows().get(13L), equalTo(List.of("r2", 2)));
    tables.append(tables.change("+U", 14L, "r0", 2));
    assertThat(tables.merge(full).baseFilesRead(), not(is(1)));
    assertThat(tables.rows().get(14L), equalTo(List.of("r0", 2)));
  }

  @Test
  public void versionTwoGetsPositionDeletesAndVersionThreeVectors() {
    for (int version : new int[] {2, 3}) {
      if (version == 2) {
        tables.createTables(2);
      } else {
        tables.catalog().dropTable(BASE);
        tables.catalog().dropTable(CHANGES);
        tables.createTables(3);
      }
      tables.append(tables.change("+I", 1L, "eu", 10), tables.change("+I", 2L, "eu", 20));
      tables.merge(spec());
      tables.append(tables.change("-D", 1L, null, null));
      tables.merge(spec());
      tables.append(tables.change("-D", 2L, null, null), tables.change("+I", 3L, "eu", 3));
      tables.merge(spec());
      assertThat(tables.rows(), equalTo(Map.of(3L, List.of("eu", 3))));
      List<DeleteFile> deletes = deletes(tables.base());
      assertThat(deletes, not(empty()));
      deletes.forEach(
          delete -> {
            assertThat(delete.content(), is(FileContent.POSITION_DELETES));
            assertThat(delete.format(), is(version == 2 ? FileFormat.PARQUET : FileFormat.PUFFIN));
          });
      if (version == 3) {
        // The second vector of the file replaces the first.
        assertThat(deletes, hasSize(1));
      }
    }
  }

  @Test
  public void vectorsOutliveTheExpiryOfOnesWrittenWithThem() {
    mergeTwoFilesOfTwoRows();
    tables.append(tables.change("-D", 1L, null, null), tables.change("-D", 3L, null, null));
    tables.merge(spec());
    tables.append(tables.change("-D", 2L, null, null));
    tables.merge(spec());
    // The snapshot that replaced the vector has to expire as well.
    tables.append(tables.change("+I", 5L, "asia", 5));
    tables.merge(spec());
    tables.expire(BASE);
    assertThat(tables.rows(), equalTo(Map.of(4L, List.of("us", 4), 5L, List.of("asia", 5))));
  }

  @Test
  public void vectorsOutliveTheExpiryOfOnesThatOthersWroteIntoTheSameFile() {
    mergeTwoFilesOfTwoRows();
    tables.deleteFirstRowsByVectorsOfOneFile();
    Map<Long, List<Object>> left = new HashMap<>(tables.rows());
    assertThat(left.keySet(), hasSize(2));
    long european = left.containsKey(1L) ? 1L : 2L;
    tables.append(tables.change("-D", european, null, null));
    MergeResult result = tables.merge(spec());
    assertThat(result.rowsDeleted(), is(1L));
    left.remove(european);
    assertThat(tables.rows(), equalTo(left));
    // The snapshot that replaced the vector has to expire as well.
    tables.append(tables.change("+I", 5L, "asia", 5));
    tables.merge(spec());
    left.put(5L, List.of("asia", 5));
    tables.expire(BASE);
    assertThat(tables.rows(), equalTo(left));
  }

  @Test
  public void vectorsBesideAReplacedOneGoWithTheirFilesIfTheseAreCompactedMeanwhile() {
    mergeTwoFilesOfTwoRows();
    tables.deleteFirstRowsByVectorsOfOneFile();
    Map<Long, List<Object>> left = new HashMap<>(tables.rows());
    long european = left.containsKey(1L) ? 1L : 2L;
    left.remove(european);
    tables.append(tables.change("-D", european, null, null));
    AtomicInteger plans = new AtomicInteger();
    MergeResult result =
        tables.merge(
            spec(),
            step -> {
              if (step == MergeProbe.Step.PLANNED && plans.getAndIncrement() == 0) {
                tables.compact();
              }
            });
    assertThat(result.replans(), is(1));
    assertThat(tables.rows(), equalTo(left));
    tables.expire(BASE);
    assertThat(tables.rows(), equalTo(left));
  }

  private void mergeTwoFilesOfTwoRows() {
    tables.createTables(3);
    tables.append(
        tables.change("+I", 1L, "eu", 1),
        tables.change("+I", 2L, "eu", 2),
        tables.change("+I", 3L, "us", 3),
        tables.change("+I", 4L, "us", 4));
    tables.merge(spec());
  }

  @Test
  public void equalityDeletesReadNothingOfTheBase() {
    tables.createBase(2, PartitionSpec.unpartitioned());
    tables.create(CHANGES, MergeFixture.CHANGE, 2, PartitionSpec.unpartitioned());
    MergeSpec equality = spec().withRemovals(Removals.EQUALITY);
    tables.append(tables.change("+I", 1L, "eu", 10), tables.change("+I", 2L, "eu", 20));
    tables.merge(equality);
    tables.append(tables.change("+U", 1L, "us", 11), tables.change("-D", 2L, null, null));
    MergeResult result = tables.merge(equality);
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("us", 11))));
    assertThat(result.baseFilesRead(), is(0));
    assertThat(result.rowsDeleted(), is(-1L));
    assertThat(deletes(tables.base()).get(0).content(), is(FileContent.EQUALITY_DELETES));
    // A later merge by position sees which rows the equality deletes took.
    tables.append(tables.change("+U", 1L, "us", 12), tables.change("+I", 2L, "us", 22));
    assertThat(tables.merge(spec()).rowsDeleted(), is(1L));
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("us", 12), 2L, List.of("us", 22))));
  }

  @Test
  public void equalityDeletesReachTheNamedPartitions() {
    tables.createTables(2);
    MergeSpec equality = spec().withRemovals(Removals.EQUALITY).withFullBeforeImages();
    tables.append(tables.change("+I", 1L, "eu", 10));
    tables.merge(equality);
    tables.append(tables.change("-U", 1L, "eu", 10), tables.change("+U", 1L, "us", 11));
    tables.merge(equality);
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("us", 11))));
    tables.append(tables.change("-D", 1L, "us", 11));
    tables.merge(equality);
    assertThat(tables.rows(), equalTo(Map.of()));
  }

  @Test
  public void equalityDeletesAreRefusedWhereARowCanLieAnywhere() {
    tables.createTables(2);
    tables.append(tables.change("+I", 1L, "eu", 10));
    tables.merge(spec());
    tables.append(tables.change("-D", 1L, null, null));
    MergeException refused =
        assertThrows(
            MergeException.class, () -> tables.merge(spec().withRemovals(Removals.EQUALITY)));
    assertThat(refused.kind(), is(MergeException.Kind.BASE_UNFIT));
    assertThat(refused.getMessage(), containsString("withFullBeforeImages"));
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("eu", 10))));
  }

  @Test
  public void keyMovesThroughThreePartitions() {
    for (boolean full : new boolean[] {false, true}) {
      if (full) {
        tables.catalog().dropTable(BASE);
        tables.catalog().dropTable(CHANGES);
      }
      tables.createTables(2);
      MergeSpec spec = full ? spec().withFullBeforeImages() : spec();
      tables.append(tables.change("+I", 1L, "a", 1), tables.change("+I", 9L, "a", 9));
      tables.merge(spec);
      // In one range.
      List<Record> moves = new ArrayList<>();
      moves.addAll(move(full, "a", 1, "b", 2));
      moves.addAll(move(full, "b", 2, "c", 3));
      moves.addAll(move(full, "c", 3, "d", 4));
      tables.append(moves.toArray(new Record[0]));
      tables.merge(spec);
      assertThat(tables.rows(), equalTo(Map.of(1L, List.of("d", 4), 9L, List.of("a", 9))));
      // In three.
      String at = "d";
      int amount = 4;
      for (String next : List.of("e", "f", "a")) {
        tables.append(move(full, at, amount, next, amount + 1).toArray(new Record[0]));
        tables.merge(spec);
        at = next;
        amount++;
        assertThat(tables.rows(), equalTo(Map.of(1L, List.of(at, amount), 9L, List.of("a", 9))));
      }
    }
  }

  private List<Record> move(boolean full, String from, int before, String to, int after) {
    Record then = full ? tables.change("-U", 1L, from, before) : null;
    Record now = tables.change("+U", 1L, to, after);
    return full ? List.of(then, now) : List.of(now);
  }

  @Test
  public void largeRangeIsMergedInParts() {
    tables.createTables(2);
    Record[] inserts = new Record[100];
    Record[] updates = new Record[100];
    for (int i = 0; i < 100; i++) {
      inserts[i] = tables.change("+I", (long) i, "r" + i % 3, i);
    }
    for (int i = 0; i < 100; i++) {
      updates[i] =
          i % 2 == 0
              ? tables.change("+U", (long) i, "r" + i % 5, i + 1)
              : tables.change("-D", (long) i, null, null);
    }
    MergeSpec small =
        spec()
            .withRowsInMemory(7)
            .withSpillDirectory(new java.io.File(tables.folder().getRoot(), "spill").getPath());
    tables.append(inserts);
    tables.merge(small);
    tables.append(updates);
    MergeResult result = tables.merge(small);
    assertThat(result.rowsInserted(), is(50L));
    assertThat(result.rowsDeleted(), is(100L));
    Map<Long, List<Object>> expected = new java.util.TreeMap<>();
    for (int i = 0; i < 100; i += 2) {
      expected.put((long) i, List.of("r" + i % 5, i + 1));
    }
    assertThat(tables.rows(), equalTo(expected));
    assertThat(new java.io.File(tables.folder().getRoot(), "spill").list().length, is(0));
  }

  @Test
  public void equalPositionsAreSettledByKindThenByPlace() {
    tables.createTables(2);
    tables.append(
        changeAt(7, "+U", 1L, "eu", 1),
        changeAt(7, "-U", 1L, "eu", 0),
        changeAt(8, "+U", 2L, "eu", 1),
        changeAt(8, "+U", 2L, "us", 2));
    tables.append(changeAt(8, "+U", 2L, "asia", 3));
    tables.merge(spec());
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("eu", 1), 2L, List.of("asia", 3))));
  }

  @Test
  public void nullsAreKeysAndPartitionsLikeOthers() {
    tables.create(
        BASE,
        new org.apache.iceberg.Schema(
            org.apache.iceberg.types.Types.NestedField.optional(
                1, "id", org.apache.iceberg.types.Types.LongType.get()),
            MergeFixture.ORDER.findField("region"),
            MergeFixture.ORDER.findField("amount")),
        2,
        PartitionSpec.builderFor(MergeFixture.ORDER).identity("region").build());
    tables.create(CHANGES, MergeFixture.CHANGE, 2, PartitionSpec.unpartitioned());
    MergeSpec spec = spec().withKey("id", "region");
    tables.append(
        tables.change("+I", null, null, 1),
        tables.change("+I", 1L, null, 2),
        tables.change("+I", null, "eu", 3));
    tables.merge(spec);
    tables.append(
        tables.change("+U", null, null, 4),
        tables.change("-D", 1L, null, null),
        tables.change("+U", null, "eu", 5));
    assertThat(tables.merge(spec).rowsDeleted(), is(3L));
    List<List<Object>> rows = new ArrayList<>();
    MergeFixture.read(tables.base())
        .forEach(
            row ->
                rows.add(
                    Arrays.asList(
                        row.getField("id"), row.getField("region"), row.getField("amount"))));
    assertThat(
        rows,
        org.hamcrest.Matchers.containsInAnyOrder(
            Arrays.asList(null, null, 4), Arrays.asList(null, "eu", 5)));
  }

  @Test
  public void rowsOfFormerPartitionSpecsAreFound() {
    tables.createTables(2);
    tables.append(tables.change("+I", 1L, "eu", 10), tables.change("+I", 2L, "us", 20));
    tables.merge(spec());
    tables
        .base()
        .updateSpec()
        .removeField("region")
        .addField(org.apache.iceberg.expressions.Expressions.bucket("id", 4))
        .commit();
    tables.append(tables.change("+U", 1L, "us", 11), tables.change("+I", 3L, "eu", 30));
    tables.merge(spec());
    tables.append(tables.change("-U", 2L, "us", 20), tables.change("+U", 2L, "eu", 21));
    tables.merge(spec().withFullBeforeImages());
    assertThat(
        tables.rows(),
        equalTo(Map.of(1L, List.of("us", 11), 2L, List.of("eu", 21), 3L, List.of("eu", 30))));
  }

  @Test
  public void rowsOfOtherWritersAreReplacedToo() {
    tables.createTables(2);
    MergeFixture.append(tables.base(), List.of(order(1, "eu", 1), order(2, "eu", 2)));
    tables.append(tables.change("+U", 1L, "us", 11));
    assertThat(tables.merge(spec()).rowsDeleted(), is(1L));
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("us", 11), 2L, List.of("eu", 2))));
  }

  @Test
  public void versionOneIsRefused() {
    tables.createBase(1, PartitionSpec.unpartitioned());
    tables.create(CHANGES, MergeFixture.CHANGE, 2, PartitionSpec.unpartitioned());
    tables.append(tables.change("+I", 1L, "eu", 10));
    MergeException refused = assertThrows(MergeException.class, () -> tables.merge(spec()));
    assertThat(refused.kind(), is(MergeException.Kind.BASE_UNFIT));
    assertThat(refused.getMessage(), containsString("format-version=2"));
  }

  private static List<DeleteFile> deletes(Table table) {
    List<DeleteFile> deletes = new ArrayList<>();
    try (var tasks = table.newScan().planFiles()) {
      tasks.forEach(
          task ->
              task.deletes().stream()
                  .filter(
                      delete ->
                          deletes.stream().noneMatch(d -> d.location().equals(delete.location())))
                  .forEach(deletes::add));
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return deletes;
  }
}
