package dev.tidemark.arrow;

import dev.tidemark.change.ChangeKind;
import dev.tidemark.change.LogPosition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Makes change batches of rows of others. Rows are copied column by column and never read; if they
 * are all rows of one batch, in order, the new batch has the bytes of that one and nothing is
 * copied. May be used again after {@link #build}.
 *
 * <pre>{@code
 * ChangeBatchGather gather = new ChangeBatchGather();
 * gather.add(first, 3);
 * gather.add(second, 0);
 * ChangeBatch batch = gather.build(allocator);
 * }</pre>
 */
public final class ChangeBatchGather {
  private final List<VectorSchemaRoot> roots = new ArrayList<>();

  /** By root, the batch it is of; null if it is of none. */
  private final List<@Nullable ChangeBatch> batches = new ArrayList<>();

  private final RowSelection selection = new RowSelection();
  private byte[] kinds = new byte[16];
  private ChangeDetails.@Nullable Builder details;

  /** Adds a change as it is. The batch has to stay open until this is built. */
  public void add(OpenChangeBatch open, int row) {
    ChangeBatch batch = open.batch();
    add(
        open,
        row,
        batch.kind(row),
        batch.hasTimestamps() ? (Long) batch.timestampMillis(row) : null);
  }

  /**
   * Adds the row of a change with another kind and timestamp, with its own position and with what
   * it does not tell. The batch has to stay open until this is built.
   */
  public void add(OpenChangeBatch open, int row, ChangeKind kind, @Nullable Long timestampMillis) {
    ChangeBatch batch = open.batch();
    add(open.root(), batch, row, kind, timestampMillis, batch.position(row));
    if (!batch.imageComplete(row)) {
      int columns = open.root().getFieldVectors().size();
      for (int column = 0; column < columns; column++) {
        if (!batch.isKnown(row, column)) {
          details(open.root()).markUnknown(column);
        }
      }
    }
  }

  /** Adds a row that is of no batch. The root has to keep it until this is built. */
  public void add(
      VectorSchemaRoot root,
      int row,
      ChangeKind kind,
      @Nullable Long timestampMillis,
      @Nullable LogPosition position) {
    add(root, null, row, kind, timestampMillis, position);
  }

  private void add(
      VectorSchemaRoot root,
      @Nullable ChangeBatch batch,
      int row,
      ChangeKind kind,
      @Nullable Long timestampMillis,
      @Nullable LogPosition position) {
    int size = selection.size();
    details(root).add(timestampMillis, position);
    selection.add(source(root, batch), row);
    if (size == kinds.length) {
      kinds = Arrays.copyOf(kinds, 2 * size);
    }
    kinds[size] = (byte) kind.code();
  }

  private ChangeDetails.Builder details(VectorSchemaRoot root) {
    ChangeDetails.Builder builder = details;
    if (builder == null) {
      builder = new ChangeDetails.Builder(root.getFieldVectors().size());
      details = builder;
    }
    return builder;
  }

  /** Rows come in runs of one source, so the last ones are looked at first. */
  private int source(VectorSchemaRoot root, @Nullable ChangeBatch batch) {
    for (int i = roots.size() - 1; i >= 0; i--) {
      if (roots.get(i) == root) {
        return i;
      }
    }
    roots.add(root);
    batches.add(batch);
    return roots.size() - 1;
  }

  /** The number of changes added. */
  public int rows() {
    return selection.size();
  }

  /**
   * The changes added since the last call.
   *
   * @throws IllegalStateException if there are none
   * @throws IllegalArgumentException if the rows have different columns
   */
  public ChangeBatch build(BufferAllocator allocator) {
    ChangeDetails.Builder builder = details;
    if (builder == null) {
      throw new IllegalStateException("Cannot build change batch: no change was added");
    }
    byte[] codes = Arrays.copyOf(kinds, selection.size());
    ChangeBatch whole = batches.get(selection.source(0));
    ChangeBatch built;
    if (whole != null && selection.isWhole(selection.source(0), whole.rows())) {
      built = new ChangeBatch(codes, whole.ipc(), builder.build(), whole.schema());
    } else {
      try (VectorSchemaRoot target = VectorSchemaRoot.create(roots.get(0).getSchema(), allocator)) {
        Gather.into(target, selection, roots);
        built = ChangeBatch.of(codes, target, builder.build());
      }
    }
    clear();
    return built;
  }

  private void clear() {
    roots.clear();
    batches.clear();
    selection.clear();
    details = null;
  }
}
