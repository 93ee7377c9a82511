package dev.tidemark.change;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.tidemark.candidates.CandidateStore;
import dev.tidemark.candidates.MaterializerStatistics;
import dev.tidemark.candidates.UpsertSemantics;
import dev.tidemark.candidates.UpsertStrategy;
import dev.tidemark.change.DebeziumFixtures.Format;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;

/**
 * Materializes the events of a real connector in all their forms and compares what a sink then
 * holds with what the source held at the end.
 */
public final class DebeziumMaterialization {
  /** A column of each table that many rows have the same value of. */
  private static final ImmutableMap<String, String> OTHER_KEYS =
      ImmutableMap.of(
          "customers", "vip",
          "orders", "status",
          "order_items", "sku",
          "docs", "title",
          "audit_nokey", "what");

  private final Supplier<CandidateStore> stores;
  private long longestList;
  private long migrations;
  private long rollbacks;

  private DebeziumMaterialization(Supplier<CandidateStore> stores) {
    this.stores = stores;
  }

  /** By the primary key of each table the sink has the source's own tables. */
  public static void assertPrimaryKeysGiveTheSourcesTables(Supplier<CandidateStore> stores) {
    DebeziumMaterialization materialization = new DebeziumMaterialization(stores);
    for (Format format : Format.values()) {
      for (String name : DebeziumFixtures.KEYED_TABLES) {
        materialization.byPrimaryKey(format, name);
      }
    }
    assertThat("longest list", materialization.longestList, is(1L));
  }

  /**
   * By another column the sink has the row of each value that came last and is still there, as a
   * list per value gives it.
   */
  public static void assertOtherKeysGiveTheLatestRows(Supplier<CandidateStore> stores) {
    DebeziumMaterialization materialization = new DebeziumMaterialization(stores);
    for (Format format : Format.values()) {
      for (String name : DebeziumFixtures.TABLES) {
        // The flattening drops the truncate of this table.
        if (format != Format.FLATTENED || !name.equals("audit_nokey")) {
          materialization.byOtherKey(format, name, OTHER_KEYS.get(name));
        }
      }
    }
    assertThat("longest list", materialization.longestList, greaterThan(40L));
    assertThat("migrations", materialization.migrations, greaterThan(40L));
    assertThat("rollbacks", materialization.rollbacks, greaterThan(100L));
  }

  private void byPrimaryKey(Format format, String name) {
    DebeziumTable table = DebeziumFixtures.table(format, name);
    ImmutableList<String> key = table.key().asList();
    Map<Object, Map<String, Object>> truth = truth(format, name);
    try (MaterializedSink sink =
        new MaterializedSink(stores, table.rowSchema(), key, key, semantics())) {
      SourceLog.asTold(format, name).forEach(sink::add);
      assertThat(
          format + " " + name,
          TableContents.byKey(values(sink.contents().values()), table.key()),
          equalTo(truth));
      finish(sink.statistics(), truth.size(), format + " " + name);
    }
  }

  private void byOtherKey(Format format, String name, String column) {
    DebeziumTable table = DebeziumFixtures.table(format, name);
    List<Change> changes = SourceLog.withRowsBefore(format, name, column);
    Map<Object, List<Row>> lists = new HashMap<>();
    for (Change change : changes) {
      fold(change, lists, column, SourceLog.keyColumns(table));
    }
    Map<List<Object>, Map<String, Object>> latest = new HashMap<>();
    List<Row> all = new ArrayList<>();
    lists.forEach(
        (value, list) -> {
          latest.put(Arrays.asList(value), TableContents.values(list.get(list.size() - 1)));
          all.addAll(list);
        });
    String what = format + " " + name + " by " + column;
    Map<Object, Map<String, Object>> truth = truth(format, name);
    assertThat(
        what + ": the lists themselves",
        TableContents.byKey(values(all), SourceLog.keyColumns(table)),
        equalTo(truth));

    Schema schema = table.rowSchema();
    try (MaterializedSink sink =
        new MaterializedSink(stores, schema, List.of(column), table.key().asList(), semantics())) {
      changes.forEach(sink::add);
      Map<List<Object>, Map<String, Object>> contents = new HashMap<>();
      sink.contents().forEach((key, row) -> contents.put(key, TableContents.values(row)));
      assertThat(what, contents, equalTo(latest));
      finish(sink.statistics(), truth.size(), what);
    }
  }

  /** All changes found their candidates, and as many are left as the table has rows. */
  private void finish(MaterializerStatistics statistics, int rows, String what) {
    assertThat(what, statistics.unmatchedKeyKnown + statistics.unmatchedKeyAbsent, is(0L));
    assertThat(what, statistics.candidatesDelta, is((long) rows));
    longestList = Math.max(longestList, statistics.longestList);
    migrations += statistics.migrations;
    rollbacks += statistics.rollbacks;
  }

  private static void fold(
      Change change, Map<Object, List<Row>> lists, String column, ImmutableSet<String> key) {
    Object value = change.row().getValue(column);
    List<Row> list = lists.computeIfAbsent(value, v -> new ArrayList<>());
    if (change.kind().adds()) {
      list.add(change.row());
      return;
    }
    for (int i = 0; i < list.size(); i++) {
      if (part(list.get(i), key).equals(part(change.row(), key))) {
        list.remove(i);
        if (list.isEmpty()) {
          lists.remove(value);
        }
        return;
      }
    }
    throw new AssertionError("Cannot take back a row that is not there");
  }

  private static Map<String, Object> part(Row row, ImmutableSet<String> columns) {
    Map<String, Object> part = new LinkedHashMap<>();
    columns.forEach(column -> part.put(column, row.getValue(column)));
    return part;
  }

  private static List<Map<String, Object>> values(Iterable<Row> rows) {
    List<Map<String, Object>> values = new ArrayList<>();
    rows.forEach(row -> values.add(TableContents.values(row)));
    return values;
  }

  private static Map<Object, Map<String, Object>> truth(Format format, String name) {
    DebeziumTable table = DebeziumFixtures.table(format, name);
    return TableContents.byKey(
        TableContents.truth(name, table.rowSchema(), format), SourceLog.keyColumns(table));
  }

  private static UpsertSemantics semantics() {
    return UpsertSemantics.of(UpsertStrategy.ADAPTIVE).withThresholds(8, 5);
  }
}
