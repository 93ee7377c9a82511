package dev.tidemark.arrow;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Writes rows into the columns of record batches. What each column takes is decided once, from two
 * schemas; values are never rounded or cut. Belongs to one thread.
 *
 * <pre>{@code
 * RowAppender appender = RowAppender.of(rowSchema, tableSchema, AppendOptions.defaults());
 * for (int i = 0; i < rows.size(); i++) {
 *   appender.append(rows.get(i), root, i);
 * }
 * root.setRowCount(rows.size());
 * }</pre>
 */
public final class RowAppender {
  /** Told of rows with a value that a column cannot hold; of a row with several, several times. */
  @FunctionalInterface
  public interface Rejections {
    /** The row at an index of those given is rejected. */
    void reject(int row, ValueRejectedException reason);
  }

  private static final int FIRST_ROWS = 64;

  private final org.apache.arrow.vector.types.pojo.Schema target;
  private final ValueAppender[] columns;

  /** By column, the index of the field in rows. */
  private final int[] fields;

  private @Nullable VectorSchemaRoot bound;

  private RowAppender(
      org.apache.arrow.vector.types.pojo.Schema target, ValueAppender[] columns, int[] fields) {
    this.target = target;
    this.columns = columns;
    this.fields = fields;
  }

  /**
   * Writes rows of a schema as columns of another: those with the same names, in the order of the
   * target, which need not have all of them.
   *
   * @throws IllegalArgumentException if rows lack a column of the target, or if their values could
   *     not be written as its type; names the column, both types and the remedy
   */
  public static RowAppender of(
      Schema beam, org.apache.arrow.vector.types.pojo.Schema target, AppendOptions options) {
    List<Field> targets = target.getFields();
    ValueAppender[] columns = new ValueAppender[targets.size()];
    int[] fields = new int[targets.size()];
    for (int i = 0; i < columns.length; i++) {
      Field field = targets.get(i);
      checkArgument(
          beam.hasField(field.getName()),
          "Cannot write column %s: rows have no field of this name, but %s. Add it, or rename one"
              + " of theirs",
          field.getName(),
          beam.getFieldNames());
      fields[i] = beam.indexOf(field.getName());
      columns[i] =
          Appenders.of(beam.getField(fields[i]).getType(), field, field.getName(), options);
    }
    return new RowAppender(target, columns, fields);
  }

  /** The schema of the columns. */
  public org.apache.arrow.vector.types.pojo.Schema target() {
    return target;
  }

  /**
   * A root with the columns of the target. It begins with room for a few rows and grows with them,
   * where one of Arrow's own begins with room for thousands.
   */
  public VectorSchemaRoot newRoot(BufferAllocator allocator) {
    VectorSchemaRoot root = VectorSchemaRoot.create(target, allocator);
    root.getFieldVectors().forEach(vector -> vector.setInitialCapacity(FIRST_ROWS));
    return root;
  }

  /**
   * Writes a row at an index of a root, whose first columns have to be those of the target; others
   * may follow. Rows are written in order, from index 0; the row at the last index may be written
   * again. Columns grow as they need to. The root's row count is left to the caller.
   *
   * @return about how many bytes were written
   * @throws ValueRejectedException if a column cannot hold a value; the index is then to be written
   *     again, or left out of the row count
   */
  public long append(Row row, VectorSchemaRoot root, int index) {
    // A root that is begun anew may have let go of its memory.
    if (root != bound || index == 0) {
      bind(root);
    }
    long bytes = 0;
    for (int i = 0; i < columns.length; i++) {
      Object value = row.getValue(fields[i]);
      bytes += value != null ? columns[i].append(value, index) : columns[i].appendNull(index);
    }
    return bytes;
  }

  /**
   * As {@link #append} for each of some rows, but column by column, which takes less time than row
   * by row. A rejected row takes its index all the same, with null for what was rejected, and is
   * the caller's to leave out.
   *
   * @return about how many bytes were written
   */
  public long appendAll(
      Row[] rows, int from, int to, VectorSchemaRoot root, int index, Rejections rejections) {
    if (root != bound || index == 0) {
      bind(root);
    }
    // A new one each time: references in an array that is young cost the least with most
    // collectors.
    @Nullable Object[] values = new Object[to - from];
    Rejections ofValues = (value, reason) -> rejections.reject(from + value, reason);
    long bytes = 0;
    for (int i = 0; i < columns.length; i++) {
      int field = fields[i];
      for (int row = from; row < to; row++) {
        values[row - from] = rows[row].getValue(field);
      }
      bytes += columns[i].appendAll(values, index, ofValues);
    }
    return bytes;
  }

  private void bind(VectorSchemaRoot root) {
    List<Field> given = root.getSchema().getFields();
    checkArgument(
        root == bound
            || (given.size() >= columns.length
                && ArrowSchemas.sameColumns(target.getFields(), given.subList(0, columns.length))),
        "Invalid columns: %s (must begin with %s)",
        given,
        target.getFields());
    for (int i = 0; i < columns.length; i++) {
      columns[i].bind(root.getVector(i));
    }
    bound = root;
  }

  /** The column that a field of rows is written to; negative if it is written to none. */
  int indexOf(int field) {
    for (int i = 0; i < fields.length; i++) {
      if (fields[i] == field) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public String toString() {
    return "RowAppender(" + Arrays.toString(fields) + " as " + target + ")";
  }
}
