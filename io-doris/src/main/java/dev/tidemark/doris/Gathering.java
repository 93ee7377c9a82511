package dev.tidemark.doris;

import dev.tidemark.arrow.Gather;
import dev.tidemark.arrow.RowSelection;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Copies rows of columns. */
final class Gathering {
  private Gathering() {}

  /** Some of the rows, in this order; the caller closes them. */
  static VectorSchemaRoot rows(
      List<FieldVector> vectors, int rowCount, int[] chosen, BufferAllocator allocator) {
    List<Field> fields = vectors.stream().map(FieldVector::getField).toList();
    RowSelection selection = new RowSelection();
    for (int row : chosen) {
      selection.add(0, row);
    }
    VectorSchemaRoot target = VectorSchemaRoot.create(new Schema(fields), allocator);
    try {
      // Not closed: the vectors are their owner's.
      Gather.into(target, selection, List.of(new VectorSchemaRoot(fields, vectors, rowCount)));
      return target;
    } catch (RuntimeException e) {
      target.close();
      throw e;
    }
  }

  /** A copy that shares no memory; the caller closes it. */
  static FieldVector copy(FieldVector vector, int rowCount, BufferAllocator allocator) {
    FieldVector copy = vector.getField().createVector(allocator);
    try {
      copy.setInitialCapacity(rowCount);
      copy.allocateNew();
      if (vector instanceof BaseFixedWidthVector values && values.getTypeWidth() > 0) {
        copy.getDataBuffer()
            .setBytes(0, vector.getDataBuffer(), 0, (long) rowCount * values.getTypeWidth());
        copy.getValidityBuffer()
            .setBytes(
                0, vector.getValidityBuffer(), 0, BitVectorHelper.getValidityBufferSize(rowCount));
      } else {
        for (int row = 0; row < rowCount; row++) {
          copy.copyFromSafe(row, row, vector);
        }
      }
      copy.setValueCount(rowCount);
      return copy;
    } catch (RuntimeException e) {
      copy.close();
      throw e;
    }
  }
}
