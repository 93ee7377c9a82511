package dev.tidemark.arrow;

import java.util.Arrays;

/**
 * Rows of one or more record batches in the order in which they are wanted: for each the number of
 * its batch and its index there. May be used again after {@link #clear}.
 */
public final class RowSelection {
  private int[] sources = new int[16];
  private int[] rows = new int[16];
  private int size;

  /** Selects one more row. */
  public void add(int source, int row) {
    if (size == rows.length) {
      sources = Arrays.copyOf(sources, 2 * size);
      rows = Arrays.copyOf(rows, 2 * size);
    }
    sources[size] = source;
    rows[size] = row;
    size++;
  }

  /** The number of rows. */
  public int size() {
    return size;
  }

  /** The number of the batch that a row is in. */
  public int source(int index) {
    return sources[index];
  }

  /** The index that a row has in its batch. */
  public int row(int index) {
    return rows[index];
  }

  /** Whether these are all of so many rows of one batch, in their order. */
  public boolean isWhole(int source, int rowCount) {
    if (size != rowCount) {
      return false;
    }
    for (int i = 0; i < size; i++) {
      if (sources[i] != source || rows[i] != i) {
        return false;
      }
    }
    return true;
  }

  /** Forgets all rows. */
  public void clear() {
    size = 0;
  }
}
