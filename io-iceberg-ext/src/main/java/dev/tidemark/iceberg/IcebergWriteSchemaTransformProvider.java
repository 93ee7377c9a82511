package dev.tidemark.iceberg;

import com.google.auto.service.AutoService;
import com.google.common.collect.ImmutableList;
import dev.tidemark.change.ChangeRows;
import dev.tidemark.schematransform.ErrorOutput;
import dev.tidemark.schematransform.SchemaTransformUrns;
import java.util.List;
import org.apache.beam.sdk.coders.RowCoder;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.transforms.SchemaTransform;
import org.apache.beam.sdk.schemas.transforms.SchemaTransformProvider;
import org.apache.beam.sdk.schemas.transforms.TypedSchemaTransformProvider;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.SerializableFunction;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionRowTuple;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TypeDescriptors;

/**
 * {@link WriteRows} and {@link WriteChanges}, configured by a row: {@code
 * beam:schematransform:dev.tidemark:iceberg_write:v1}.
 *
 * <p>Rows with a column {@code _kind} are changes, see {@link ChangeRows}.
 */
@AutoService(SchemaTransformProvider.class)
public final class IcebergWriteSchemaTransformProvider
    extends TypedSchemaTransformProvider<IcebergWriteConfig> {
  private static final String COMMITS = "commits";
  private static final String ADVANCES = "advances";
  private static final String LATE = "late";

  @Override
  public String identifier() {
    return SchemaTransformUrns.of("iceberg_write");
  }

  @Override
  public String description() {
    return "Appends rows, or changes (rows with a column _kind), to Iceberg tables, exactly once, and"
        + " keeps each table's finalization watermark. Outputs: commits (snapshots made), advances"
        + " (moves of a watermark) and late (late data).";
  }

  @Override
  public List<String> inputCollectionNames() {
    return ImmutableList.of("input");
  }

  @Override
  public List<String> outputCollectionNames() {
    return ImmutableList.of(COMMITS, ADVANCES, LATE);
  }

  @Override
  protected SchemaTransform from(IcebergWriteConfig config) {
    return new Transform(config);
  }

  private static final class Transform extends SchemaTransform {
    private static final long serialVersionUID = 1L;

    private final transient IcebergWriteConfig config;
    private final transient WriteRows rows;
    private final transient WriteChanges changes;

    Transform(IcebergWriteConfig config) {
      this.config = config;
      this.rows = config.transform();
      this.changes = config.changes(rows);
    }

    @Override
    public PCollectionRowTuple expand(PCollectionRowTuple input) {
      PCollection<Row> given = input.getSinglePCollection();
      return ChangeRows.areChanges(given.getSchema()) ? writeChanges(given) : writeRows(given);
    }

    private PCollectionRowTuple writeRows(PCollection<Row> given) {
      Schema schema = given.getSchema();
      checkTemplate(schema);
      IcebergWriteResult written = given.apply("WriteRows", rows);
      ErrorOutput errors = ErrorOutput.of(config.getErrorHandling(), schema);
      errors.add("Failed", written.failed(), RowCoder.of(schema), row -> row);
      return errors.addTo(outputs(written));
    }

    private PCollectionRowTuple writeChanges(PCollection<Row> given) {
      Schema schema = given.getSchema();
      Schema columns = ChangeRows.rowSchema(schema);
      PCollectionTuple read = given.apply("Changes", ChangeRows.fromRows());
      // As the table would have it; the kind of what is no change may be missing.
      Schema logged =
          Schema.builder()
              .addFields(columns.getFields())
              .addNullableStringField(changes.kindColumn())
              .build();
      Schema table =
          Schema.builder()
              .addFields(columns.getFields())
              .addField(changes.kindColumn(), FieldType.STRING)
              .build();
      checkTemplate(table);
      IcebergWriteResult written = read.get(ChangeRows.CHANGES).apply("WriteChanges", changes);
      ErrorOutput errors = ErrorOutput.of(config.getErrorHandling(), logged);
      errors.add(
          "FailedRows",
          read.get(ChangeRows.FAILED),
          RowCoder.of(schema),
          row -> logged(logged, row));
      errors.add(
          "Failed",
          written.failed(),
          RowCoder.of(table),
          row -> Row.withSchema(logged).attachValues(row.getValues()));
      return errors.addTo(outputs(written));
    }

    private void checkTemplate(Schema schema) {
      if (rows.destinations() instanceof TemplateDestinations template) {
        template.check(schema);
      }
    }

    private static Row logged(Schema schema, Row row) {
      Row.Builder logged = Row.withSchema(schema);
      int kind = schema.getFieldCount() - 1;
      for (int i = 0; i < kind; i++) {
        logged.addValue(row.getValue(schema.getField(i).getName()));
      }
      return logged.addValue(row.getString(ChangeRows.KIND)).build();
    }

    private static PCollectionRowTuple outputs(IcebergWriteResult written) {
      return PCollectionRowTuple.of(
          COMMITS,
          rows("Commits", written.commits(), ResultRows.COMMIT, ResultRows::commit),
          ADVANCES,
          rows("Advances", written.advances(), ResultRows.ADVANCE, ResultRows::advance),
          LATE,
          rows("Late", written.late(), ResultRows.LATE, ResultRows::late));
    }

    private static <T> PCollection<Row> rows(
        String name, PCollection<T> elements, Schema schema, SerializableFunction<T, Row> row) {
      return elements
          .apply(name, MapElements.into(TypeDescriptors.rows()).via(row))
          .setRowSchema(schema);
    }
  }
}
