package dev.tidemark.arrow;

import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.checkerframework.checker.nullness.qual.Nullable;

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
   * Writes values of rows at an index and those after it; null where one was rejected. Returns
   * about how many bytes they take.
   *
   * @param rejections told of positions among the values
   */
  final long appendAll(@Nullable Object[] values, int index, RowAppender.Rejections rejections) {
    prepare(values);
    long bytes = 0;
    int i = 0;
    while (i < values.length) {
      try {
        for (; i < values.length; i++) {
          Object value = values[i];
          bytes += value != null ? append(value, index + i) : appendNull(index + i);
        }
      } catch (ValueRejectedException e) {
        setNull(index + i);
        rejections.reject(i, e);
        i++;
      }
    }
    return bytes;
  }

  /** Called before values of rows are written. */
  void prepare(@Nullable Object[] values) {}

  /** Writes null. */
  abstract void setNull(int index);

  final int appendNull(int index) {
    if (!nullable) {
      throw rejected("got null, and the column takes none. Fill it in before");
    }
    setNull(index);
    return 1;
  }

  final String path() {
    return path;
  }

  final ValueRejectedException rejected(String problem) {
    return new ValueRejectedException(path, problem);
  }
}
