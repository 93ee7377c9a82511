package dev.tidemark.merge;

import org.apache.iceberg.StructLike;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.types.Types;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Takes keys out of records. A key of one column is the value itself in Iceberg's internal form, a
 * key of several is a {@link KeyTuple}; equal keys are equal, whatever table they come from. Not
 * thread-safe.
 */
final class KeyReader {
  /** Stands for null where a key has one column. */
  static final Object NULL =
      new Object() {
        @Override
        public int hashCode() {
          return 0; // The same in every process, as for all other keys.
        }

        @Override
        public boolean equals(Object other) {
          return this == other;
        }
      };

  private final InternalRecordWrapper internal;
  private final int[] positions;

  KeyReader(Types.StructType type, int[] positions) {
    this.internal = new InternalRecordWrapper(type);
    this.positions = positions;
  }

  Object key(StructLike record) {
    internal.wrap(record);
    if (positions.length == 1) {
      Object value = internal.get(positions[0], Object.class);
      return value == null ? NULL : value;
    }
    Object[] values = new Object[positions.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = internal.get(positions[i], Object.class);
    }
    return new KeyTuple(values);
  }

  /** The value of one of the key's columns. */
  static @Nullable Object value(Object key, int column) {
    if (key instanceof KeyTuple tuple) {
      return tuple.value(column);
    }
    return key == NULL ? null : key;
  }

  /** Which of so many parts a key belongs to; the same in every process. */
  static int part(Object key, int parts) {
    return Math.floorMod(spread(key), parts);
  }

  /** A key's hash with all bits mixed; the same in every process. */
  static int spread(Object key) {
    int hash = key.hashCode() * 0x9E3779B1;
    return hash ^ (hash >>> 15);
  }
}
