package dev.tidemark.upsert;

import dev.tidemark.arrow.ArrowAllocators;
import dev.tidemark.arrow.ChangeBatch;
import dev.tidemark.arrow.ChangeBatchGather;
import dev.tidemark.arrow.OpenChangeBatch;
import dev.tidemark.change.ChangeKind;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.TupleTag;

/** Passes batches of inserts as they are; of others the inserts, the rest fails. */
final class InsertOnlyColumnsFn extends DoFn<ChangeBatch, ChangeBatch> {
  static final TupleTag<ChangeBatch> INSERTS = new TupleTag<>("inserts");

  private final UpsertEncodings encodings;
  private final PackMetrics metrics = new PackMetrics();

  InsertOnlyColumnsFn(UpsertEncodings encodings) {
    this.encodings = encodings;
  }

  @ProcessElement
  public void process(@Element ChangeBatch batch, MultiOutputReceiver out) throws IOException {
    if (batch.isAll(ChangeKind.INSERT)) {
      out.get(INSERTS).output(batch);
      return;
    }
    try (BufferAllocator allocator = ArrowAllocators.child("PassInserts");
        OpenChangeBatch open = batch.open(allocator)) {
      ChangeBatchGather inserts = new ChangeBatchGather();
      for (int row = 0; row < batch.rows(); row++) {
        if (batch.kind(row) == ChangeKind.INSERT) {
          inserts.add(open, row);
        } else {
          metrics.failedChanges.inc();
          String problem = InsertOnlyFn.problem(batch.kind(row));
          out.get(PackFn.FAILED).output(PackColumnsFn.failed(encodings, open, row, problem));
        }
      }
      if (inserts.rows() > 0) {
        out.get(INSERTS).output(inserts.build(allocator));
      }
    }
  }
}
