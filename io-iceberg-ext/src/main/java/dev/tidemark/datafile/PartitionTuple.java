package dev.tidemark.datafile;

import java.util.Arrays;
import org.apache.iceberg.StructLike;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * The partition a row belongs to: typed values as Iceberg's transforms give them, null where the
 * source is null. Immutable, equal by value.
 */
final class PartitionTuple implements StructLike {
  private final @Nullable Object[] values;
  private final int hash;

  PartitionTuple(@Nullable Object[] values) {
    this.values = values;
    this.hash = Arrays.hashCode(values);
  }

  @Override
  public int size() {
    return values.length;
  }

  @Override
  public <T> T get(int position, Class<T> javaClass) {
    return javaClass.cast(values[position]);
  }

  @Override
  public <T> void set(int position, T value) {
    throw new UnsupportedOperationException("Cannot set partition value: the tuple is immutable.");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PartitionTuple partitionTuple
        && hash == partitionTuple.hash
        && Arrays.equals(values, partitionTuple.values);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
