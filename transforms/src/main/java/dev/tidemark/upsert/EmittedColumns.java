package dev.tidemark.upsert;

import dev.tidemark.arrow.AppendOptions;
import dev.tidemark.arrow.ChangeBatch;
import dev.tidemark.arrow.ChangeBatchGather;
import dev.tidemark.arrow.OpenChangeBatch;
import dev.tidemark.arrow.RowAppender;
import dev.tidemark.change.ChangeKind;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What a batch of changes emits, as columns. Rows that are emitted as they came are copied from
 * their columns; only rows that were kept from earlier batches are decoded.
 */
final class EmittedColumns implements AutoCloseable {
  private final RowEncoding rows;
  private final OpenChangeBatch incoming;
  private final BufferAllocator allocator;
  private final ColumnMetrics metrics;
  private final ChangeBatchGather gather = new ChangeBatchGather();
  private @Nullable VectorSchemaRoot restored;
  private @Nullable RowAppender appender;
  private int restoredRows;

  EmittedColumns(
      RowEncoding rows,
      OpenChangeBatch incoming,
      BufferAllocator allocator,
      ColumnMetrics metrics) {
    this.rows = rows;
    this.incoming = incoming;
    this.allocator = allocator;
    this.metrics = metrics;
  }

  /** The changes that are emitted, in order; null if there are none. */
  @Nullable ChangeBatch build(MaterializedBatch materialized) {
    ChangeBatch batch = incoming.batch();
    for (int row = 0; row < batch.rows(); row++) {
      ChangeKind kind = materialized.kind(row);
      if (kind == null) {
        continue;
      }
      Long timestampMillis = batch.hasTimestamps() ? (Long) batch.timestampMillis(row) : null;
      byte[] retained = materialized.retained(row);
      if (retained == null) {
        gather.add(incoming, row, kind, timestampMillis);
      } else {
        VectorSchemaRoot root = restore(retained);
        gather.add(root, restoredRows - 1, kind, timestampMillis, batch.position(row));
      }
    }
    if (gather.rows() == 0) {
      return null;
    }
    if (restored != null) {
      restored.setRowCount(restoredRows);
    }
    int emitted = gather.rows();
    ChangeBatch built = gather.build(allocator);
    metrics.count(emitted, restoredRows, built.ipc() == batch.ipc());
    return built;
  }

  private VectorSchemaRoot restore(byte[] retained) {
    VectorSchemaRoot root = restored;
    RowAppender rowAppender = appender;
    if (root == null || rowAppender == null) {
      rowAppender =
          RowAppender.of(rows.schema(), incoming.batch().schema(), AppendOptions.defaults());
      root = rowAppender.newRoot(allocator);
      appender = rowAppender;
      restored = root;
    }
    rowAppender.append(rows.decode(retained), root, restoredRows++);
    return root;
  }

  @Override
  public void close() {
    if (restored != null) {
      restored.close();
    }
  }
}
