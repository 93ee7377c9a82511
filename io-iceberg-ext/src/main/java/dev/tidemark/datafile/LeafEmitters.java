package dev.tidemark.datafile;

import java.util.function.Consumer;
import org.apache.iceberg.DoubleFieldMetrics;
import org.apache.iceberg.FieldMetrics;
import org.apache.iceberg.FloatFieldMetrics;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.io.api.Binary;

/** Emitters of primitive columns, one per physical type. */
final class LeafEmitters {
  private LeafEmitters() {}

  static Emitter of(ColumnDescriptor column, Track track) {
    return switch (column.getPrimitiveType().getPrimitiveTypeName()) {
      case BOOLEAN -> new BooleanEmitter(column, (LongTrack) track);
      case INT32 -> new IntEmitter(column, (LongTrack) track);
      case INT64 -> new LongEmitter(column, (LongTrack) track);
      case FLOAT -> new FloatEmitter(column, (LongTrack) track);
      case DOUBLE -> new DoubleEmitter(column, (LongTrack) track);
      case BINARY, FIXED_LEN_BYTE_ARRAY -> new BinaryEmitter(column, (BinaryTrack) track);
      default ->
          throw new IllegalArgumentException(
              String.format("Cannot write column %s: not a type of Iceberg.", column));
    };
  }

  abstract static class LeafEmitter extends Emitter {
    private final ColumnDescriptor descriptor;

    /** Definition level of a value. */
    final int level;

    ColumnWriter column;
    long nulls;

    LeafEmitter(ColumnDescriptor descriptor) {
      this.descriptor = descriptor;
      this.level = descriptor.getMaxDefinitionLevel();
    }

    @Override
    final void open(ColumnWriteStore store) {
      column = store.getColumnWriter(descriptor);
    }

    @Override
    final void emitNull(int repetitionLevel, int definitionLevel) {
      nulls++;
      column.writeNull(repetitionLevel, definitionLevel);
    }

    final int fieldId() {
      return descriptor.getPrimitiveType().getId().intValue();
    }

    /** Adds the nulls to metrics that were made of values only. */
    final <T> FieldMetrics<T> withNulls(FieldMetrics<T> values) {
      return new FieldMetrics<>(
          values.id(),
          values.valueCount() + nulls,
          nulls,
          values.nanValueCount(),
          values.lowerBound(),
          values.upperBound(),
          values.originalType());
    }
  }

  /** A column that rows lack. */
  static final class NullEmitter extends LeafEmitter {
    private final int absentLevel;

    NullEmitter(ColumnDescriptor column, int absentLevel) {
      super(column);
      this.absentLevel = absentLevel;
    }

    @Override
    void emit(int repetitionLevel) {
      emitNull(repetitionLevel, absentLevel);
    }
  }

  private static final class BooleanEmitter extends LeafEmitter {
    private final LongTrack track;

    BooleanEmitter(ColumnDescriptor column, LongTrack track) {
      super(column);
      this.track = track;
    }

    @Override
    void emit(int repetitionLevel) {
      int entry = track.take();
      if (track.isNull(entry)) {
        emitNull(repetitionLevel, level - 1);
      } else {
        column.write(track.get(entry) != 0, repetitionLevel, level);
      }
    }
  }

  private static final class IntEmitter extends LeafEmitter {
    private final LongTrack track;

    IntEmitter(ColumnDescriptor column, LongTrack track) {
      super(column);
      this.track = track;
    }

    @Override
    void emit(int repetitionLevel) {
      int entry = track.take();
      if (track.isNull(entry)) {
        emitNull(repetitionLevel, level - 1);
      } else {
        column.write((int) track.get(entry), repetitionLevel, level);
      }
    }
  }

  private static final class LongEmitter extends LeafEmitter {
    private final LongTrack track;

    LongEmitter(ColumnDescriptor column, LongTrack track) {
      super(column);
      this.track = track;
    }

    @Override
    void emit(int repetitionLevel) {
      int entry = track.take();
      if (track.isNull(entry)) {
        emitNull(repetitionLevel, level - 1);
      } else {
        column.write(track.get(entry), repetitionLevel, level);
      }
    }
  }

  private static final class FloatEmitter extends LeafEmitter {
    private final LongTrack track;
    private final FloatFieldMetrics.Builder values;

    FloatEmitter(ColumnDescriptor column, LongTrack track) {
      super(column);
      this.track = track;
      this.values = new FloatFieldMetrics.Builder(fieldId());
    }

    @Override
    void emit(int repetitionLevel) {
      int entry = track.take();
      if (track.isNull(entry)) {
        emitNull(repetitionLevel, level - 1);
      } else {
        float value = Float.intBitsToFloat((int) track.get(entry));
        column.write(value, repetitionLevel, level);
        values.addValue(value);
      }
    }

    @Override
    void metrics(Consumer<FieldMetrics<?>> sink) {
      sink.accept(withNulls(values.build()));
    }
  }

  private static final class DoubleEmitter extends LeafEmitter {
    private final LongTrack track;
    private final DoubleFieldMetrics.Builder values;

    DoubleEmitter(ColumnDescriptor column, LongTrack track) {
      super(column);
      this.track = track;
      this.values = new DoubleFieldMetrics.Builder(fieldId());
    }

    @Override
    void emit(int repetitionLevel) {
      int entry = track.take();
      if (track.isNull(entry)) {
        emitNull(repetitionLevel, level - 1);
      } else {
        double value = Double.longBitsToDouble(track.get(entry));
        column.write(value, repetitionLevel, level);
        values.addValue(value);
      }
    }

    @Override
    void metrics(Consumer<FieldMetrics<?>> sink) {
      sink.accept(withNulls(values.build()));
    }
  }

  private static final class BinaryEmitter extends LeafEmitter {
    private final BinaryTrack track;

    BinaryEmitter(ColumnDescriptor column, BinaryTrack track) {
      super(column);
      this.track = track;
    }

    @Override
    void emit(int repetitionLevel) {
      Binary value = track.get(track.take());
      if (value == null) {
        emitNull(repetitionLevel, level - 1);
      } else {
        column.write(value, repetitionLevel, level);
      }
    }
  }
}
