package dev.tidemark.iceberg;

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

/** What a write to Iceberg tables gives. All outputs are emitted at least once. */
public final class IcebergWriteResult implements POutput {
  private final Pipeline pipeline;
  private final WriteOutputs outputs;
  private final PCollection<TableCommit> commits;
  private final PCollection<TableAdvance> advances;
  private final PCollection<LateData> late;
  private final PCollection<BadRecord> failed;

  IcebergWriteResult(
      Pipeline pipeline,
      WriteOutputs outputs,
      PCollection<TableCommit> commits,
      PCollection<TableAdvance> advances,
      PCollection<LateData> late,
      PCollection<BadRecord> failed) {
    this.pipeline = pipeline;
    this.outputs = outputs;
    this.commits = commits;
    this.advances = advances;
    this.late = late;
    this.failed = failed;
  }

  /** Snapshots that hold rows of this write. */
  public PCollection<TableCommit> commits() {
    return commits;
  }

  /** Moves of finalization watermarks; empty without {@link WriteRows#withFinalization}. */
  public PCollection<TableAdvance> advances() {
    return advances;
  }

  /** Late data; empty without {@link WriteRows#withFinalization}. */
  public PCollection<LateData> late() {
    return late;
  }

  /**
   * Rows that their table cannot hold, with the reason; results of tables that were parked, and
   * files that no table refers to, by name.
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
    return ImmutableMap.of(
        outputs.commits(),
        commits,
        outputs.advances(),
        advances,
        outputs.late(),
        late,
        outputs.failed(),
        failed);
  }

  @Override
  public void finishSpecifyingOutput(
      String transformName, PInput input, PTransform<?, ?> transform) {}
}
