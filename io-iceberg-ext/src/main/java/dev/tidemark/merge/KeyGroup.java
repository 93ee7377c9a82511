package dev.tidemark.merge;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.NestedField;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Keys that can lie in the same partitions, and what the statistics of a file say about them. */
final class KeyGroup {
  /** Iceberg looks at single values up to this many. */
  private static final int FEW = 200;

  private final List<NestedField> columns;
  private final List<Object> keys = new ArrayList<>();
  private @Nullable List<SortedValues> sorted;

  KeyGroup(List<NestedField> columns) {
    this.columns = columns;
  }

  void add(Object key) {
    keys.add(key);
  }

  private List<SortedValues> sorted() {
    if (sorted == null) {
      List<SortedValues> all = new ArrayList<>(columns.size());
      for (int i = 0; i < columns.size(); i++) {
        all.add(SortedValues.of(columns.get(i).type(), keys, i));
      }
      sorted = all;
    }
    return sorted;
  }

  /** Whether a file can hold any of the keys, by what is known of each column. */
  boolean mayBeIn(DataFile file) {
    for (int i = 0; i < columns.size(); i++) {
      if (!mayBeIn(file, columns.get(i), sorted().get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean mayBeIn(DataFile file, NestedField column, SortedValues values) {
    if (isUuid(column)) {
      return true;
    }
    int id = column.fieldId();
    Long nulls = get(file.nullValueCounts(), id);
    if (values.holdsNull() && (nulls == null || nulls > 0)) {
      return true;
    }
    Object lower = bound(file.lowerBounds(), column);
    Object upper = bound(file.upperBounds(), column);
    if (lower == null || upper == null) {
      Long count = get(file.valueCounts(), id);
      boolean onlyNulls = count != null && count.equals(nulls);
      return !onlyNulls;
    }
    return values.anyWithin(lower, upper);
  }

  /**
   * Adds what is sure about all keys: for planning, and for reading no more of a file than needed.
   */
  Expression filter(@Nullable DataFile file) {
    Expression filter = Expressions.alwaysTrue();
    for (int i = 0; i < columns.size(); i++) {
      NestedField column = columns.get(i);
      SortedValues values = sorted().get(i);
      // A number is taken for microseconds by Iceberg's expressions, not for nanoseconds.
      boolean misread = column.type().typeId() == Type.TypeID.TIMESTAMP_NANO || isUuid(column);
      if (values.holdsNull() || misread) {
        continue;
      }
      Object lower = file == null ? null : bound(file.lowerBounds(), column);
      Object upper = file == null ? null : bound(file.upperBounds(), column);
      SortedValues.Within within = values.within(lower, upper, FEW);
      if (within == null) {
        continue;
      }
      filter = Expressions.and(filter, filter(column.name(), within));
    }
    return filter;
  }

  /** Files order UUIDs without sign, Iceberg's comparison may not: their bounds exclude nothing. */
  private static boolean isUuid(NestedField column) {
    return column.type().typeId() == Type.TypeID.UUID;
  }

  private static Expression filter(String column, SortedValues.Within within) {
    if (within.all() != null) {
      return Expressions.in(column, within.all());
    }
    return Expressions.and(
        Expressions.greaterThanOrEqual(column, within.first()),
        Expressions.lessThanOrEqual(column, within.last()));
  }

  /** A bound of a column in a file, in Iceberg's internal form; null if it is not known. */
  static @Nullable Object bound(@Nullable Map<Integer, ByteBuffer> bounds, NestedField column) {
    ByteBuffer bound = get(bounds, column.fieldId());
    return bound == null ? null : Conversions.fromByteBuffer(column.type(), bound);
  }

  private static <V> @Nullable V get(@Nullable Map<Integer, V> map, int id) {
    return map == null ? null : map.get(id);
  }
}
