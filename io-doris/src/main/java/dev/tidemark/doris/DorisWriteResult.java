package dev.tidemark.doris;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PInput;
import org.apache.beam.sdk.values.POutput;
import org.apache.beam.sdk.values.PValue;
import org.apache.beam.sdk.values.TupleTag;

/** What a write to Doris gives. All outputs are emitted at least once. */
public final class DorisWriteResult implements POutput {
  private final Pipeline pipeline;
  private final TupleTag<DorisLoad> loadsTag;
  private final TupleTag<BadRecord> failedTag;
  private final PCollection<DorisLoad> loads;
  private final PCollection<BadRecord> failed;

  DorisWriteResult(
      Pipeline pipeline,
      TupleTag<DorisLoad> loadsTag,
      TupleTag<BadRecord> failedTag,
      PCollection<DorisLoad> loads,
      PCollection<BadRecord> failed) {
    this.pipeline = pipeline;
    this.loadsTag = loadsTag;
    this.failedTag = failedTag;
    this.loads = loads;
    this.failed = failed;
  }

  /** Loads whose rows are in the table; of a two-phase write, when they are committed. */
  public PCollection<DorisLoad> loads() {
    return loads;
  }

  /**
   * Rows that their table cannot hold, with the reason; rows that the server refused, with its
   * reason, if {@link DorisWrite#withRefusedRowsInFailed} says so.
   */
  public PCollection<BadRecord> failed() {
    return failed;
  }

  @Override
  public Pipeline getPipeline() {
    return pipeline;
  }

  @Override
  public Map<TupleTag<?>, PValue> expand() {
    return ImmutableMap.of(loadsTag, loads, failedTag, failed);
  }

  @Override
  public void finishSpecifyingOutput(
      String transformName, PInput input, PTransform<?, ?> transform) {}
}
