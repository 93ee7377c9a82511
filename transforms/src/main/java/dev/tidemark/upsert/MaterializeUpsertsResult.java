package dev.tidemark.upsert;

import dev.tidemark.change.Change;
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

/** What {@link MaterializeUpserts} gives: changes by sink key, and changes it cannot process. */
public final class MaterializeUpsertsResult implements POutput {
  private static final TupleTag<Change> CHANGES = new TupleTag<>("changes");

  private final Pipeline pipeline;
  private final PCollectionTuple outputs;

  MaterializeUpsertsResult(PCollection<Change> changes, PCollection<BadRecord> failed) {
    this.pipeline = changes.getPipeline();
    this.outputs = PCollectionTuple.of(CHANGES, changes).and(PackFn.FAILED, failed);
  }

  /**
   * Upserts ({@code +I}, {@code +U}) and deletes ({@code -D}) by sink key, with whole rows. Each
   * has the timestamp and the position of the change that caused it, also where the row is that of
   * an earlier change.
   */
  public PCollection<Change> changes() {
    return outputs.get(CHANGES);
  }

  /**
   * Changes that lack what it takes to process them. The description says why, naming columns,
   * never values; the change is encoded by {@link dev.tidemark.change.ChangeCoder}, so that it can
   * be sent again. What is in there is missing from the candidates of its key.
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
