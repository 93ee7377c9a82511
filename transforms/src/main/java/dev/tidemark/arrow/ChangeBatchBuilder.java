package dev.tidemark.arrow;

import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.change.LogPosition;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Instant;

/**
 * Collects changes of rows into {@link ChangeBatch}es. Belongs to one thread. Has memory of an
 * allocator until it is closed.
 *
 * <pre>{@code
 * try (BufferAllocator allocator = ArrowAllocators.child("Pack");
 *     ChangeBatchBuilder builder = ChangeBatchBuilder.of(schema, allocator)) {
 *   builder.add(change, timestamp);
 *   ChangeBatch batch = builder.build();
 * }
 * }</pre>
 */
public final class ChangeBatchBuilder implements AutoCloseable {
  private final Schema schema;
  private final RowAppender appender;
  private final VectorSchemaRoot root;
  private final ChangeDetails.Builder details;
  private byte[] kinds = new byte[16];
  private int size;
  private long bytes;

  private ChangeBatchBuilder(Schema schema, RowAppender appender, BufferAllocator allocator) {
    this.schema = schema;
    this.appender = appender;
    this.root = appender.newRoot(allocator);
    this.details = new ChangeDetails.Builder(appender.target().getFields().size());
  }

  /** Collects rows of a schema into columns of {@link ArrowSchemas#of}. */
  public static ChangeBatchBuilder of(Schema schema, BufferAllocator allocator) {
    return of(schema, ArrowSchemas.of(schema), AppendOptions.defaults(), allocator);
  }

  /**
   * Collects rows of a schema into other columns.
   *
   * @throws IllegalArgumentException if rows cannot be written as these columns
   */
  public static ChangeBatchBuilder of(
      Schema schema,
      org.apache.arrow.vector.types.pojo.Schema target,
      AppendOptions options,
      BufferAllocator allocator) {
    return new ChangeBatchBuilder(schema, RowAppender.of(schema, target, options), allocator);
  }

  /**
   * Adds a change without timestamp and position.
   *
   * @throws ValueRejectedException if a column cannot hold a value; the change is then not added
   */
  public void add(ChangeKind kind, Row row) {
    append(kind, row, null, null);
  }

  /**
   * Adds a change with its position, with what it does not tell, and with a timestamp. The changes
   * of a batch have timestamps all, or none.
   *
   * @throws ValueRejectedException if a column cannot hold a value; the change is then not added
   */
  public void add(Change change, @Nullable Instant timestamp) {
    append(
        change.kind(),
        change.row(),
        timestamp == null ? null : (Long) timestamp.getMillis(),
        change.position());
    if (!change.imageComplete()) {
      for (String column : change.unknownColumns()) {
        int index = appender.indexOf(schema.indexOf(column));
        if (index >= 0) {
          details.markUnknown(index);
        }
      }
    }
  }

  private void append(
      ChangeKind kind, Row row, @Nullable Long timestampMillis, @Nullable LogPosition position) {
    long added = appender.append(row, root, size);
    details.add(timestampMillis, position);
    if (size == kinds.length) {
      kinds = Arrays.copyOf(kinds, 2 * size);
    }
    kinds[size] = (byte) kind.code();
    size++;
    bytes += added;
  }

  /** The number of changes so far. */
  public int rows() {
    return size;
  }

  /** About how many bytes the changes so far take in a batch. */
  public long bytes() {
    return bytes;
  }

  /** The changes added since the last call. */
  public ChangeBatch build() {
    root.setRowCount(size);
    ChangeBatch batch = ChangeBatch.of(Arrays.copyOf(kinds, size), root, details.build());
    root.clear();
    size = 0;
    bytes = 0;
    return batch;
  }

  /** Gives the memory back; changes that were not built are dropped. */
  @Override
  public void close() {
    root.close();
  }
}
