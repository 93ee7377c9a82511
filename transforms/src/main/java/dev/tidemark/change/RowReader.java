package dev.tidemark.change;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.Field;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Reads the rows of one table from before and after images. */
final class RowReader {
  private final DebeziumTable table;
  private final UnavailableValue unavailable;
  private final ParseDebeziumMetrics metrics;
  private final List<Column> columns = new ArrayList<>();
  private final ImmutableSet<String> names;
  private final ImmutableSortedSet<Integer> nonKeyFields;

  private record Column(
      Field field,
      ValueParser parser,
      Encoding encoding,
      @Nullable Object absent,
      boolean key,
      boolean binary) {}

  /**
   * Values of the table's columns in order, and the indexes of those that the source did not tell.
   */
  record Values(List<@Nullable Object> values, ImmutableSortedSet<Integer> unknown) {}

  RowReader(DebeziumTable table, UnavailableValue unavailable, ParseDebeziumMetrics metrics) {
    this.table = table;
    this.unavailable = unavailable;
    this.metrics = metrics;
    Schema schema = table.declaredSchema();
    ImmutableSortedSet.Builder<Integer> others = ImmutableSortedSet.naturalOrder();
    for (Field field : schema.getFields()) {
      boolean key = table.key().contains(field.getName());
      if (!key) {
        others.add(columns.size());
      }
      columns.add(
          new Column(
              field,
              ValueParser.of(field.getType()),
              table.encoding(field.getName()),
              table.defaultOf(field.getName()),
              key,
              ValueParser.isBinary(field.getType())));
    }
    this.names = ImmutableSet.copyOf(schema.getFieldNames());
    this.nonKeyFields = others.build();
  }

  /**
   * All columns of an image. {@code before} stands in for unavailable values where the table says
   * so.
   */
  Values complete(
      JsonNode image,
      @Nullable JsonNode before,
      boolean flattened,
      ImmutableMap<String, Encoding> encodings)
      throws UnparsableChangeException {
    List<@Nullable Object> values = new ArrayList<>(columns.size());
    ImmutableSortedSet.Builder<Integer> unknown = null;
    int present = 0;
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      JsonNode node = image.get(column.field().getName());
      present += node == null ? 0 : 1;
      if (node != null && unavailable.matches(node, column.binary())) {
        metrics.unavailableValue();
        node = standIn(column, before);
        if (node == null) {
          unknown = unknown == null ? ImmutableSortedSet.naturalOrder() : unknown;
          unknown.add(i);
          values.add(null);
          continue;
        }
      }
      values.add(value(column, node, encodings));
    }
    if (present < image.size() && !table.ignoresUndeclaredColumns()) {
      checkDeclared(image, flattened);
    }
    return new Values(values, unknown == null ? ImmutableSortedSet.of() : unknown.build());
  }

  /** The key columns, from the image or from the record's key; the others are null and unknown. */
  Values keyOnly(
      @Nullable JsonNode image,
      @Nullable JsonNode recordKey,
      ImmutableMap<String, Encoding> encodings)
      throws UnparsableChangeException {
    List<@Nullable Object> values = new ArrayList<>(columns.size());
    for (Column column : columns) {
      if (!column.key()) {
        values.add(null);
        continue;
      }
      String name = column.field().getName();
      JsonNode node = image == null ? null : image.get(name);
      if (node == null && recordKey != null) {
        node = recordKey.get(name);
      }
      if (node == null) {
        throw failed(column, "a key column is absent");
      }
      values.add(value(column, node, encodings));
    }
    return new Values(values, nonKeyFields);
  }

  private @Nullable Object value(
      Column column, @Nullable JsonNode node, ImmutableMap<String, Encoding> encodings)
      throws UnparsableChangeException {
    if (node == null && column.absent() != null) {
      metrics.defaultedColumn();
      return column.absent();
    }
    if (node == null || node.isNull()) {
      if (column.field().getType().getNullable()) {
        return null;
      }
      throw failed(column, node == null ? "absent without a default" : "null but not nullable");
    }
    try {
      Encoding encoding =
          encodings.isEmpty()
              ? column.encoding()
              : encodings.getOrDefault(column.field().getName(), column.encoding());
      return column.parser().parse(node, encoding);
    } catch (UnparsableChangeException e) {
      throw failed(column, e.getMessage());
    }
  }

  /**
   * What to read instead of an unavailable value, or null if the column is to be marked unknown.
   */
  private @Nullable JsonNode standIn(Column column, @Nullable JsonNode before)
      throws UnparsableChangeException {
    UnavailableValues policy = table.unavailableValues();
    if (policy == UnavailableValues.EMIT_UNKNOWN && !column.key()) {
      return null;
    }
    if (policy == UnavailableValues.FILL_FROM_BEFORE && before != null) {
      JsonNode node = before.get(column.field().getName());
      if (node != null && !unavailable.matches(node, column.binary())) {
        return node;
      }
    }
    throw failed(
        column,
        "the source left out a large value that the update did not touch. Set REPLICA IDENTITY FULL"
            + " on the table, or withUnavailableValues(...)");
  }

  private void checkDeclared(JsonNode image, boolean flattened) throws UnparsableChangeException {
    for (Iterator<String> i = image.fieldNames(); i.hasNext(); ) {
      String name = i.next();
      if (!names.contains(name) && !(flattened && EventReader.isMetadata(name))) {
        throw new UnparsableChangeException(
            String.format(
                "column %s is not declared. Declare it, or set ignoringUndeclaredColumns()", name));
      }
    }
  }

  private static UnparsableChangeException failed(Column column, String reason) {
    return new UnparsableChangeException(
        String.format("column %s: %s", column.field().getName(), reason));
  }
}
