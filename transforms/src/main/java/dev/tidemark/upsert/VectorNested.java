package dev.tidemark.upsert;

import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;

/** Columns of rows, arrays and maps. */
final class VectorNested {
  private VectorNested() {}

  /** In the form of {@link FieldsEncoding}. */
  static final class Rows extends VectorEncoding.OfVector<StructVector> {
    private final Schema schema;
    private final VectorEncoding[] fields;

    private Rows(Schema schema, VectorEncoding[] fields) {
      super(StructVector.class);
      this.schema = schema;
      this.fields = fields;
    }

    static Rows of(Schema schema, Field column, MapOrder mapOrder, FloatForm floats) {
      return new Rows(schema, fields(schema, column.getChildren(), mapOrder, floats));
    }

    /** The encodings of the fields of a schema, from columns of the same names. */
    static VectorEncoding[] fields(
        Schema schema, List<Field> columns, MapOrder mapOrder, FloatForm floats) {
      VectorEncoding[] fields = new VectorEncoding[schema.getFieldCount()];
      for (int i = 0; i < fields.length; i++) {
        Schema.Field field = schema.getField(i);
        fields[i] =
            VectorEncoding.of(field.getType(), column(columns, field.getName()), mapOrder, floats);
      }
      return fields;
    }

    static Field column(List<Field> columns, String name) {
      return columns.stream()
          .filter(column -> column.getName().equals(name))
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException("Cannot find column " + name));
    }

    @Override
    void bound() {
      for (int i = 0; i < fields.length; i++) {
        fields[i].bind(vector.getChild(schema.getField(i).getName()));
      }
    }

    @Override
    void encode(int index, EncodingBuffer out) {
      encode(fields, index, out);
    }

    static void encode(VectorEncoding[] fields, int index, EncodingBuffer out) {
      int nulls = out.putBitmap(fields.length);
      for (int i = 0; i < fields.length; i++) {
        if (fields[i].isNull(index)) {
          out.setBit(nulls, i);
        } else {
          fields[i].encode(index, out);
        }
      }
    }
  }

  /** In the form of {@link SequenceEncoding}. */
  static final class Lists extends VectorEncoding.OfVector<ListVector> {
    private final VectorEncoding element;

    Lists(VectorEncoding element) {
      super(ListVector.class);
      this.element = element;
    }

    @Override
    void bound() {
      element.bind(vector.getDataVector());
    }

    @Override
    void encode(int index, EncodingBuffer out) {
      int begin = vector.getElementStartIndex(index);
      int size = vector.getElementEndIndex(index) - begin;
      out.putVarint(size);
      int nulls = out.putBitmap(size);
      for (int i = 0; i < size; i++) {
        if (element.isNull(begin + i)) {
          out.setBit(nulls, i);
        } else {
          element.encode(begin + i, out);
        }
      }
    }
  }

  /** In the form of {@link MapEncoding}. */
  static final class Maps extends VectorEncoding.OfVector<MapVector> {
    private final VectorEncoding key;
    private final VectorEncoding value;
    private final MapOrder order;

    private Maps(VectorEncoding key, VectorEncoding value, MapOrder order) {
      super(MapVector.class);
      this.key = key;
      this.value = value;
      this.order = order;
    }

    static Maps of(FieldType type, Field column, MapOrder order) {
      List<Field> entry = column.getChildren().get(0).getChildren();
      return new Maps(
          VectorEncoding.of(type.getMapKeyType(), entry.get(0), order, FloatForm.ONE_NAN),
          VectorEncoding.of(type.getMapValueType(), entry.get(1), order, FloatForm.ONE_NAN),
          order);
    }

    @Override
    void bound() {
      StructVector entries = (StructVector) vector.getDataVector();
      key.bind((FieldVector) entries.getVectorById(0));
      value.bind((FieldVector) entries.getVectorById(1));
    }

    @Override
    void encode(int index, EncodingBuffer out) {
      int begin = vector.getElementStartIndex(index);
      int size = vector.getElementEndIndex(index) - begin;
      out.putVarint(size);
      int[] begins = new int[size + 1];
      begins[0] = out.end();
      for (int i = 0; i < size; i++) {
        encode(key, begin + i, out);
        encode(value, begin + i, out);
        begins[i + 1] = out.end();
      }
      MapEncoding.order(begins, order, out);
    }

    private static void encode(VectorEncoding encoding, int index, EncodingBuffer out) {
      if (encoding.isNull(index)) {
        out.putByte(1);
      } else {
        out.putByte(0);
        encoding.encode(index, out);
      }
    }
  }
}
