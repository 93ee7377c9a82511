package dev.tidemark.upsert;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import dev.tidemark.arrow.ChangeBatch;
import dev.tidemark.arrow.ChangeBatchCoder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.transforms.errorhandling.ErrorHandler;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.TupleTagList;

/**
 * {@link MaterializeUpserts} on {@link ChangeBatch}es: batches in, batches out, made by {@link
 * MaterializeUpserts#onBatches}.
 *
 * <pre>{@code
 * PCollection<ChangeBatch> upserts =
 *     batches
 *         .apply(
 *             MaterializeUpserts.create()
 *                 .withSinkKey("customer_id")
 *                 .withUpsertKey("customer_id", "order_id")
 *                 .onBatches(schema))
 *         .batches();
 * }</pre>
 *
 * <p>The result is that of the same changes one by one. A row that is emitted as it came is copied
 * from its columns and never decoded; where a batch of one shard comes out with all of its rows,
 * its bytes are those that came in. Only a row that comes up again because a later one was taken
 * back is decoded, from the bytes that were kept.
 */
@AutoValue
public abstract class MaterializeChangeBatches
    extends PTransform<PCollection<ChangeBatch>, MaterializeChangeBatchesResult> {
  MaterializeChangeBatches() {}

  abstract MaterializeUpserts upserts();

  abstract Schema schema();

  static MaterializeChangeBatches of(MaterializeUpserts upserts, Schema schema) {
    checkArgument(
        !upserts.order().sorts(),
        "Cannot order change batches by %s: their changes are processed as they arrive. Remove the"
            + " order, or materialize single changes",
        upserts.order());
    checkArgument(
        !upserts.moves().any(),
        "Cannot export state or begin with an export where change batches are materialized. Remove"
            + " withInitialState and withExport, or materialize single changes: their state is the"
            + " same, and a pipeline of single changes can move it");
    return new AutoValue_MaterializeChangeBatches(upserts, schema);
  }

  @Override
  public MaterializeChangeBatchesResult expand(PCollection<ChangeBatch> input) {
    upserts().check();
    MaterializeBatches.checkWindows(input);
    UpsertEncodings encodings = upserts().encodings(schema());
    PCollectionTuple outputs =
        upserts().insertOnly() ? passInserts(input, encodings) : pack(input, encodings);
    PCollection<BadRecord> failed = outputs.get(PackFn.FAILED);
    failed.setCoder(BadRecord.getCoder(failed.getPipeline()));
    ErrorHandler<BadRecord, ?> handler = upserts().badRecordErrorHandler();
    if (handler != null) {
      handler.addErrorCollection(failed);
    }
    PCollection<ChangeBatch> batches =
        upserts().insertOnly()
            ? outputs.get(InsertOnlyColumnsFn.INSERTS)
            : keep(outputs, encodings);
    return new MaterializeChangeBatchesResult(batches.setCoder(ChangeBatchCoder.of()), failed);
  }

  private static PCollectionTuple passInserts(
      PCollection<ChangeBatch> input, UpsertEncodings encodings) {
    return input.apply(
        "PassInserts",
        ParDo.of(new InsertOnlyColumnsFn(encodings))
            .withOutputTags(InsertOnlyColumnsFn.INSERTS, TupleTagList.of(PackFn.FAILED)));
  }

  private PCollectionTuple pack(PCollection<ChangeBatch> input, UpsertEncodings encodings) {
    upserts().warnWithoutUpsertKey();
    PackColumnsFn pack =
        new PackColumnsFn(
            encodings, upserts().shards(), upserts().batchLimits(), upserts().clock());
    return input.apply(
        "PackByShard",
        ParDo.of(pack).withOutputTags(PackColumnsFn.BATCHES, TupleTagList.of(PackFn.FAILED)));
  }

  private PCollection<ChangeBatch> keep(PCollectionTuple packed, UpsertEncodings encodings) {
    PCollection<KV<Integer, ChangeBatch>> batches =
        packed
            .get(PackColumnsFn.BATCHES)
            .setCoder(KvCoder.of(VarIntCoder.of(), ChangeBatchCoder.of()));
    CandidateSettings settings = upserts().settings(encodings).on(batches);
    return settings
        .keys()
        .place(batches)
        .apply(
            "KeepCandidates(" + upserts().keys() + ")",
            ParDo.of(new MaterializeColumnsFn(settings, encodings)));
  }

  @Override
  public void validate(PipelineOptions options) {
    upserts().validate(options);
  }

  @Override
  protected String getKindString() {
    return upserts().getKindString();
  }

  @Override
  public void populateDisplayData(DisplayData.Builder builder) {
    super.populateDisplayData(builder);
    upserts().populateDisplayData(builder);
  }
}
