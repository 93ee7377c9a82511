package dev.tidemark.iceberg;

import com.google.auto.value.AutoValue;
import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.SimpleFunction;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;

/**
 * Appends changes to Iceberg change tables: each as a row with its kind in a column of its own; see
 * {@link TidemarkIcebergIO}.
 */
@AutoValue
public abstract class WriteChanges extends PTransform<PCollection<Change>, IcebergWriteResult> {
  private static final String DEFAULT_KIND_COLUMN = "_kind";

  WriteChanges() {}

  abstract WriteRows rows();

  abstract String kindColumn();

  static WriteChanges create() {
    return new AutoValue_WriteChanges(WriteRows.create(), DEFAULT_KIND_COLUMN);
  }

  /**
   * The column that gets the kind of a change ({@code +I}, {@code -U}, {@code +U}, {@code -D}). It
   * is the last column of the table. Default {@code _kind}.
   *
   * @throws IllegalArgumentException if it is empty
   */
  public WriteChanges withKindColumn(String column) {
    if (column.isEmpty()) {
      throw new IllegalArgumentException("Invalid kind column: empty (must be a column name)");
    }
    return new AutoValue_WriteChanges(rows(), column);
  }

  /**
   * How the rows are written; everything that {@link WriteRows} offers. Its event-time column and
   * partition fields may name the kind column too.
   */
  public WriteChanges withRows(WriteRows rows) {
    return new AutoValue_WriteChanges(rows, kindColumn());
  }

  @Override
  public IcebergWriteResult expand(PCollection<Change> changes) {
    if (!(changes.getCoder() instanceof ChangeCoder coder)) {
      throw new IllegalArgumentException(
          String.format(
              "Invalid coder of changes: %s (must be a ChangeCoder, which knows their schema)",
              changes.getCoder()));
    }
    if (coder.schema().hasField(kindColumn())) {
      throw new IllegalArgumentException(
          String.format(
              "Invalid kind column: %s (the changes have a column of this name). Choose another with"
                  + " withKindColumn",
              kindColumn()));
    }
    Schema schema =
        Schema.builder().addFields(coder.schema().getFields()).addStringField(kindColumn()).build();
    return changes
        .apply("AddKind", MapElements.via(new AddKindFn(schema)))
        .setRowSchema(schema)
        .apply("WriteRows", rows());
  }

  @Override
  public void populateDisplayData(DisplayData.Builder builder) {
    super.populateDisplayData(builder);
    builder
        .add(DisplayData.item("kindColumn", kindColumn()).withLabel("Column of the change kind"))
        .include("rows", rows());
  }

  /** Appends the kind to the values of a row. */
  private static final class AddKindFn extends SimpleFunction<Change, Row> {
    private final Schema schema;

    AddKindFn(Schema schema) {
      this.schema = schema;
    }

    @Override
    public Row apply(Change change) {
      Object[] values = new Object[schema.getFieldCount()];
      Row row = change.row();
      int last = values.length - 1;
      for (int i = 0; i < last; i++) {
        values[i] = row.getValue(i);
      }
      values[last] = change.kind().symbol();
      return Row.withSchema(schema).attachValues(values);
    }
  }
}
