package dev.tidemark.change;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedSet;
import dev.tidemark.change.LogPosition.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Turns the events of one table into changes: none or all of an event's. */
final class TableParser {
  private final DebeziumTable table;
  private final ImmutableList<ChangeMetadata> metadata;
  private final Schema schema;
  private final RowReader rows;
  private final EventReader reader;
  private final ParseDebeziumMetrics metrics;

  TableParser(
      DebeziumTable table,
      ImmutableMap<ChangeMetadata, String> metadata,
      UnavailableValue unavailable,
      EventReader reader,
      ParseDebeziumMetrics metrics) {
    this.table = table;
    this.metadata = metadata.keySet().asList();
    this.schema = schema(table, metadata);
    this.rows = new RowReader(table, unavailable, metrics);
    this.reader = reader;
    this.metrics = metrics;
  }

  /** The table's row schema with the metadata columns. */
  static Schema schema(DebeziumTable table, ImmutableMap<ChangeMetadata, String> metadata) {
    Schema rowSchema = table.rowSchema();
    Schema.Builder schema = Schema.builder().addFields(rowSchema.getFields());
    for (Map.Entry<ChangeMetadata, String> column : metadata.entrySet()) {
      if (rowSchema.hasField(column.getValue())) {
        throw new IllegalArgumentException(
            String.format(
                "Invalid metadata column: %s (%s has a column of that name). Give another name by"
                    + " withMetadata(kind, name)",
                column.getValue(), table.topic()));
      }
      schema.addField(column.getValue(), column.getKey().type());
    }
    return schema.build();
  }

  Truncates truncates() {
    return table.truncates();
  }

  List<Change> parse(DebeziumRecord record, DebeziumEvent event) throws UnparsableChangeException {
    return switch (event.operation()) {
      case READ ->
          ImmutableList.of(
              added(
                  event,
                  ChangeKind.INSERT,
                  event.incremental() ? Step.SNAPSHOT_REREAD : Step.SNAPSHOT_READ));
      case CREATE -> ImmutableList.of(added(event, ChangeKind.INSERT, Step.ADD));
      case UPDATE -> updated(event);
      case DELETE -> ImmutableList.of(deleted(record, event));
      default -> throw new AssertionError(event.operation());
    };
  }

  private List<Change> updated(DebeziumEvent event) throws UnparsableChangeException {
    Change after = added(event, ChangeKind.UPDATE_AFTER, Step.ADD);
    if (!table.fullBeforeImages() || event.flattened()) {
      return ImmutableList.of(after);
    }
    JsonNode before = event.before();
    if (before == null) {
      throw new UnparsableChangeException(
          "the update has no before image although full ones are declared. Set REPLICA IDENTITY FULL"
              + " on the table, or drop withFullBeforeImages()");
    }
    RowReader.Values values = rows.complete(before, null, false, event.encodings());
    return ImmutableList.of(change(event, ChangeKind.UPDATE_BEFORE, Step.REMOVE, values), after);
  }

  private Change added(DebeziumEvent event, ChangeKind kind, Step step)
      throws UnparsableChangeException {
    JsonNode after = event.after();
    if (after == null) {
      throw new UnparsableChangeException("the event has no after image");
    }
    return change(
        event,
        kind,
        step,
        rows.complete(after, event.before(), event.flattened(), event.encodings()));
  }

  private Change deleted(DebeziumRecord record, DebeziumEvent event)
      throws UnparsableChangeException {
    JsonNode before = event.before();
    RowReader.Values values;
    if (!table.fullBeforeImages() && !table.key().isEmpty()) {
      metrics.keyOnlyDelete();
      values = rows.keyOnly(before, recordKey(record, before), event.encodings());
    } else if (!table.fullBeforeImages() && record.keyBytes() != null) {
      throw new UnparsableChangeException(
          "the delete has a key but the table is declared without one. Declare withKey(...), or"
              + " withFullBeforeImages()");
    } else if (before == null) {
      throw new UnparsableChangeException("the delete has no before image");
    } else {
      values = rows.complete(before, null, event.flattened(), event.encodings());
    }
    return change(event, ChangeKind.DELETE, Step.REMOVE, values);
  }

  /** The record's own key, read only where the before image lacks a part of it. */
  private @Nullable JsonNode recordKey(DebeziumRecord record, @Nullable JsonNode before)
      throws UnparsableChangeException {
    for (String column : table.key()) {
      if (before == null || !before.has(column)) {
        return reader.readDocument(record.keyBytes()).payload();
      }
    }
    return null;
  }

  private Change change(DebeziumEvent event, ChangeKind kind, Step step, RowReader.Values read)
      throws UnparsableChangeException {
    Long lsn = event.lsn();
    if (lsn == null) {
      throw new UnparsableChangeException(
          "the record does not tell its log position (source.lsn). For flattened rows add lsn to"
              + " add.fields");
    }
    LogPosition position = LogPosition.of(lsn, step, event.order());
    List<@Nullable Object> values = read.values();
    if (!metadata.isEmpty()) {
      List<String> unknown = names(read.unknown());
      for (ChangeMetadata column : metadata) {
        values.add(column.read(event, kind, position, unknown));
      }
    }
    return Change.of(kind, Row.withSchema(schema).attachValues(values))
        .withPosition(position)
        .withUnknownFields(read.unknown());
  }

  private List<String> names(ImmutableSortedSet<Integer> fields) {
    List<String> names = new ArrayList<>(fields.size());
    for (int field : fields) {
      names.add(schema.getField(field).getName());
    }
    return names;
  }
}
