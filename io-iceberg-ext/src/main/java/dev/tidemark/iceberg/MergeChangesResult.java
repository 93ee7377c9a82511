package dev.tidemark.iceberg;

import com.google.common.collect.ImmutableMap;
import dev.tidemark.merge.MergeResult;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PInput;
import org.apache.beam.sdk.values.POutput;
import org.apache.beam.sdk.values.PValue;
import org.apache.beam.sdk.values.TupleTag;

/** What {@link MergeChanges} gives. */
public final class MergeChangesResult implements POutput {
  private static final TupleTag<MergeResult> MERGES = new TupleTag<>("merges");

  private final Pipeline pipeline;
  private final PCollection<MergeResult> merges;

  MergeChangesResult(Pipeline pipeline, PCollection<MergeResult> merges) {
    this.pipeline = pipeline;
    this.merges = merges;
  }

  /** The merge, once it is committed; {@code Wait.on} it for what has to come after. */
  public PCollection<MergeResult> merges() {
    return merges;
  }

  @Override
  public Pipeline getPipeline() {
    return pipeline;
  }

  @Override
  public Map<TupleTag<?>, PValue> expand() {
    return ImmutableMap.of(MERGES, merges);
  }

  @Override
  public void finishSpecifyingOutput(
      String transformName, PInput input, PTransform<?, ?> transform) {}
}
