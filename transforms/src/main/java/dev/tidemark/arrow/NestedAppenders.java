package dev.tidemark.arrow;

import java.util.Map;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.beam.sdk.schemas.Schema.LogicalType;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Rows, arrays and maps, and logical types as their base types. */
final class NestedAppenders {
  private NestedAppenders() {}

  private static int append(ValueAppender appender, @Nullable Object value, int index) {
    return value == null ? appender.appendNull(index) : appender.append(value, index);
  }

  static final class Rows extends ValueAppender {
    private final ValueAppender[] columns;
    private final int[] fields;
    private StructVector vector;

    Rows(String path, Field field, ValueAppender[] columns, int[] fields) {
      super(path, field);
      this.columns = columns;
      this.fields = fields;
    }

    @Override
    void bind(FieldVector newVector) {
      vector = (StructVector) newVector;
      for (int i = 0; i < columns.length; i++) {
        columns[i].bind((FieldVector) vector.getVectorById(i));
      }
    }

    @Override
    int append(Object value, int index) {
      Row row = (Row) value;
      int bytes = 1;
      for (int i = 0; i < columns.length; i++) {
        bytes += NestedAppenders.append(columns[i], row.getValue(fields[i]), index);
      }
      vector.setIndexDefined(index);
      return bytes;
    }

    @Override
    void setNull(int index) {
      // Holes in the columns are filled with what follows.
      vector.setNull(index);
    }
  }

  static final class Lists extends ValueAppender {
    private final ValueAppender element;
    private ListVector vector;

    Lists(String path, Field field, ValueAppender element) {
      super(path, field);
      this.element = element;
    }

    @Override
    void bind(FieldVector newVector) {
      vector = (ListVector) newVector;
      element.bind(vector.getDataVector());
    }

    @Override
    int append(Object value, int index) {
      int bytes = Integer.BYTES;
      int begin = vector.startNewValue(index);
      int at = begin;
      for (Object each : (Iterable<?>) value) {
        bytes += NestedAppenders.append(element, each, at++);
      }
      vector.endValue(index, at - begin);
      return bytes;
    }

    @Override
    void setNull(int index) {
      vector.setNull(index);
    }
  }

  static final class Maps extends ValueAppender {
    private final ValueAppender key;
    private final ValueAppender mapped;
    private MapVector vector;
    private StructVector entries;

    Maps(String path, Field field, ValueAppender key, ValueAppender mapped) {
      super(path, field);
      this.key = key;
      this.mapped = mapped;
    }

    @Override
    void bind(FieldVector newVector) {
      vector = (MapVector) newVector;
      entries = (StructVector) vector.getDataVector();
      key.bind((FieldVector) entries.getVectorById(0));
      mapped.bind((FieldVector) entries.getVectorById(1));
    }

    @Override
    int append(Object value, int index) {
      int bytes = Integer.BYTES;
      int begin = vector.startNewValue(index);
      int at = begin;
      for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
        bytes += NestedAppenders.append(key, entry.getKey(), at);
        bytes += NestedAppenders.append(mapped, entry.getValue(), at);
        entries.setIndexDefined(at++);
      }
      vector.endValue(index, at - begin);
      return bytes;
    }

    @Override
    void setNull(int index) {
      vector.setNull(index);
    }
  }

  /** Values of a logical type, as those of its base type. */
  static final class BaseValues extends ValueAppender {
    private final LogicalType<Object, Object> type;
    private final ValueAppender base;

    @SuppressWarnings("unchecked") // The values of a row are of the types its schema says.
    BaseValues(String path, Field field, LogicalType<?, ?> type, ValueAppender base) {
      super(path, field);
      this.type = (LogicalType<Object, Object>) type;
      this.base = base;
    }

    @Override
    void bind(FieldVector vector) {
      base.bind(vector);
    }

    @Override
    int append(Object value, int index) {
      return base.append(type.toBaseType(value), index);
    }

    @Override
    void setNull(int index) {
      base.setNull(index);
    }
  }
}
