package dev.tidemark.arrow;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableSet;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.change.LogPosition;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Changes as columns: a record batch, and the kind of change of each of its rows. Immutable, and
 * wholly on the heap, so that it can be an element of a pipeline.
 *
 * <pre>{@code
 * try (BufferAllocator allocator = ArrowAllocators.child("Load");
 *     OpenChangeBatch open = batch.open(allocator)) {
 *   for (FieldVector column : open.root().getFieldVectors()) {
 *     // ...
 *   }
 * }
 * }</pre>
 *
 * <p>The order of rows is the order of changes. As with {@link dev.tidemark.change.Change}, a
 * change may leave columns untold: they are null in its row, and {@link #unknownColumns} names
 * them.
 */
public final class ChangeBatch {
  private final byte[] kinds;
  private final byte[] ipc;
  private final ChangeDetails details;
  private @Nullable Schema schema;

  ChangeBatch(byte[] kinds, byte[] ipc, ChangeDetails details, @Nullable Schema schema) {
    this.kinds = kinds;
    this.ipc = ipc;
    this.details = details;
    this.schema = schema;
  }

  /**
   * A batch of the rows of a root, without timestamps and positions. The root is copied and stays
   * with the caller.
   *
   * @throws IllegalArgumentException if there is not one kind for each row, or if a column is
   *     encoded by a dictionary
   */
  public static ChangeBatch of(List<ChangeKind> kinds, VectorSchemaRoot root) {
    byte[] codes = new byte[kinds.size()];
    for (int i = 0; i < codes.length; i++) {
      codes[i] = (byte) kinds.get(i).code();
    }
    return of(codes, root, ChangeDetails.none());
  }

  static ChangeBatch of(byte[] kinds, VectorSchemaRoot root, ChangeDetails details) {
    checkArgument(
        kinds.length == root.getRowCount(),
        "Invalid change kinds: %s (must be one for each of %s rows)",
        kinds.length,
        root.getRowCount());
    checkNoDictionaries(root.getSchema().getFields());
    return new ChangeBatch(kinds, IpcStreams.write(root), details, root.getSchema());
  }

  private static void checkNoDictionaries(List<Field> fields) {
    for (Field field : fields) {
      checkArgument(
          field.getDictionary() == null,
          "Cannot make change batch: column %s is encoded by a dictionary. Decode it before",
          field.getName());
      checkNoDictionaries(field.getChildren());
    }
  }

  /** The number of changes. */
  public int rows() {
    return kinds.length;
  }

  /** What a change does to its row. */
  public ChangeKind kind(int row) {
    ChangeKind kind = ChangeKind.ofCode(kinds[row]);
    if (kind == null) {
      throw new AssertionError(kinds[row]);
    }
    return kind;
  }

  /**
   * The {@linkplain ChangeKind#code codes} of all kinds by row, in an array of the caller's own.
   */
  public byte[] kindCodes() {
    return kinds.clone();
  }

  /** Whether all changes are of one kind. */
  public boolean isAll(ChangeKind kind) {
    for (byte code : kinds) {
      if (code != kind.code()) {
        return false;
      }
    }
    return true;
  }

  /** The schema of the columns; takes no memory outside of the heap. */
  public Schema schema() {
    Schema known = schema;
    if (known == null) {
      try {
        known = IpcStreams.schema(ipc);
      } catch (IOException e) {
        throw new IllegalStateException(
            "Cannot read the schema of a change batch: its stream is damaged. Send it again", e);
      }
      schema = known;
    }
    return known;
  }

  /**
   * The record batch as one complete Arrow IPC stream: schema, record batch, end of stream. Not to
   * be changed.
   */
  public byte[] ipc() {
    return ipc;
  }

  /** Whether the changes have timestamps of their own. */
  public boolean hasTimestamps() {
    return details.timestamps != null;
  }

  /**
   * When a change happened, in milliseconds since 1970, as the timestamp of an element.
   *
   * @throws IllegalStateException if the changes have no timestamps
   */
  public long timestampMillis(int row) {
    long[] timestamps = details.timestamps;
    if (timestamps == null) {
      throw new IllegalStateException("Cannot read timestamps: the changes of the batch have none");
    }
    return timestamps[row];
  }

  /** Where in the source's log a change stands, or null if it is not known. */
  public @Nullable LogPosition position(int row) {
    return details.position(row);
  }

  /** Whether the source told the value of every column of a change. */
  public boolean imageComplete(int row) {
    return details.isComplete(row);
  }

  /** True only if {@link #imageComplete} is for all changes; the batch looks at none of them. */
  public boolean imagesComplete() {
    return details.unknown == null;
  }

  /** Whether the source told the value of the column with this index. */
  public boolean isKnown(int row, int column) {
    return !details.isUnknown(row, column);
  }

  /** The columns of a change that the source did not tell, in the order of the schema. */
  public ImmutableSet<String> unknownColumns(int row) {
    if (details.isComplete(row)) {
      return ImmutableSet.of();
    }
    ImmutableSet.Builder<String> columns = ImmutableSet.builder();
    List<Field> fields = schema().getFields();
    for (int i = 0; i < fields.size(); i++) {
      if (details.isUnknown(row, i)) {
        columns.add(fields.get(i).getName());
      }
    }
    return columns.build();
  }

  /**
   * The same rows with other kinds, all columns told. Nothing is copied.
   *
   * @throws IllegalArgumentException if there is not one kind for each row
   */
  public ChangeBatch withKinds(List<ChangeKind> newKinds) {
    checkArgument(
        newKinds.size() == kinds.length,
        "Invalid change kinds: %s (must be one for each of %s rows)",
        newKinds.size(),
        kinds.length);
    byte[] codes = new byte[kinds.length];
    for (int i = 0; i < codes.length; i++) {
      codes[i] = (byte) newKinds.get(i).code();
    }
    return new ChangeBatch(codes, ipc, details.complete(), schema);
  }

  /**
   * Copies the columns out of the heap.
   *
   * @throws RuntimeException if the stream is damaged; nothing is then taken from the allocator
   */
  public OpenChangeBatch open(BufferAllocator allocator) {
    return OpenChangeBatch.open(this, allocator);
  }

  byte[] kinds() {
    return kinds;
  }

  ChangeDetails details() {
    return details;
  }

  /** Batches are equal if kinds, details and the bytes of their streams are. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ChangeBatch that
        && Arrays.equals(kinds, that.kinds)
        && Arrays.equals(ipc, that.ipc)
        && details.equals(that.details);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(kinds) * 31 + Arrays.hashCode(ipc);
  }

  @Override
  public String toString() {
    return String.format("ChangeBatch(%d rows, %d bytes)", kinds.length, ipc.length);
  }
}
