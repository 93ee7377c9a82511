package dev.tidemark.merge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SingleValueParser;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.types.Comparators;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * How far the order columns of a change table go in its files. An order is a list of values in
 * Iceberg's internal form, one for each column; a bound may be shorter, where nothing is known of
 * the columns left out.
 */
final class OrderBounds {
  private final List<NestedField> columns = new ArrayList<>();
  private final List<Comparator<Object>> comparators = new ArrayList<>();

  private OrderBounds(MergeSpec spec, Schema changes) {
    for (String name : spec.order()) {
      NestedField column = changes.findField(name);
      columns.add(column);
      comparators.add(Comparators.forType(column.type().asPrimitiveType()));
    }
  }

  static OrderBounds of(MergeSpec spec, Schema changes) {
    return new OrderBounds(spec, changes);
  }

  /** Compares orders, of which a bound that says less is the greater one. */
  int compare(List<Object> left, List<Object> right) {
    for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
      int order = comparators.get(i).compare(left.get(i), right.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(right.size(), left.size());
  }

  List<Object> max(List<Object> left, List<Object> right) {
    return compare(left, right) >= 0 ? left : right;
  }

  /** What no change of a file exceeds. */
  List<Object> upper(DataFile file) {
    List<Object> upper = new ArrayList<>(columns.size());
    for (NestedField column : columns) {
      Object bound = KeyGroup.bound(file.upperBounds(), column);
      Type.TypeID type = column.type().typeId();
      // NaN is the greatest value, and not within any bound.
      if (bound == null || type == Type.TypeID.FLOAT || type == Type.TypeID.DOUBLE) {
        break;
      }
      upper.add(bound);
    }
    return upper;
  }

  /** A bound as JSON: values by field ID. */
  String text(List<Object> bound) {
    GenericRecord record = GenericRecord.create(Types.StructType.of(columns));
    for (int i = 0; i < bound.size(); i++) {
      record.set(i, bound.get(i));
    }
    return SingleValueParser.toJson(record.struct(), record);
  }

  /** A bound as it was written; null if it cannot be told any more. */
  @Nullable List<Object> parse(String text) {
    StructLike values;
    try {
      values = (StructLike) SingleValueParser.fromJson(Types.StructType.of(columns), text);
    } catch (RuntimeException e) {
      return null;
    }
    List<Object> bound = new ArrayList<>(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      Object value = values.get(i, Object.class);
      if (value == null) {
        break;
      }
      bound.add(value);
    }
    // Another order had other columns, or the same ones in another sequence.
    return text(bound).equals(text) ? bound : null;
  }
}
