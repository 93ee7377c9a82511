package dev.tidemark.change;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.tidemark.change.DebeziumEvent.Operation;
import dev.tidemark.change.DebeziumFixtures.Format;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.values.Row;

/**
 * The changes of one table in the order of the source's log, as one has them who keeps the table by
 * its primary key: rows that are added are whole.
 */
final class SourceLog {
  private final DebeziumTable table;
  private final List<Change> told = new ArrayList<>();
  private final List<Long> truncateLsns = new ArrayList<>();
  private final List<Change> changes = new ArrayList<>();
  private final Map<List<Object>, Row> held = new LinkedHashMap<>();

  private SourceLog(Format format, String name) {
    this.table = DebeziumFixtures.table(format, name);
    EventReader reader = new EventReader();
    TableParser parser =
        new TableParser(
            table,
            ImmutableMap.of(),
            new UnavailableValue("__debezium_unavailable_value"),
            reader,
            new ParseDebeziumMetrics());
    try {
      for (DebeziumRecord record : DebeziumFixtures.records(format)) {
        if (record.topic().equals(table.topic())) {
          DebeziumEvent event = reader.readValue(record.valueBytes());
          if (event.operation() == Operation.TRUNCATE) {
            truncateLsns.add(event.lsn());
          } else if (event.operation().isOfTable()) {
            told.addAll(parser.parse(record, event));
          }
        }
      }
    } catch (UnparsableChangeException e) {
      throw new AssertionError(e);
    }
    told.sort(Comparator.comparing(Change::position));
  }

  /** As the events tell them: without the row before an update, and deletes by key alone. */
  static List<Change> asTold(Format format, String name) {
    SourceLog log = new SourceLog(format, name);
    for (Change change : log.told) {
      if (change.kind().adds()) {
        log.add(change.kind(), log.whole(change));
      } else {
        log.remove(change);
      }
    }
    return log.changes;
  }

  /**
   * With the row before each update. What is taken back has a value of {@code column} and the
   * primary key, and the other columns where the events tell them. Truncates delete all rows.
   */
  static List<Change> withRowsBefore(Format format, String name, String column) {
    SourceLog log = new SourceLog(format, name);
    for (Change change : log.told) {
      if (!log.truncateLsns.isEmpty() && change.position().lsn() > log.truncateLsns.get(0)) {
        log.truncateLsns.remove(0);
        for (Row row : List.copyOf(log.held.values())) {
          log.remove(Change.of(ChangeKind.DELETE, row));
        }
      }
      Row before = log.held.get(log.key(change.row()));
      Row after = log.whole(change);
      if (!change.kind().adds()) {
        log.remove(change.imageComplete() ? change : log.part(change.kind(), before, column));
        continue;
      }
      if (before != null) {
        log.remove(log.part(ChangeKind.UPDATE_BEFORE, before, column));
      }
      log.add(change.kind(), after);
    }
    return log.changes;
  }

  /** The columns by which rows are told apart: the primary key, or all where there is none. */
  static ImmutableSet<String> keyColumns(DebeziumTable table) {
    return table.key().isEmpty()
        ? ImmutableSet.copyOf(table.rowSchema().getFieldNames())
        : table.key();
  }

  private List<Object> key(Row row) {
    List<Object> key = new ArrayList<>();
    keyColumns(table).forEach(column -> key.add(row.getValue(column)));
    return key;
  }

  /** The row of a change, with the values of the row before where the events tell none. */
  private Row whole(Change change) {
    Row before = held.get(key(change.row()));
    if (change.imageComplete() || before == null) {
      return change.row();
    }
    List<Object> values = new ArrayList<>();
    for (String column : before.getSchema().getFieldNames()) {
      values.add((change.isKnown(column) ? change.row() : before).getValue(column));
    }
    return Row.withSchema(before.getSchema()).attachValues(values);
  }

  private void add(ChangeKind kind, Row row) {
    held.put(key(row), row);
    changes.add(Change.of(kind, row));
  }

  private void remove(Change change) {
    held.remove(key(change.row()));
    changes.add(change);
  }

  private Change part(ChangeKind kind, Row row, String column) {
    List<Object> values = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    for (String each : row.getSchema().getFieldNames()) {
      boolean known = each.equals(column) || keyColumns(table).contains(each);
      values.add(known ? row.getValue(each) : null);
      if (!known) {
        unknown.add(each);
      }
    }
    return Change.of(kind, Row.withSchema(row.getSchema()).attachValues(values))
        .withUnknownColumns(unknown);
  }
}
