package dev.tidemark.upsert;

import dev.tidemark.arrow.AppendOptions;
import dev.tidemark.arrow.RowAppender;
import dev.tidemark.arrow.RowReader;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.beam.sdk.schemas.Schema;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Keys and rows of record batches as bytes: the same bytes that {@link UpsertEncodings} gives the
 * rows that could be read from them. Belongs to one thread.
 */
final class ColumnEncoder {
  private final Schema schema;
  private final VectorEncoding[] fields;
  private final Key sinkKey;
  private final @Nullable Key upsertKey;

  private ColumnEncoder(
      Schema schema, VectorEncoding[] fields, Key sinkKey, @Nullable Key upsertKey) {
    this.schema = schema;
    this.fields = fields;
    this.sinkKey = sinkKey;
    this.upsertKey = upsertKey;
  }

  /**
   * An encoder of batches with these columns.
   *
   * @throws IllegalArgumentException if rows of the schema cannot be read from them, or not be
   *     written to all of them
   */
  static ColumnEncoder of(
      UpsertEncodings encodings, org.apache.arrow.vector.types.pojo.Schema columns) {
    RowEncoding rows = encodings.rows();
    RowReader.of(rows.schema(), columns);
    // Rows that come up again are written to such columns, so there must not be others.
    RowAppender.of(rows.schema(), columns, AppendOptions.defaults());
    KeyEncoding upsertKey = encodings.upsertKey();
    return new ColumnEncoder(
        rows.schema(),
        VectorNested.Rows.fields(
            rows.schema(), columns.getFields(), rows.mapOrder(), FloatForm.EXACT),
        Key.of(rows, encodings.sinkKey(), columns.getFields()),
        upsertKey == null ? null : Key.of(rows, upsertKey, columns.getFields()));
  }

  /** Reads from this root from now on, until it has other rows. */
  void bind(VectorSchemaRoot root) {
    for (int i = 0; i < fields.length; i++) {
      fields[i].bind(root.getVector(schema.getField(i).getName()));
    }
    sinkKey.bind(root);
    if (upsertKey != null) {
      upsertKey.bind(root);
    }
  }

  /** Adds the sink key of a row. */
  void sinkKey(int row, EncodingBuffer out) {
    sinkKey.encode(row, out);
  }

  boolean hasUpsertKey() {
    return upsertKey != null;
  }

  /** Adds the upsert key of a row, if there is one. */
  void upsertKey(int row, EncodingBuffer out) {
    if (upsertKey != null) {
      upsertKey.encode(row, out);
    }
  }

  /** Adds all columns of a row. */
  void row(int row, EncodingBuffer out) {
    VectorNested.Rows.encode(fields, row, out);
  }

  /** The columns of a key, in the form of {@link KeyEncoding}. */
  private static final class Key {
    private final List<String> names;
    private final VectorEncoding[] exact;
    private final VectorEncoding[] normalised;
    private final boolean floatKey;
    private final EncodingBuffer normalisedBuffer = new EncodingBuffer();

    private Key(
        List<String> names, VectorEncoding[] exact, VectorEncoding[] normalised, boolean floatKey) {
      this.names = names;
      this.exact = exact;
      this.normalised = normalised;
      this.floatKey = floatKey;
    }

    static Key of(RowEncoding rows, KeyEncoding key, List<Field> columns) {
      List<String> names = key.columns();
      VectorEncoding[] exact = new VectorEncoding[names.size()];
      VectorEncoding[] normalised = new VectorEncoding[names.size()];
      for (int i = 0; i < exact.length; i++) {
        Schema.FieldType type = rows.schema().getField(names.get(i)).getType();
        Field column = VectorNested.Rows.column(columns, names.get(i));
        exact[i] = VectorEncoding.of(type, column, rows.mapOrder(), FloatForm.EXACT);
        normalised[i] = VectorEncoding.of(type, column, rows.mapOrder(), FloatForm.ONE_ZERO);
      }
      return new Key(names, exact, normalised, key.isFloatKey());
    }

    void bind(VectorSchemaRoot root) {
      for (int i = 0; i < exact.length; i++) {
        exact[i].bind(root.getVector(names.get(i)));
        normalised[i].bind(root.getVector(names.get(i)));
      }
    }

    void encode(int row, EncodingBuffer out) {
      if (floatKey) {
        normalisedBuffer.clear();
        VectorNested.Rows.encode(normalised, row, normalisedBuffer);
        out.putByte(hasNaN(row) ? 1 : 0);
        out.putVarint(normalisedBuffer.end());
        out.putAll(normalisedBuffer);
      }
      VectorNested.Rows.encode(exact, row, out);
    }

    private boolean hasNaN(int row) {
      for (VectorEncoding column : exact) {
        if (!column.isNull(row) && column.isNaN(row)) {
          return true;
        }
      }
      return false;
    }
  }
}
