package dev.tidemark.change;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.RowCoder;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.SerializableFunction;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TupleTagList;

/**
 * Changes as rows, for pipelines that are made of rows: those of Beam YAML and of other languages.
 *
 * <p>The row has the columns of the change's row, and after them
 *
 * <ul>
 *   <li>{@code _kind}, STRING: {@code +I}, {@code -U}, {@code +U} or {@code -D};
 *   <li>{@code _log_position}, a row of {@code lsn} (INT64), {@code step} (STRING) and {@code
 *       order} (INT64), or null: {@link Change#position()};
 *   <li>{@code _unknown_columns}, an array of STRING, or null: {@link Change#unknownColumns()}.
 * </ul>
 *
 * Nothing is lost on the way there and back. Rows that come from elsewhere only need {@code _kind};
 * without the other two, a change has no position and a complete image.
 *
 * <pre>{@code
 * PCollection<Row> rows = changes.apply(ChangeRows.toRows());
 * PCollectionTuple back = rows.apply(ChangeRows.fromRows());
 * PCollection<Change> same = back.get(ChangeRows.CHANGES);
 * }</pre>
 */
public final class ChangeRows {
  /** The column of the kind. */
  public static final String KIND = "_kind";

  /** The column of the position in the source's log. */
  public static final String POSITION = "_log_position";

  /** The column that lists the columns the source did not tell. */
  public static final String UNKNOWN_COLUMNS = "_unknown_columns";

  /** The schema of {@link #POSITION}. */
  static final Schema POSITION_SCHEMA =
      Schema.builder().addInt64Field("lsn").addStringField("step").addInt64Field("order").build();

  /** The changes that {@link #fromRows} makes. */
  public static final TupleTag<Change> CHANGES = new TupleTag<>("changes") {};

  /** Rows that are no changes; encoded by {@link RowCoder} of their schema. */
  public static final TupleTag<BadRecord> FAILED = new TupleTag<>("failed") {};

  private static final ImmutableMap<String, FieldType> COLUMNS =
      ImmutableMap.of(
          KIND,
          FieldType.STRING,
          POSITION,
          FieldType.row(POSITION_SCHEMA).withNullable(true),
          UNKNOWN_COLUMNS,
          FieldType.array(FieldType.STRING).withNullable(true));

  private ChangeRows() {}

  /** Whether rows of a schema are changes: they tell a kind. */
  public static boolean areChanges(Schema schema) {
    return schema.hasField(KIND);
  }

  /**
   * The schema of changes as rows.
   *
   * @throws IllegalArgumentException if their own rows have a column of one of the names
   */
  public static Schema schema(Schema rows) {
    Schema.Builder schema = Schema.builder().addFields(rows.getFields());
    for (Map.Entry<String, FieldType> column : COLUMNS.entrySet()) {
      checkArgument(
          !rows.hasField(column.getKey()),
          "Invalid column: %s (changes as rows have a column of this name). Give it another name",
          column.getKey());
      schema.addField(column.getKey(), column.getValue());
    }
    return schema.build();
  }

  /**
   * The schema of the changes' own rows.
   *
   * @throws IllegalArgumentException if there is no kind, or a column has another type
   */
  public static Schema rowSchema(Schema changes) {
    checkArgument(
        areChanges(changes),
        "Cannot find column %s, which tells the kind of a change (one of +I, -U, +U, -D). The columns"
            + " are %s",
        KIND,
        changes.getFieldNames());
    Schema.Builder schema = Schema.builder();
    for (Schema.Field field : changes.getFields()) {
      FieldType type = COLUMNS.get(field.getName());
      if (type == null) {
        schema.addField(field);
      } else {
        checkArgument(
            field.getType().withNullable(true).typesEqual(type.withNullable(true)),
            "Invalid column %s: of type %s (must be %s)",
            field.getName(),
            field.getType(),
            type);
      }
    }
    return schema.build();
  }

  /** A change as a row of a schema that {@link #fromRows} takes. */
  public static SerializableFunction<Change, Row> asRow(Schema changes) {
    return new ChangeToRow(changes);
  }

  /** Makes rows of changes. Timestamps and windows stay. */
  public static PTransform<PCollection<Change>, PCollection<Row>> toRows() {
    return new ToRows();
  }

  /**
   * Makes {@link #CHANGES} of rows; those that are none go to {@link #FAILED}. Timestamps and
   * windows stay.
   */
  public static PTransform<PCollection<Row>, PCollectionTuple> fromRows() {
    return new FromRows();
  }

  private static final class ToRows extends PTransform<PCollection<Change>, PCollection<Row>> {
    private static final long serialVersionUID = 1L;

    @Override
    public PCollection<Row> expand(PCollection<Change> changes) {
      Coder<Change> coder = changes.getCoder();
      checkArgument(
          coder instanceof ChangeCoder,
          "Invalid coder of changes: %s (must be a ChangeCoder, which knows their schema)",
          coder);
      ChangeToRow function = new ChangeToRow(schema(((ChangeCoder) coder).schema()));
      return changes
          .apply("ToRows", ParDo.of(new ChangesToRowsFn(function)))
          .setRowSchema(function.schema());
    }
  }

  private static final class FromRows extends PTransform<PCollection<Row>, PCollectionTuple> {
    private static final long serialVersionUID = 1L;

    @Override
    public PCollectionTuple expand(PCollection<Row> rows) {
      RowToChange function = new RowToChange(rows.getSchema());
      PCollectionTuple changes =
          rows.apply(
              "FromRows",
              ParDo.of(new RowsToChangesFn(function))
                  .withOutputTags(CHANGES, TupleTagList.of(FAILED)));
      changes.get(CHANGES).setCoder(ChangeCoder.of(function.schema()));
      changes.get(FAILED).setCoder(BadRecord.getCoder(rows.getPipeline()));
      return changes;
    }
  }
}
