package dev.tidemark.doris;

import dev.tidemark.arrow.AppendOptions;
import dev.tidemark.arrow.RowAppender;
import java.time.ZoneOffset;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;

/** Rows of one table on their way into parts. */
final class TableStage implements AutoCloseable {
  private final LoadPlan plan;
  private final BatchSplitter splitter;
  private final RowAppender appender;
  private final VectorSchemaRoot root;
  private byte[] kinds = new byte[64];
  private int rows;
  private long bytes;
  private long beganMillis;
  private long timestampMillis = Long.MAX_VALUE;

  TableStage(LoadPlan plan, Schema schema, BatchSplitter splitter, BufferAllocator allocator) {
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
   * Adds a row; returns the bytes it takes.
   *
   * @throws dev.tidemark.arrow.ValueRejectedException if a column cannot hold a value
   */
  int add(Row row, int kind, long nowMillis, long rowMillis) {
    int added = appender.append(row, root, rows);
    if (rows == kinds.length) {
      kinds = Arrays.copyOf(kinds, 2 * rows);
    }
    if (rows == 0) {
      beganMillis = nowMillis;
    }
    kinds[rows++] = (byte) kind;
    bytes += added;
    timestampMillis = Math.min(timestampMillis, rowMillis);
    return added;
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
        root.getFieldVectors(), true, plan.deleteSign() ? kinds : null, rows, rejections, parts);
    if (keepMemory) {
      root.getFieldVectors().forEach(FieldVector::reset);
    } else {
      root.clear();
    }
    rows = 0;
    bytes = 0;
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
