package dev.tidemark.arrow;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Copies selected rows of record batches, column by column, without looking at what they hold.
 *
 * <pre>{@code
 * RowSelection last = new RowSelection();
 * last.add(0, 3);
 * last.add(1, 0);
 * Gather.into(target, last, List.of(first.root(), second.root()));
 * }</pre>
 */
public final class Gather {
  private Gather() {}

  /**
   * Copies rows into a root, in place of what it has. If they are all rows of one batch in order,
   * nothing is copied: the target then shares the memory of that batch, which is given back when
   * both are closed.
   *
   * @param target its columns are looked up by name and need not be all of those of the sources; of
   *     the same root allocator as the sources
   * @param sources the batches that the selection numbers, from 0
   * @throws IllegalArgumentException if a source lacks a column, or has it with another type
   */
  public static void into(
      VectorSchemaRoot target, RowSelection selection, List<VectorSchemaRoot> sources) {
    int columns = target.getFieldVectors().size();
    FieldVector[][] vectors = new FieldVector[columns][];
    for (int i = 0; i < columns; i++) {
      vectors[i] = columns(target.getSchema().getFields().get(i), sources);
    }
    target.clear();
    try {
      int whole = whole(selection, sources);
      for (int i = 0; i < columns; i++) {
        if (whole >= 0) {
          vectors[i][whole]
              .makeTransferPair(target.getVector(i))
              .splitAndTransfer(0, selection.size());
        } else {
          GatherColumns.gather(vectors[i], selection, target.getVector(i));
        }
      }
      target.setRowCount(selection.size());
    } catch (RuntimeException | Error e) {
      target.clear();
      throw e;
    }
  }

  /** The only batch whose rows are all selected in order; negative if there is none. */
  private static int whole(RowSelection selection, List<VectorSchemaRoot> sources) {
    if (selection.size() == 0) {
      return -1;
    }
    int source = selection.source(0);
    return selection.isWhole(source, sources.get(source).getRowCount()) ? source : -1;
  }

  private static FieldVector[] columns(Field wanted, List<VectorSchemaRoot> sources) {
    FieldVector[] vectors = new FieldVector[sources.size()];
    for (int i = 0; i < vectors.length; i++) {
      FieldVector vector = sources.get(i).getVector(wanted.getName());
      checkArgument(
          vector != null && ArrowSchemas.sameType(wanted, vector.getField()),
          "Cannot copy column %s: batch %s has %s there, and the target %s. Cast the column before",
          wanted.getName(),
          i,
          vector == null ? "nothing" : Appenders.describe(vector.getField()),
          Appenders.describe(wanted));
      vectors[i] = vector;
    }
    return vectors;
  }
}
