package dev.tidemark.doris;

import com.google.auto.service.AutoService;
import com.google.common.collect.ImmutableList;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.change.ChangeRows;
import dev.tidemark.schematransform.ErrorOutput;
import dev.tidemark.schematransform.SchemaTransformUrns;
import java.util.List;
import org.apache.beam.sdk.coders.RowCoder;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.transforms.SchemaTransform;
import org.apache.beam.sdk.schemas.transforms.SchemaTransformProvider;
import org.apache.beam.sdk.schemas.transforms.TypedSchemaTransformProvider;
import org.apache.beam.sdk.schemas.transforms.providers.ErrorHandling;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionRowTuple;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * {@link DorisWrite} over rows, configured by a row: {@code
 * beam:schematransform:dev.tidemark:doris_write:v1}.
 *
 * <p>Rows with a column {@code _kind} are changes, see {@link ChangeRows}; others are upserts.
 */
@AutoService(SchemaTransformProvider.class)
public final class DorisWriteSchemaTransformProvider
    extends TypedSchemaTransformProvider<DorisWriteConfig> {
  private static final String LOADS = "loads";

  static final Schema LOAD =
      Schema.builder()
          .addStringField("database")
          .addStringField("table")
          .addStringField("label")
          .addInt64Field("transaction_id")
          .addInt64Field("rows")
          .addInt64Field("deletes")
          .addInt64Field("bytes")
          .addInt64Field("duration_millis")
          .addBooleanField("replayed")
          .build();

  @Override
  public String identifier() {
    return SchemaTransformUrns.of("doris_write");
  }

  @Override
  public String description() {
    return "Writes rows, or changes (rows with a column _kind), to a table of Apache Doris as Arrow,"
        + " each once. Output loads tells of each load whose rows are in the table.";
  }

  @Override
  public List<String> inputCollectionNames() {
    return ImmutableList.of("input");
  }

  @Override
  public List<String> outputCollectionNames() {
    return ImmutableList.of(LOADS);
  }

  @Override
  protected SchemaTransform from(DorisWriteConfig config) {
    return new Transform(config.transform(), config.getErrorHandling());
  }

  private static final class Transform extends SchemaTransform {
    private static final long serialVersionUID = 1L;

    private final transient DorisWrite write;
    private final transient @Nullable ErrorHandling errorHandling;

    Transform(DorisWrite write, @Nullable ErrorHandling errorHandling) {
      this.write = write;
      this.errorHandling = errorHandling;
    }

    @Override
    public PCollectionRowTuple expand(PCollectionRowTuple input) {
      PCollection<Row> rows = input.getSinglePCollection();
      Schema schema = rows.getSchema();
      ErrorOutput errors = ErrorOutput.of(errorHandling, schema);
      DorisWriteResult written;
      if (ChangeRows.areChanges(schema)) {
        PCollectionTuple read = rows.apply("Changes", ChangeRows.fromRows());
        written = read.get(ChangeRows.CHANGES).apply("Write", write);
        errors.add("FailedRows", read.get(ChangeRows.FAILED), RowCoder.of(schema), row -> row);
        errors.add(
            "Failed",
            written.failed(),
            ChangeCoder.of(ChangeRows.rowSchema(schema)),
            ChangeRows.asRow(schema));
      } else {
        written = rows.apply("Write", write);
        errors.add("Failed", written.failed(), RowCoder.of(schema), row -> row);
      }
      return errors.addTo(
          PCollectionRowTuple.of(
              LOADS,
              written
                  .loads()
                  .apply("Loads", MapElements.into(TypeDescriptors.rows()).via(load -> row(load)))
                  .setRowSchema(LOAD)));
    }

    private static Row row(DorisLoad load) {
      return Row.withSchema(LOAD)
          .addValues(
              load.database(),
              load.table(),
              load.label(),
              load.transactionId(),
              load.rows(),
              load.deletes(),
              load.bytes(),
              load.durationMillis(),
              load.replayed())
          .build();
    }
  }
}
