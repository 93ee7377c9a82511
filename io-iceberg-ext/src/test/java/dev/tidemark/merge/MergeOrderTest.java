package dev.tidemark.merge;

import static dev.tidemark.merge.MergeFixture.BASE;
import static dev.tidemark.merge.MergeFixture.CHANGES;
import static dev.tidemark.merge.MergeFixture.changeAt;
import static dev.tidemark.merge.MergeFixture.spec;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.anEmptyMap;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import dev.tidemark.commit.CatalogKind;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Order holds across merges: a change that arrives late does not take its key back. */
@RunWith(JUnit4.class)
public class MergeOrderTest {
  private static final LocalDate DAY = LocalDate.of(2026, 6, 1);
  private static final String ORDER_UNTIL = "tidemark.source.orders.order-until";

  @Rule public final MergeFixture tables = new MergeFixture(CatalogKind.JDBC);

  private MergeResult merge(MergeSpec spec, Record... changes) {
    tables.append(changes);
    return tables.merge(spec);
  }

  private MergeResult merge(Record... changes) {
    return merge(spec(), changes);
  }

  private String consumed() {
    return tables.property("tidemark.source.orders.consumed-snapshot-id");
  }

  @Test
  public void lateUpdateIsLeftOut() {
    tables.createTables(2);
    merge(changeAt(10, "+I", 1L, "eu", 10), changeAt(30, "+U", 1L, "us", 30));
    long snapshot = tables.base().currentSnapshot().snapshotId();
    MergeResult late = merge(changeAt(20, "+U", 1L, "asia", 20));
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("us", 30))));
    assertThat(late.status(), is(MergeResult.Status.CARRIED));
    assertThat(late.keys(), is(0L));
    assertThat(late.keysSuperseded(), is(1L));
    assertThat(tables.base().currentSnapshot().snapshotId(), is(snapshot));
    assertThat(tables.merge(spec()).status(), is(MergeResult.Status.NOTHING));
  }

  @Test
  public void deletedKeyStaysDeleted() {
    tables.createTables(2);
    merge(changeAt(10, "+I", 1L, "eu", 10), changeAt(30, "-D", 1L, null, null));
    assertThat(merge(changeAt(20, "+U", 1L, "asia", 20)).keysSuperseded(), is(1L));
    assertThat(tables.rows(), anEmptyMap());
  }

  @Test
  public void lateDeleteTakesNothing() {
    tables.createTables(3);
    merge(changeAt(30, "+I", 1L, "eu", 30));
    MergeResult late = merge(changeAt(20, "-D", 1L, null, null), changeAt(40, "+I", 2L, "eu", 40));
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("eu", 30), 2L, List.of("eu", 40))));
    assertThat(late.keys(), is(1L));
    assertThat(late.keysSuperseded(), is(1L));
  }

  @Test
  public void changeThatIsDeliveredAgainChangesNothing() {
    tables.createTables(2);
    merge(changeAt(10, "+I", 1L, "eu", 10), changeAt(20, "+U", 1L, "us", 20));
    merge(changeAt(10, "+I", 1L, "eu", 10));
    merge(changeAt(20, "+U", 1L, "us", 20));
    // Of one update only the half that takes the old row back.
    merge(changeAt(20, "-U", 1L, "eu", 10));
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("us", 20))));
  }

  @Test
  public void changesInOrderReadNothingThatWasMerged() {
    tables.createTables(2);
    for (long id = 1; id <= 5; id++) {
      assertThat(merge(tables.change("+I", id, "eu", 1)).mergedFilesRead(), is(0));
    }
    assertThat(merge(tables.change("+U", 3L, "us", 2)).mergedFilesRead(), is(0));
  }

  @Test
  public void onlyFilesThatCanBeLaterAreRead() {
    tables.createTables(2);
    for (long id = 1; id <= 5; id++) {
      merge(changeAt(id * 10, "+I", id, "eu", 1), changeAt(id * 10 + 1, "+I", id + 10, "eu", 1));
    }
    // Later are the files of 30, 40 and 50; that of 50 begins behind the key.
    assertThat(merge(changeAt(25, "+U", 4L, "us", 2)).mergedFilesRead(), is(2));
    assertThat(tables.rows().get(4L), equalTo(List.of("eu", 1)));
    // Nothing that was merged is as late.
    assertThat(merge(changeAt(52, "+U", 4L, "us", 2)).mergedFilesRead(), is(0));
    assertThat(tables.rows().get(4L), equalTo(List.of("us", 2)));
  }

  @Test
  public void compactedAndExpiredChangesAreRemembered() {
    tables.createTables(2);
    merge(changeAt(10, "+I", 1L, "eu", 10));
    merge(changeAt(30, "-D", 1L, null, null), changeAt(31, "+I", 2L, "eu", 31));
    MergeFixture.compact(tables.changes());
    assertThat(tables.merge(spec()).changeFilesRead(), is(0));
    tables.expire(CHANGES);
    MergeResult late = merge(changeAt(20, "+U", 1L, "us", 20), changeAt(21, "+I", 2L, "us", 21));
    assertThat(late.keysSuperseded(), is(2L));
    assertThat(tables.rows(), equalTo(Map.of(2L, List.of("eu", 31))));
  }

  @Test
  public void orderHoldsForEveryKindOfRemovalAndInParts() {
    for (Removals removals : Removals.values()) {
      for (long rowsInMemory : new long[] {1_000_000, 1}) {
        tables.createBase(2, PartitionSpec.unpartitioned());
        tables.create(CHANGES, MergeFixture.CHANGE, 2, PartitionSpec.unpartitioned());
        MergeSpec spec = spec().withRemovals(removals).withRowsInMemory(rowsInMemory);
        merge(spec, changeAt(30, "+I", 1L, "eu", 30), changeAt(30, "-D", 2L, null, null));
        MergeResult late =
            merge(
                spec,
                changeAt(20, "+U", 1L, "us", 20),
                changeAt(21, "-D", 1L, null, null),
                changeAt(22, "+I", 2L, "us", 22),
                changeAt(23, "+I", 3L, "us", 23));
        assertThat(late.keysSuperseded(), is(2L));
        assertThat(tables.rows(), equalTo(Map.of(1L, List.of("eu", 30), 3L, List.of("us", 23))));
        tables.catalog().dropTable(BASE, true);
        tables.catalog().dropTable(CHANGES, true);
      }
    }
  }

  @Test
  public void orderHoldsAcrossSources() {
    tables.createTables(2);
    TableIdentifier asia = TableIdentifier.of("shop", "orders_asia");
    tables.create(asia, MergeFixture.CHANGE, 2, PartitionSpec.unpartitioned());
    merge(changeAt(30, "+I", 1L, "eu", 30));
    MergeFixture.append(
        tables.catalog().loadTable(asia),
        List.of(changeAt(20, "+I", 1L, "asia", 20), changeAt(21, "+I", 2L, "asia", 21)));
    MergeSpec both = spec().withSource("asia", asia);
    assertThat(tables.merge(both).keysSuperseded(), is(1L));
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("eu", 30), 2L, List.of("asia", 21))));
    assertThat(merge(both, changeAt(19, "-D", 2L, null, null)).keysSuperseded(), is(1L));
    assertThat(tables.rows().size(), is(2));
  }

  @Test
  public void baseThatSaysNotHowFarOrderWentLooksAtAll() {
    tables.createTables(2);
    merge(changeAt(30, "+I", 1L, "eu", 30));
    assertThat(tables.property(ORDER_UNTIL), is(consumed() + ":{\"1\":30}"));
    for (String said : new String[] {null, "%s:{\"1\":\"x\"}", "%s:{}", "%s:", "1:{\"1\":10}"}) {
      if (said == null) {
        tables.base().updateProperties().remove(ORDER_UNTIL).commit();
      } else {
        tables.base().updateProperties().set(ORDER_UNTIL, said.formatted(consumed())).commit();
      }
      MergeResult late = merge(changeAt(20, "+U", 1L, "us", 20));
      assertThat(said, late.keysSuperseded(), is(1L));
    }
    tables.base().updateProperties().remove(ORDER_UNTIL).commit();
    merge(changeAt(40, "+U", 1L, "us", 40));
    assertThat(tables.property(ORDER_UNTIL), is(consumed() + ":{\"1\":40}"));
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("us", 40))));
  }

  @Test
  public void filesWithoutBoundsAreAlwaysRead() {
    tables.createTables(2);
    tables.changes().updateProperties().set("write.metadata.metrics.default", "none").commit();
    merge(changeAt(30, "+I", 1L, "eu", 30));
    assertThat(merge(changeAt(40, "+I", 2L, "eu", 40)).mergedFilesRead(), is(1));
    assertThat(merge(changeAt(20, "+U", 1L, "us", 20)).keysSuperseded(), is(1L));
    assertThat(tables.property(ORDER_UNTIL), is(consumed() + ":{}"));
  }

  @Test
  public void laterTruncateTakesALateChange() {
    tables.createTables(2);
    MergeSpec spec = spec().withTruncates(Truncation.APPLY);
    merge(spec, changeAt(10, "+I", 1L, "eu", 10), changeAt(30, "-T", null, null, null));
    MergeResult late =
        merge(spec, changeAt(20, "+I", 2L, "eu", 20), changeAt(40, "+I", 3L, "eu", 40));
    assertThat(late.keysSuperseded(), is(1L));
    assertThat(tables.rows(), equalTo(Map.of(3L, List.of("eu", 40))));
    // A truncate before that truncate has nothing left to take.
    merge(spec, changeAt(25, "-T", null, null, null));
    assertThat(tables.rows(), equalTo(Map.of(3L, List.of("eu", 40))));
  }

  @Test
  public void lateTruncateIsRefused() {
    tables.createTables(2);
    MergeSpec spec = spec().withTruncates(Truncation.APPLY);
    merge(spec, changeAt(10, "+I", 1L, "eu", 10), changeAt(30, "+I", 2L, "eu", 30));
    tables.append(changeAt(20, "-T", null, null, null));
    MergeException refused = assertThrows(MergeException.class, () -> tables.merge(spec));
    assertThat(refused.kind(), is(MergeException.Kind.TRUNCATED));
    assertThat(tables.rows().size(), is(2));
    tables.merge(spec.withRebuild(true));
    assertThat(tables.rows(), equalTo(Map.of(2L, List.of("eu", 30))));
  }

  @Test
  public void lateChangeTellsWhatALaterOneLeftOut() {
    Schema changes =
        new Schema(
            Types.NestedField.required(1, "_position", Types.LongType.get()),
            Types.NestedField.required(2, "_kind", Types.StringType.get()),
            Types.NestedField.optional(3, "id", Types.LongType.get()),
            Types.NestedField.optional(4, "region", Types.StringType.get()),
            Types.NestedField.optional(5, "amount", Types.IntegerType.get()),
            Types.NestedField.optional(
                6, "_unknown", Types.ListType.ofRequired(7, Types.StringType.get())));
    tables.createBase(2, PartitionSpec.unpartitioned());
    Table table = tables.create(CHANGES, changes, 2, PartitionSpec.unpartitioned());
    MergeSpec spec = spec().withUnknownColumns("_unknown");
    MergeFixture.append(
        table, List.of(told(changes, 10, "+I", "eu", 10), told(changes, 30, "+U", null, 30)));
    tables.merge(spec);
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("eu", 30))));
    // It comes before the one that leaves the region out, so its region stands.
    MergeFixture.append(table, List.of(told(changes, 20, "+U", "us", 20)));
    tables.merge(spec);
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("us", 30))));
    // What is told between does not.
    MergeFixture.append(
        table, List.of(told(changes, 15, "+U", "asia", 15), told(changes, 40, "+U", null, 40)));
    tables.merge(spec);
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("us", 40))));
    MergeFixture.append(table, List.of(told(changes, 35, "-D", null, null)));
    assertThrows(MergeException.class, () -> tables.merge(spec));
  }

  private static Record told(
      Schema schema, long position, String kind, String region, Integer amount) {
    Record record = GenericRecord.create(schema);
    record.setField("_position", position);
    record.setField("_kind", kind);
    record.setField("id", 1L);
    record.setField("region", region);
    record.setField("amount", amount);
    record.setField("_unknown", region == null && amount != null ? List.of("region") : null);
    return record;
  }

  @Test
  public void rowIsFoundThoughTheChangeThatMovedItIsLate() {
    tables.createTables(2);
    MergeSpec spec = spec().withFullBeforeImages();
    merge(
        spec,
        changeAt(10, "+I", 1L, "eu", 10),
        changeAt(11, "+I", 2L, "eu", 11),
        changeAt(12, "+I", 3L, "asia", 12));
    MergeResult early =
        merge(
            spec,
            changeAt(30, "-U", 1L, "us", 20),
            changeAt(31, "+U", 1L, "asia", 30),
            changeAt(32, "-U", 3L, "asia", 12),
            changeAt(33, "+U", 3L, "asia", 33));
    assertThat(early.rowsDeleted(), is(2L));
    assertThat(
        tables.rows(),
        equalTo(Map.of(1L, List.of("asia", 30), 2L, List.of("eu", 11), 3L, List.of("asia", 33))));
    merge(spec, changeAt(20, "-U", 1L, "eu", 10), changeAt(21, "+U", 1L, "us", 20));
    assertThat(tables.rows().get(1L), equalTo(List.of("asia", 30)));
  }

  @Test
  public void severalOrderColumnsBoundTogether() {
    Schema changes =
        new Schema(
            Types.NestedField.required(1, "_position", Types.LongType.get()),
            Types.NestedField.required(2, "_epoch", Types.StringType.get()),
            Types.NestedField.required(3, "_kind", Types.StringType.get()),
            Types.NestedField.optional(4, "id", Types.LongType.get()),
            Types.NestedField.optional(5, "region", Types.StringType.get()),
            Types.NestedField.optional(6, "amount", Types.IntegerType.get()));
    tables.createBase(2, PartitionSpec.unpartitioned());
    Table table = tables.create(CHANGES, changes, 2, PartitionSpec.unpartitioned());
    MergeSpec spec = spec().withOrder("_epoch", "_position");
    append(table, "a", 90, 1);
    tables.merge(spec);
    append(table, "a", 91, 2);
    assertThat(tables.merge(spec).mergedFilesRead(), is(0));
    append(table, "b", 1, 3);
    assertThat(tables.merge(spec).mergedFilesRead(), is(0));
    append(table, "a", 99, 4);
    assertThat(tables.merge(spec).keysSuperseded(), is(1L));
    assertThat(tables.rows(), equalTo(Map.of(1L, List.of("eu", 3))));
    assertThat(tables.property(ORDER_UNTIL), is(consumed() + ":{\"2\":\"b\",\"1\":1}"));
  }

  @Test
  public void everyTypeOfOrderHoldsAcrossMerges() {
    Map<Type, List<Object>> ordered = new LinkedHashMap<>();
    ordered.put(Types.IntegerType.get(), List.of(-1, 2, 3));
    ordered.put(Types.FloatType.get(), List.of(-1f, 2f, Float.NaN));
    ordered.put(Types.DoubleType.get(), List.of(-1d, 2d, Double.NaN));
    ordered.put(Types.DecimalType.of(20, 2), List.of(decimal("-1"), decimal("2"), decimal("3")));
    ordered.put(Types.DateType.get(), List.of(DAY.minusDays(9), DAY, DAY.plusDays(1)));
    LocalTime noon = LocalTime.NOON;
    ordered.put(Types.TimeType.get(), List.of(noon.minusNanos(1000), noon, noon.plusHours(1)));
    LocalDateTime time = DAY.atTime(noon);
    List<Object> times = List.of(time.minusYears(99), time, time.plusNanos(1000));
    ordered.put(Types.TimestampType.withoutZone(), times);
    ordered.put(
        Types.TimestampType.withZone(),
        times.stream().<Object>map(at -> ((LocalDateTime) at).atOffset(ZoneOffset.UTC)).toList());
    String prefix = "longer than a bound is kept ";
    ordered.put(Types.StringType.get(), List.of(prefix + "a", prefix + "b", prefix + "c"));

    for (Map.Entry<Type, List<Object>> each : ordered.entrySet()) {
      Schema changes =
          new Schema(
              Types.NestedField.required(1, "_position", each.getKey()),
              Types.NestedField.required(2, "_kind", Types.StringType.get()),
              Types.NestedField.optional(3, "id", Types.LongType.get()),
              Types.NestedField.optional(4, "amount", Types.IntegerType.get()));
      tables.createBase(2, PartitionSpec.unpartitioned());
      Table table = tables.create(CHANGES, changes, 2, PartitionSpec.unpartitioned());
      for (int at : new int[] {1, 0, 2, 1}) {
        Record record = GenericRecord.create(changes);
        record.setField("_position", each.getValue().get(at));
        record.setField("_kind", "+U");
        record.setField("id", 1L);
        record.setField("amount", at);
        MergeFixture.append(table, List.of(record));
        tables.merge(spec());
      }
      assertThat(
          each.getKey().toString(), tables.rows(), equalTo(Map.of(1L, Arrays.asList(null, 2))));
      tables.catalog().dropTable(BASE, true);
      tables.catalog().dropTable(CHANGES, true);
    }
  }

  private static BigDecimal decimal(String text) {
    return new BigDecimal(text).setScale(2);
  }

  private static void append(Table table, String epoch, long position, int amount) {
    Record record = GenericRecord.create(table.schema());
    record.setField("_epoch", epoch);
    record.setField("_position", position);
    record.setField("_kind", "+U");
    record.setField("id", 1L);
    record.setField("region", "eu");
    record.setField("amount", amount);
    MergeFixture.append(table, List.of(record));
  }
}
