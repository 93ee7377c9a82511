package dev.tidemark.upsert;

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
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionRowTuple;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * {@link MaterializeUpserts} over rows of {@link ChangeRows}, configured by a row: {@code
 * beam:schematransform:dev.tidemark:materialize_upserts:v1}.
 */
@AutoService(SchemaTransformProvider.class)
public final class MaterializeUpsertsSchemaTransformProvider
    extends TypedSchemaTransformProvider<MaterializeUpsertsConfig> {
  private static final String OUTPUT = "output";

  @Override
  public String identifier() {
    return SchemaTransformUrns.of("materialize_upserts");
  }

  @Override
  public String description() {
    return "Turns a changelog with retractions into upserts (+I, +U) and deletes (-D) by the key of a"
        + " sink. Rows in and out have the kind of the change in column _kind.";
  }

  @Override
  public List<String> inputCollectionNames() {
    return ImmutableList.of("input");
  }

  @Override
  public List<String> outputCollectionNames() {
    return ImmutableList.of(OUTPUT);
  }

  @Override
  protected SchemaTransform from(MaterializeUpsertsConfig config) {
    MaterializeUpserts upserts = config.transform();
    upserts.check();
    return new Transform(upserts, config.getErrorHandling());
  }

  private static final class Transform extends SchemaTransform {
    private static final long serialVersionUID = 1L;

    private final transient MaterializeUpserts upserts;
    private final transient @Nullable ErrorHandling errorHandling;

    Transform(MaterializeUpserts upserts, @Nullable ErrorHandling errorHandling) {
      this.upserts = upserts;
      this.errorHandling = errorHandling;
    }

    @Override
    public PCollectionRowTuple expand(PCollectionRowTuple input) {
      PCollection<Row> rows = input.getSinglePCollection();
      Schema schema = rows.getSchema();
      ErrorOutput errors = ErrorOutput.of(errorHandling, schema);
      PCollectionTuple changes = rows.apply("Changes", ChangeRows.fromRows());
      MaterializeUpsertsResult upserted =
          changes.get(ChangeRows.CHANGES).apply("MaterializeUpserts", upserts);
      errors.add("FailedRows", changes.get(ChangeRows.FAILED), RowCoder.of(schema), row -> row);
      errors.add(
          "FailedChanges",
          upserted.failed(),
          ChangeCoder.of(ChangeRows.rowSchema(schema)),
          ChangeRows.asRow(schema));
      return errors.addTo(
          PCollectionRowTuple.of(OUTPUT, upserted.changes().apply("Rows", ChangeRows.toRows())));
    }
  }
}
