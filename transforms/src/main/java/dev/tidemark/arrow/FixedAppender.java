package dev.tidemark.arrow;

import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/** Base of the appenders of values that take the same number of bytes each. */
abstract class FixedAppender<V extends BaseFixedWidthVector> extends ValueAppender {
  private final Class<V> type;
  private final int bytes;
  private int capacity;

  /** The vector that is written to. */
  V vector;

  FixedAppender(String path, Field field, Class<V> type, int bytes) {
    super(path, field);
    this.type = type;
    this.bytes = bytes;
  }

  @Override
  final void bind(FieldVector newVector) {
    vector = type.cast(newVector);
    capacity = 0;
  }

  @Override
  final int append(Object value, int index) {
    reserve(index);
    set(index, value);
    return bytes;
  }

  /** Writes a value; there is room for it. */
  abstract void set(int index, Object value);

  @Override
  final void setNull(int index) {
    reserve(index);
    vector.setNull(index);
  }

  private void reserve(int index) {
    if (index >= capacity) {
      while (index >= vector.getValueCapacity()) {
        vector.reAlloc();
      }
      capacity = vector.getValueCapacity();
    }
  }
}
