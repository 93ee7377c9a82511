package dev.tidemark.upsert;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;

/**
 * Rows: a bit for each field that is set where it is null, and those fields that are not, in the
 * order of the schema.
 */
final class FieldsEncoding extends ValueEncoding {
  private final Schema schema;
  private final ValueEncoding[] fields;

  private FieldsEncoding(Schema schema, ValueEncoding[] fields) {
    this.schema = schema;
    this.fields = fields;
  }

  static FieldsEncoding of(Schema schema, MapOrder mapOrder, FloatForm floats) {
    ValueEncoding[] fields = new ValueEncoding[schema.getFieldCount()];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = ValueEncoding.of(schema.getField(i).getType(), mapOrder, floats);
    }
    return new FieldsEncoding(schema, fields);
  }

  @Override
  void encode(Object value, EncodingBuffer out) {
    Row row = (Row) value;
    checkArgument(
        row.getFieldCount() == fields.length,
        "Invalid row: %s fields (must be %s as in its schema)",
        row.getFieldCount(),
        fields.length);
    int nulls = out.putBitmap(fields.length);
    for (int i = 0; i < fields.length; i++) {
      Object field = row.getValue(i);
      if (field == null) {
        out.setBit(nulls, i);
      } else {
        fields[i].encode(field, out);
      }
    }
  }

  @Override
  Row decode(DecodingCursor in) {
    int nulls = in.getBitmap(fields.length);
    List<Object> values = new ArrayList<>(fields.length);
    for (int i = 0; i < fields.length; i++) {
      values.add(in.isBitSet(nulls, i) ? null : fields[i].decode(in));
    }
    return Row.withSchema(schema).attachValues(values);
  }
}
