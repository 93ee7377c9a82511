package dev.tidemark.doris;

import java.util.Arrays;
import org.apache.beam.sdk.values.Row;

/**
 * A few rows that are written together, column by column: the processor then waits for the memory
 * of several rows at once, and not for one after the other.
 */
final class RowBlock {
  static final int MOST_ROWS = 16;

  /** Of large rows, fewer are kept from being counted; of rows that grow, a block at most. */
  private static final int MOST_BYTES = 64 << 10;

  final TableStage[] stages = new TableStage[MOST_ROWS];
  final Row[] rows = new Row[MOST_ROWS];
  final Object[] elements = new Object[MOST_ROWS];
  final byte[] kinds = new byte[MOST_ROWS];
  final long[] millis = new long[MOST_ROWS];
  private int size;
  private int limit = 1;
  private long beganMillis;

  void begin(long nowMillis) {
    beganMillis = nowMillis;
  }

  void add(TableStage stage, Row row, Object element, byte kind, long rowMillis) {
    stages[size] = stage;
    rows[size] = row;
    elements[size] = element;
    kinds[size] = kind;
    millis[size] = rowMillis;
    size++;
  }

  int size() {
    return size;
  }

  boolean isFull() {
    return size >= limit;
  }

  long beganMillis() {
    return beganMillis;
  }

  /** The end of the rows that go to the same table as the one at an index. */
  int endOfRun(int from, int most) {
    int end = Math.min(size, from + most);
    int to = from + 1;
    while (to < end && stages[to] == stages[from]) {
      to++;
    }
    return to;
  }

  /** Lets go of the rows, which took so many bytes. */
  void clear(long bytes) {
    limit = (int) Math.max(1, Math.min(MOST_ROWS, (long) MOST_BYTES * size / Math.max(1, bytes)));
    Arrays.fill(stages, 0, size, null);
    Arrays.fill(rows, 0, size, null);
    Arrays.fill(elements, 0, size, null);
    size = 0;
  }
}
