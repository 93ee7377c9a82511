package dev.tidemark.doris.emulator;

import com.google.common.collect.Iterables;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.checkerframework.checker.nullness.qual.Nullable;

/** A table and its visible rows. Guarded by the cluster's lock. */
final class Table {

  /** A row of a UNIQUE table; a deleted one stays for its sequence. */
  private record Stored(
      List<@Nullable Object> values, boolean deleted, @Nullable Object sequence) {}

  /**
   * What all visible rows come to.
   *
   * @param sum of a column's values that are not NULL; null if there are none
   */
  record Totals(long rows, @Nullable Long sum) {}

  /** The order of texts of which some are bytes. */
  private static final Comparator<Object> BYTES =
      Comparator.comparing(
          value ->
              value instanceof ByteBuffer bytes
                  ? bytes
                  : StandardCharsets.UTF_8.encode((String) value));

  private final TableDefinition definition;
  private final int keyColumns;
  private final TreeMap<List<@Nullable Object>, Stored> byKey = new TreeMap<>(Table::compareKeys);
  private final List<List<@Nullable Object>> appended = new ArrayList<>();

  Table(TableDefinition definition) {
    this.definition = definition;
    this.keyColumns = (int) definition.columns().stream().filter(Column::key).count();
  }

  TableDefinition definition() {
    return definition;
  }

  void truncate() {
    byKey.clear();
    appended.clear();
  }

  /** Makes rows visible, in their order. */
  void publish(Collection<LoadedRow> rows) {
    for (LoadedRow row : rows) {
      if (definition.unique()) {
        upsert(row);
      } else {
        appended.add(row.values());
      }
    }
  }

  private void upsert(LoadedRow row) {
    List<@Nullable Object> key = keyOf(row);
    Stored stored = byKey.get(key);
    boolean sequenced =
        definition.hasSequence() && (row.written() == null || row.sequence() != null);
    if (stored != null && sequenced && compare(row.sequence(), stored.sequence()) < 0) {
      return;
    }
    Object sequence = stored == null || sequenced ? row.sequence() : stored.sequence();
    if (!row.deleted()) {
      byKey.put(key, new Stored(merged(row, stored), false, sequence));
    } else if (definition.hasSequence()) {
      byKey.put(key, new Stored(row.values(), true, sequence));
    } else {
      byKey.remove(key);
    }
  }

  private static List<@Nullable Object> merged(LoadedRow row, @Nullable Stored stored) {
    BitSet written = row.written();
    if (written == null || stored == null || stored.deleted()) {
      return row.values();
    }
    List<@Nullable Object> values = new ArrayList<>(stored.values());
    written.stream().forEach(column -> values.set(column, row.values().get(column)));
    return Collections.unmodifiableList(values);
  }

  private List<@Nullable Object> keyOf(LoadedRow row) {
    return row.values().subList(0, keyColumns);
  }

  /** The first column that a new row of a partial update would need a value of, or null. */
  @Nullable String missingOfNewRow(LoadedRow row) {
    BitSet written = row.written();
    Stored stored = written == null ? null : byKey.get(keyOf(row));
    if (written == null || (stored != null && !stored.deleted()) || row.deleted()) {
      return null;
    }
    for (int i = 0; i < definition.columns().size(); i++) {
      Column column = definition.columns().get(i);
      if (!written.get(i) && !column.nullable() && !column.hasDefault()) {
        return column.name();
      }
    }
    return null;
  }

  boolean hasKeyOf(LoadedRow row) {
    Stored stored = byKey.get(keyOf(row));
    return stored != null && !stored.deleted();
  }

  /** The visible rows; of a UNIQUE table in the order of its keys. */
  List<Map<String, @Nullable Object>> rows() {
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (List<@Nullable Object> values : visible()) {
      rows.add(named(values));
    }
    return rows;
  }

  /** Not a copy: at ten million rows that would be another table. */
  private Iterable<List<@Nullable Object>> visible() {
    return definition.unique()
        ? Iterables.transform(
            Iterables.filter(byKey.values(), stored -> !stored.deleted()), Stored::values)
        : appended;
  }

  /** Counts the visible rows, and adds up a column of integers. */
  Totals totals(String column) {
    int index = definition.columns().stream().map(Column::name).toList().indexOf(column);
    if (index < 0) {
      throw new StatementException("Unknown column '" + column + "' in 'table list'");
    }
    long rows = 0;
    Long sum = null;
    for (List<@Nullable Object> values : visible()) {
      rows++;
      Object value = values.get(index);
      if (value instanceof Byte
          || value instanceof Short
          || value instanceof Integer
          || value instanceof Long) {
        sum = Math.addExact(sum == null ? 0 : sum, ((Number) value).longValue());
      } else if (value != null) {
        throw new StatementException("The emulator adds up BIGINT and smaller integers only");
      }
    }
    return new Totals(rows, sum);
  }

  private Map<String, @Nullable Object> named(List<@Nullable Object> values) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    for (int i = 0; i < values.size(); i++) {
      row.put(definition.columns().get(i).name(), values.get(i));
    }
    return row;
  }

  private static int compareKeys(List<@Nullable Object> left, List<@Nullable Object> right) {
    for (int i = 0; i < left.size(); i++) {
      int order = compare(left.get(i), right.get(i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  /** The order of values of one column; NULL comes first. */
  private static int compare(@Nullable Object left, @Nullable Object right) {
    if (left == null || right == null) {
      return Boolean.compare(left != null, right != null);
    }
    if (left instanceof ByteBuffer || right instanceof ByteBuffer) {
      return BYTES.compare(left, right);
    }
    @SuppressWarnings("unchecked") // Values of one column have one class, and keys have an order.
    Comparable<Object> comparable = (Comparable<Object>) left;
    return comparable.compareTo(right);
  }
}
