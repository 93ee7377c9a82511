package dev.tidemark.merge;

import java.util.Arrays;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The values of several key columns, in Iceberg's internal form. */
final class KeyTuple {
  private final @Nullable Object[] values;
  private final int hash;

  KeyTuple(@Nullable Object[] values) {
    this.values = values;
    this.hash = Arrays.hashCode(values);
  }

  @Nullable Object value(int index) {
    return values[index];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyTuple tuple
        && hash == tuple.hash
        && Arrays.equals(values, tuple.values);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
