package dev.tidemark.doris;

import dev.tidemark.arrow.AppendOptions;
import dev.tidemark.arrow.RowAppender;
import dev.tidemark.arrow.ValueRejectedException;
import dev.tidemark.change.ChangeKind;
import java.time.ZoneOffset;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;

/** Rows of one table on their way into parts. */
final class TableStage implements AutoCloseable {
  private static final byte LEFT_OUT = (byte) ChangeKind.UPDATE_BEFORE.code();

  private final DorisTable table;
  private final LoadPlan plan;
  private final BatchSplitter splitter;
  private final RowAppender appender;
  private final VectorSchemaRoot root;
  private byte[] kinds = new byte[64];
  private int rows;
  private boolean leftOut;
  private long bytes;
  private long beganMillis;
  private long timestampMillis = Long.MAX_VALUE;

  TableStage(
      DorisTable table,
      LoadPlan plan,
      Schema schema,
      BatchSplitter splitter,
      BufferAllocator allocator) {
    this.table = table;
    this.plan = plan;
    this.splitter = splitter;
    this.appender =
        RowAppender.of(
            inSpellingOf(plan, schema),
            plan.dataSchema(),
            AppendOptions.defaults().withInstantsAt(ZoneOffset.UTC));
    this.root = VectorSchemaRoot.create(plan.dataSchema(), allocator);
  }

  /** The fields that are written, named as the table's columns. */
  private static Schema inSpellingOf(LoadPlan plan, Schema schema) {
    Schema.Field[] fields = schema.getFields().toArray(new Schema.Field[0]);
    for (LoadPlan.Column column : plan.columns()) {
      fields[column.source()] = fields[column.source()].withName(column.field().getName());
    }
    return Schema.of(fields);
  }

  /**
   * Adds rows; returns the bytes they take.
   *
   * @param given codes of their {@link ChangeKind}s
   */
  long add(
      Row[] some, byte[] given, int from, int to, long nowMillis, RowFilter.Rejections rejections) {
    int count = to - from;
    if (rows + count > kinds.length) {
      kinds = Arrays.copyOf(kinds, Math.max(rows + count, 2 * kinds.length));
    }
    if (rows == 0) {
      beganMillis = nowMillis;
    }
    System.arraycopy(given, from, kinds, rows, count);
    long added =
        appender.appendAll(
            some, from, to, root, rows, (row, reason) -> leaveOut(row, from, reason, rejections));
    rows += count;
    bytes += added;
    return added;
  }

  /** Like updates-before. A row is told once, by the first of its columns. */
  private void leaveOut(
      int row, int from, ValueRejectedException reason, RowFilter.Rejections rejections) {
    int at = rows + row - from;
    if (kinds[at] != LEFT_OUT) {
      kinds[at] = LEFT_OUT;
      leftOut = true;
      rejections.reject(row, reason.getMessage());
    }
  }

  /** The rows that were added next have this timestamp or a later one. */
  void notAfter(long rowMillis) {
    timestampMillis = Math.min(timestampMillis, rowMillis);
  }

  DorisTable table() {
    return table;
  }

  int rows() {
    return rows;
  }

  long bytes() {
    return bytes;
  }

  long beganMillis() {
    return beganMillis;
  }

  long timestampMillis() {
    return timestampMillis;
  }

  VectorSchemaRoot root() {
    return root;
  }

  /**
   * Cuts what was added into parts, and begins anew.
   *
   * @param keepMemory whether the memory is kept for the rows to come
   */
  void split(boolean keepMemory, RowFilter.Rejections rejections, BatchSplitter.Parts parts) {
    root.setRowCount(rows);
    splitter.split(
        root.getFieldVectors(),
        true,
        plan.deleteSign() || leftOut ? kinds : null,
        rows,
        rejections,
        parts);
    if (keepMemory) {
      root.getFieldVectors().forEach(FieldVector::reset);
    } else {
      root.clear();
    }
    rows = 0;
    bytes = 0;
    leftOut = false;
    timestampMillis = Long.MAX_VALUE;
  }

  /** As {@link BatchSplitter#takeOutdone}. */
  long takeOutdone() {
    return splitter.takeOutdone();
  }

  @Override
  public void close() {
    root.close();
  }
}
