package dev.tidemark.examples.benchmarks.endtoend;

import java.time.Instant;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;

/**
 * A change as a row of the change table: its columns, its position in the source's log, when the
 * source committed, and its kind. SQL has no expression for the kind of a row.
 */
final class ChangeToLogRow implements MapFunction<Row, Row> {
  private static final long serialVersionUID = 1;
  private static final int STEPS = 4;

  private final int columns;

  /**
   * Makes one.
   *
   * @param columns of the table; log sequence number and time follow
   */
  ChangeToLogRow(int columns) {
    this.columns = columns;
  }

  @Override
  public Row map(Row change) {
    Row row = new Row(RowKind.INSERT, columns + 3);
    for (int i = 0; i < columns; i++) {
      row.setField(i, change.getField(i));
    }
    RowKind kind = change.getKind();
    boolean adds = kind == RowKind.INSERT || kind == RowKind.UPDATE_AFTER;
    long lsn = (Long) change.getField(columns);
    row.setField(columns, lsn * STEPS + (adds ? 2 : 1));
    row.setField(columns + 1, (Instant) change.getField(columns + 1));
    row.setField(columns + 2, kind.shortString());
    return row;
  }
}
