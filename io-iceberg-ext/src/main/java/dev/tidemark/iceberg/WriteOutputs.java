package dev.tidemark.iceberg;

import java.io.Serializable;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TupleTagList;

/** The tags of a write's outputs. */
record WriteOutputs(
    TupleTag<TableCommit> commits,
    TupleTag<TableAdvance> advances,
    TupleTag<LateData> late,
    TupleTag<BadRecord> failed)
    implements Serializable {

  static WriteOutputs create() {
    return new WriteOutputs(
        new TupleTag<>("commits"),
        new TupleTag<>("advances"),
        new TupleTag<>("late"),
        new TupleTag<>("failed"));
  }

  /** All but the main output, {@link #commits}. */
  TupleTagList others() {
    return TupleTagList.of(advances).and(late).and(failed);
  }
}
