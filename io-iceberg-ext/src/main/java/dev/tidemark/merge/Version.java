package dev.tidemark.merge;

import dev.tidemark.change.ChangeKind;
import java.util.Comparator;
import java.util.List;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Comparators;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * One change of a key as it was read.
 *
 * @param row what the change says, in the form of a {@link ChangeLayout}
 * @param kind null for a truncate
 * @param file which of the range's files it is from, in the order of the table
 * @param position its row in that file
 */
record Version(Record row, @Nullable ChangeKind kind, int file, long position) {
  boolean adds() {
    return kind != null && kind.adds();
  }

  /** The columns that the change does not tell; empty if it tells all. */
  List<?> unknown(ChangeLayout layout) {
    if (layout.unknown() < 0) {
      return List.of();
    }
    Object listed = row.get(layout.unknown());
    return listed == null ? List.of() : (List<?>) listed;
  }

  /**
   * The order in which changes happened: by the order columns, one that removes before one that
   * adds, then by their place in the change table.
   */
  static Comparator<Version> order(ChangeLayout layout) {
    int[] columns = layout.order();
    return (left, right) -> {
      for (int column : columns) {
        int order = compare(left.row.get(column), right.row.get(column));
        if (order != 0) {
          return order;
        }
      }
      int order = Boolean.compare(left.adds(), right.adds());
      if (order == 0) {
        order = Integer.compare(left.file, right.file);
      }
      return order != 0 ? order : Long.compare(left.position, right.position);
    };
  }

  @SuppressWarnings("unchecked") // Both are values of one column, whose type was checked.
  private static int compare(Object left, Object right) {
    return left instanceof CharSequence text
        ? Comparators.charSequences().compare(text, (CharSequence) right)
        : ((Comparable<Object>) left).compareTo(right);
  }
}
