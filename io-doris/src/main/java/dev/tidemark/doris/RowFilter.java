package dev.tidemark.doris;

import dev.tidemark.change.ChangeKind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Finds rows that the server would filter, and with them the whole load; gives deletes the values
 * that NOT NULL columns demand; and shifts timestamps for servers that shift them back.
 */
final class RowFilter {
  /** Told of rows that cannot be loaded. */
  @FunctionalInterface
  interface Rejections {
    void reject(int row, String reason);
  }

  private static final long LEGACY_HOURS = 8;

  private final LoadPlan plan;
  private final boolean legacy;

  RowFilter(LoadPlan plan, DatetimeEncoding encoding) {
    this.plan = plan;
    this.legacy = encoding == DatetimeEncoding.LEGACY_PLUS_8;
  }

  /**
   * The rows to load. Null values of deletes in NOT NULL columns are replaced in place.
   *
   * @param kinds codes of {@link ChangeKind}, or null if all rows are upserts
   */
  BitSet select(
      List<FieldVector> vectors, byte @Nullable [] kinds, int rows, Rejections rejections) {
    BitSet selected = new BitSet(rows);
    selected.set(0, rows);
    if (kinds != null) {
      for (int row = 0; row < rows; row++) {
        if (kinds[row] == ChangeKind.UPDATE_BEFORE.code()) {
          selected.clear(row);
        }
      }
    }
    List<LoadPlan.Column> columns = plan.columns();
    for (int i = 0; i < columns.size(); i++) {
      LoadPlan.Column column = columns.get(i);
      FieldVector vector = vectors.get(i);
      if (vector.getNullCount() > 0) {
        if (column.filledInDeletes() && kinds != null) {
          fillDeletes(vector, kinds, selected);
        }
        if (column.required() || i == plan.sequence()) {
          reject(column, vector, i == plan.sequence(), selected, rejections);
        }
      }
      if (legacy && vector instanceof TimeStampVector times) {
        rejectBefore1970(column, times, selected, rejections);
      }
    }
    return selected;
  }

  private static void reject(
      LoadPlan.Column column,
      FieldVector vector,
      boolean sequence,
      BitSet selected,
      Rejections rejections) {
    for (int row = selected.nextSetBit(0); row >= 0; row = selected.nextSetBit(row + 1)) {
      if (vector.isNull(row)) {
        selected.clear(row);
        rejections.reject(
            row,
            String.format(
                sequence
                    ? "sequence column %s is null, and the server could not tell which row is the last. Fill it in before"
                    : "column %s is null, and NOT NULL in the table. Fill it in before",
                column.field().getName()));
      }
    }
  }

  private static void fillDeletes(FieldVector vector, byte[] kinds, BitSet selected) {
    for (int row = selected.nextSetBit(0); row >= 0; row = selected.nextSetBit(row + 1)) {
      if (kinds[row] == ChangeKind.DELETE.code() && vector.isNull(row)) {
        setToZero(vector, row);
      }
    }
  }

  /**
   * A null of variable width has no bytes, and a list no elements, so that being there is all they
   * lack: an empty text, an empty list.
   */
  private static void setToZero(FieldVector vector, int row) {
    if (vector instanceof FixedSizeListVector) {
      throw new IllegalStateException("Cannot fill a list of fixed size: it is never loaded");
    }
    if (vector instanceof BitVector bits) {
      bits.set(row, 0);
      return;
    }
    if (vector instanceof BaseFixedWidthVector values) {
      int width = values.getTypeWidth();
      values.getDataBuffer().setZero((long) row * width, width);
    }
    BitVectorHelper.setBit(vector.getValidityBuffer(), row);
  }

  private static void rejectBefore1970(
      LoadPlan.Column column, TimeStampVector times, BitSet selected, Rejections rejections) {
    long least = eightHours(times);
    for (int row = selected.nextSetBit(0); row >= 0; row = selected.nextSetBit(row + 1)) {
      if (!times.isNull(row) && times.get(row) < least) {
        selected.clear(row);
        rejections.reject(
            row,
            String.format(
                "column %s is before 1970-01-01 08:00, which servers with the legacy encoding of"
                    + " timestamps cannot take. Upgrade them and set WALL_CLOCK, or leave the value out",
                column.field().getName()));
      }
    }
  }

  /**
   * The vectors, with copies in place of those that {@link #select} or {@link #shift} changes.
   *
   * @param copies takes the copies, to be closed
   */
  List<FieldVector> writable(
      List<FieldVector> vectors,
      byte @Nullable [] kinds,
      int rows,
      BufferAllocator allocator,
      List<FieldVector> copies) {
    boolean deletes = hasDeletes(kinds, rows);
    List<FieldVector> writable = new ArrayList<>();
    for (int i = 0; i < vectors.size(); i++) {
      FieldVector vector = vectors.get(i);
      boolean filled =
          deletes && plan.columns().get(i).filledInDeletes() && vector.getNullCount() > 0;
      if (filled || (legacy && hasTimestamps(vector))) {
        FieldVector copy = Gathering.copy(vector, rows, allocator);
        copies.add(copy);
        writable.add(copy);
      } else {
        writable.add(vector);
      }
    }
    return writable;
  }

  private static boolean hasDeletes(byte @Nullable [] kinds, int rows) {
    for (int row = 0; kinds != null && row < rows; row++) {
      if (kinds[row] == ChangeKind.DELETE.code()) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasTimestamps(FieldVector vector) {
    return vector instanceof TimeStampVector
        || vector.getChildrenFromFields().stream().anyMatch(RowFilter::hasTimestamps);
  }

  /** Takes away what the server adds, in nested vectors too. */
  void shift(List<FieldVector> vectors) {
    if (legacy) {
      vectors.forEach(RowFilter::shift);
    }
  }

  private static void shift(FieldVector vector) {
    if (vector instanceof TimeStampVector times) {
      long hours = eightHours(times);
      ArrowBuf data = times.getDataBuffer();
      for (long row = 0; row < times.getValueCount(); row++) {
        data.setLong(row * Long.BYTES, data.getLong(row * Long.BYTES) - hours);
      }
    }
    vector.getChildrenFromFields().forEach(RowFilter::shift);
  }

  private static long eightHours(TimeStampVector times) {
    ArrowType.Timestamp type = (ArrowType.Timestamp) times.getField().getType();
    TimeUnit unit =
        switch (type.getUnit()) {
          case SECOND -> TimeUnit.SECONDS;
          case MILLISECOND -> TimeUnit.MILLISECONDS;
          case MICROSECOND -> TimeUnit.MICROSECONDS;
          case NANOSECOND -> TimeUnit.NANOSECONDS;
        };
    return unit.convert(LEGACY_HOURS, TimeUnit.HOURS);
  }
}
