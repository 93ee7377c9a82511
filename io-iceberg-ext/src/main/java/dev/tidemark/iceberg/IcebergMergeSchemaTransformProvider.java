package dev.tidemark.iceberg;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.service.AutoService;
import com.google.common.collect.ImmutableList;
import dev.tidemark.merge.MergeResult;
import dev.tidemark.schematransform.SchemaTransformUrns;
import java.util.List;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.transforms.SchemaTransform;
import org.apache.beam.sdk.schemas.transforms.SchemaTransformProvider;
import org.apache.beam.sdk.schemas.transforms.TypedSchemaTransformProvider;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.values.PCollectionRowTuple;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.joda.time.Instant;

/**
 * {@link MergeChanges}, configured by a row: {@code
 * beam:schematransform:dev.tidemark:iceberg_merge:v1}. Takes no input; no record can fail, only the
 * merge as a whole.
 */
@AutoService(SchemaTransformProvider.class)
public final class IcebergMergeSchemaTransformProvider
    extends TypedSchemaTransformProvider<IcebergMergeConfig> {
  private static final String MERGES = "merges";

  static final Schema MERGE =
      Schema.builder()
          .addStringField("table")
          .addStringField("status")
          .addNullableInt64Field("snapshot_id")
          .addNullableField("finalized_until", FieldType.DATETIME)
          .addInt64Field("keys")
          .addInt64Field("keys_superseded")
          .addInt64Field("rows_inserted")
          .addInt64Field("rows_deleted")
          .addInt32Field("replans")
          .build();

  @Override
  public String identifier() {
    return SchemaTransformUrns.of("iceberg_merge");
  }

  @Override
  public String description() {
    return "Merges change tables into a base table of Iceberg, once, with their watermark; for batch"
        + " pipelines on a schedule. Takes no input. Output merges tells what was done.";
  }

  @Override
  public List<String> inputCollectionNames() {
    return ImmutableList.of();
  }

  @Override
  public List<String> outputCollectionNames() {
    return ImmutableList.of(MERGES);
  }

  @Override
  protected SchemaTransform from(IcebergMergeConfig config) {
    return new Transform(config.transform());
  }

  private static final class Transform extends SchemaTransform {
    private static final long serialVersionUID = 1L;

    private final transient MergeChanges merge;

    Transform(MergeChanges merge) {
      this.merge = merge;
    }

    @Override
    public PCollectionRowTuple expand(PCollectionRowTuple input) {
      checkArgument(
          input.getAll().isEmpty(),
          "Cannot merge an input: what is merged is in the change tables. Remove the input");
      return PCollectionRowTuple.of(
          MERGES,
          input
              .getPipeline()
              .apply("MergeChanges", merge)
              .merges()
              .apply("Merges", MapElements.into(TypeDescriptors.rows()).via(Transform::row))
              .setRowSchema(MERGE));
    }

    private static Row row(MergeResult merge) {
      Long until = merge.finalizedUntilMillis();
      return Row.withSchema(MERGE)
          .addValues(
              merge.table(),
              merge.status().name(),
              merge.snapshotId(),
              until == null ? null : Instant.ofEpochMilli(until),
              merge.keys(),
              merge.keysSuperseded(),
              merge.rowsInserted(),
              merge.rowsDeleted(),
              merge.replans())
          .build();
    }
  }
}
