package dev.tidemark.arrow;

import org.apache.arrow.vector.FieldVector;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Reads the values of one column, as rows hold them. */
abstract class ValueReader {
  /** Reads from this vector from now on. */
  abstract void bind(FieldVector vector);

  /** Reads a value. */
  abstract @Nullable Object read(int index);

  /** Base of the readers that look at one vector. */
  abstract static class OfVector<V extends FieldVector> extends ValueReader {
    private final Class<V> type;

    /** The vector that is read from. */
    V vector;

    OfVector(Class<V> type) {
      this.type = type;
    }

    @Override
    final void bind(FieldVector newVector) {
      vector = type.cast(newVector);
      bound();
    }

    void bound() {}

    @Override
    final @Nullable Object read(int index) {
      return vector.isNull(index) ? null : value(index);
    }

    /** Reads a value that is not null. */
    abstract Object value(int index);
  }
}
