package dev.tidemark.arrow;

import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.beam.sdk.values.Row;

/**
 * Writes the values of one column. Indexes go up from 0; the last one may be written again, and
 * after a rejected value it has to be, or is left out of the count of values.
 */
abstract class ValueAppender {
  private final String path;
  private final boolean nullable;

  ValueAppender(String path, Field field) {
    this.path = path;
    this.nullable = field.isNullable();
  }

  /** Writes to this vector from now on, from index 0. */
  abstract void bind(FieldVector vector);

  /** Writes a value, as a row holds it; returns about how many bytes it takes. */
  abstract int append(Object value, int index);

  /**
   * Writes a field of rows at an index and those after it; null where a value was rejected. Returns
   * about how many bytes it takes.
   */
  final int appendAll(
      Row[] rows, int from, int to, int field, int index, RowAppender.Rejections rejections) {
    prepare(rows, from, to, field);
    int bytes = 0;
    int row = from;
    while (row < to) {
      try {
        for (; row < to; row++) {
          Object value = rows[row].getValue(field);
          int at = index + row - from;
          bytes += value != null ? append(value, at) : appendNull(at);
        }
      } catch (ValueRejectedException e) {
        setNull(index + row - from);
        rejections.reject(row, e);
        row++;
      }
    }
    return bytes;
  }

  /** Called before values of rows are written. */
  void prepare(Row[] rows, int from, int to, int field) {}

  /** Writes what stands for no value in a column that takes no null. */
  abstract int appendDefault(int index);

  /** Writes null. */
  abstract void setNull(int index);

  final int appendNull(int index) {
    if (!nullable) {
      throw rejected("got null, and the column takes none. Fill it in before");
    }
    setNull(index);
    return 1;
  }

  final boolean nullable() {
    return nullable;
  }

  final String path() {
    return path;
  }

  final ValueRejectedException rejected(String problem) {
    return new ValueRejectedException(path, problem);
  }
}
