package dev.tidemark.arrow;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.LogicalType;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Rows, arrays and maps, and logical types from their base types. */
final class NestedReaders {
  private NestedReaders() {}

  static final class Rows extends ValueReader.OfVector<StructVector> {
    private final Schema schema;
    private final ValueReader[] fields;

    Rows(Schema schema, ValueReader[] fields) {
      super(StructVector.class);
      this.schema = schema;
      this.fields = fields;
    }

    @Override
    void bound() {
      for (int i = 0; i < fields.length; i++) {
        fields[i].bind(vector.getChild(schema.getField(i).getName()));
      }
    }

    @Override
    Object value(int index) {
      List<@Nullable Object> values = new ArrayList<>(fields.length);
      for (ValueReader field : fields) {
        values.add(field.read(index));
      }
      return Row.withSchema(schema).attachValues(values);
    }
  }

  static final class Lists extends ValueReader.OfVector<ListVector> {
    private final ValueReader element;

    Lists(ValueReader element) {
      super(ListVector.class);
      this.element = element;
    }

    @Override
    void bound() {
      element.bind(vector.getDataVector());
    }

    @Override
    Object value(int index) {
      int end = vector.getElementEndIndex(index);
      int begin = vector.getElementStartIndex(index);
      List<@Nullable Object> elements = new ArrayList<>(end - begin);
      for (int i = begin; i < end; i++) {
        elements.add(element.read(i));
      }
      return elements;
    }
  }

  static final class Maps extends ValueReader.OfVector<MapVector> {
    private final ValueReader key;
    private final ValueReader mapped;

    Maps(ValueReader key, ValueReader mapped) {
      super(MapVector.class);
      this.key = key;
      this.mapped = mapped;
    }

    @Override
    void bound() {
      StructVector entries = (StructVector) vector.getDataVector();
      key.bind((FieldVector) entries.getVectorById(0));
      mapped.bind((FieldVector) entries.getVectorById(1));
    }

    @Override
    Object value(int index) {
      int end = vector.getElementEndIndex(index);
      Map<@Nullable Object, @Nullable Object> entries = new LinkedHashMap<>();
      for (int i = vector.getElementStartIndex(index); i < end; i++) {
        entries.put(key.read(i), mapped.read(i));
      }
      return entries;
    }
  }

  /** Values of a logical type from those of its base type. */
  static final class BaseValues extends ValueReader {
    private final LogicalType<Object, Object> type;
    private final ValueReader base;

    @SuppressWarnings("unchecked") // The values of a row are of the types its schema says.
    BaseValues(LogicalType<?, ?> type, ValueReader base) {
      this.type = (LogicalType<Object, Object>) type;
      this.base = base;
    }

    @Override
    void bind(FieldVector vector) {
      base.bind(vector);
    }

    @Override
    @Nullable Object read(int index) {
      Object value = base.read(index);
      return value == null ? null : type.toInputType(value);
    }
  }
}
