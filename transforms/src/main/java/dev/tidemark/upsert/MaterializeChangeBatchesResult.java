package dev.tidemark.upsert;

import dev.tidemark.arrow.ChangeBatch;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.PInput;
import org.apache.beam.sdk.values.POutput;
import org.apache.beam.sdk.values.PValue;
import org.apache.beam.sdk.values.TupleTag;

/** What {@link MaterializeChangeBatches} gives: batches by sink key, and changes that failed. */
public final class MaterializeChangeBatchesResult implements POutput {
  private static final TupleTag<ChangeBatch> BATCHES = new TupleTag<>("batches");

  private final Pipeline pipeline;
  private final PCollectionTuple outputs;

  MaterializeChangeBatchesResult(PCollection<ChangeBatch> batches, PCollection<BadRecord> failed) {
    this.pipeline = batches.getPipeline();
    this.outputs = PCollectionTuple.of(BATCHES, batches).and(PackFn.FAILED, failed);
  }

  /**
   * Upserts ({@code +I}, {@code +U}) and deletes ({@code -D}) by sink key, with whole rows. Each
   * has the timestamp and the position of the change that caused it. All changes of a batch are of
   * keys of one shard, in the order of processing.
   */
  public PCollection<ChangeBatch> batches() {
    return outputs.get(BATCHES);
  }

  /**
   * Changes that lack what it takes to process them, as {@link MaterializeUpsertsResult#failed}.
   */
  public PCollection<BadRecord> failed() {
    return outputs.get(PackFn.FAILED);
  }

  @Override
  public Pipeline getPipeline() {
    return pipeline;
  }

  @Override
  public Map<TupleTag<?>, PValue> expand() {
    return outputs.expand();
  }

  @Override
  public void finishSpecifyingOutput(
      String transformName, PInput input, PTransform<?, ?> transform) {}
}
