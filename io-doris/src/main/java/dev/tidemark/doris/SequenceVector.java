package dev.tidemark.doris;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.FieldVector;

/** The column by which the server tells which row of a key is the last one. */
final class SequenceVector {
  private final BaseFixedWidthVector vector;
  private final int width;

  private SequenceVector(BaseFixedWidthVector vector) {
    this.vector = vector;
    this.width = vector.getTypeWidth();
  }

  /** The vector has to be of integers, dates or timestamps. */
  static SequenceVector of(FieldVector vector) {
    return new SequenceVector((BaseFixedWidthVector) vector);
  }

  /** Null is before everything, as for the server. */
  long valueOf(int row) {
    if (vector.isNull(row)) {
      return Long.MIN_VALUE;
    }
    ArrowBuf data = vector.getDataBuffer();
    long at = (long) row * width;
    return switch (width) {
      case 1 -> data.getByte(at);
      case 2 -> data.getShort(at);
      case 4 -> data.getInt(at);
      default -> data.getLong(at);
    };
  }
}
