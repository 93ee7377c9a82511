package dev.tidemark.arrow;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Reads rows from the columns of record batches: the inverse of {@link RowAppender}, for columns as
 * {@link ArrowSchemas#of} makes them. Belongs to one thread.
 */
public final class RowReader {
  private final Schema schema;
  private final org.apache.arrow.vector.types.pojo.Schema source;
  private final ValueReader[] fields;
  private @Nullable VectorSchemaRoot bound;

  private RowReader(
      Schema schema, org.apache.arrow.vector.types.pojo.Schema source, ValueReader[] fields) {
    this.schema = schema;
    this.source = source;
    this.fields = fields;
  }

  /**
   * Reads columns of a schema as rows of another: those with the same names; there may be more
   * columns.
   *
   * @throws IllegalArgumentException if a field has no column, or cannot hold all values of it
   */
  public static RowReader of(Schema beam, org.apache.arrow.vector.types.pojo.Schema source) {
    return new RowReader(beam, source, Readers.of(beam, source.getFields(), ""));
  }

  /** The schema of the rows. */
  public Schema schema() {
    return schema;
  }

  /**
   * Reads a row.
   *
   * @throws IllegalArgumentException if the root has other columns than were said
   */
  public Row read(VectorSchemaRoot root, int index) {
    if (root != bound) {
      bind(root);
    }
    List<@Nullable Object> values = new ArrayList<>(fields.length);
    for (ValueReader field : fields) {
      values.add(field.read(index));
    }
    return Row.withSchema(schema).attachValues(values);
  }

  private void bind(VectorSchemaRoot root) {
    if (!ArrowSchemas.sameColumns(source.getFields(), root.getSchema().getFields())) {
      throw new IllegalArgumentException(
          String.format(
              "Invalid columns: %s (must be %s)",
              root.getSchema().getFields(), source.getFields()));
    }
    for (int i = 0; i < fields.length; i++) {
      fields[i].bind(root.getVector(schema.getField(i).getName()));
    }
    bound = root;
  }
}
