package dev.tidemark.examples.benchmarks.doriswrite;

import dev.tidemark.arrow.ChangeBatch;
import dev.tidemark.arrow.ChangeBatchBuilder;
import dev.tidemark.arrow.OpenChangeBatch;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.examples.benchmarks.load.BeamLoad;
import dev.tidemark.examples.benchmarks.load.LoadRow;
import dev.tidemark.examples.benchmarks.load.RegionMeter;
import java.util.Collections;
import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.DoFn;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Makes the n-th batch of rows as a system would that has them in columns: rows are not put
 * together from values. Ids go on from batch to batch, other columns are the same in each.
 */
final class MakeBatchFn extends DoFn<Long, ChangeBatch> {
  private static final int ROWS = 1 << 13;
  private static final List<ChangeKind> INSERTS = Collections.nCopies(ROWS, ChangeKind.INSERT);

  private final Schema schema;
  private transient @Nullable RootAllocator allocator;
  private transient @Nullable OpenChangeBatch batch;

  MakeBatchFn(Schema schema) {
    this.schema = schema;
  }

  @Setup
  public void setup() {
    RootAllocator memory = new RootAllocator();
    allocator = memory;
    LoadRow load = new LoadRow();
    try (ChangeBatchBuilder rows = ChangeBatchBuilder.of(schema, memory)) {
      for (int i = 0; i < ROWS; i++) {
        load.fill(i);
        rows.add(
            ChangeKind.INSERT,
            BeamLoad.row(schema, load, TidemarkDorisPeer.instant(load.eventMicros())));
      }
      batch = rows.build().open(memory);
    }
  }

  @ProcessElement
  public void process(@Element Long number, OutputReceiver<ChangeBatch> output) {
    OpenChangeBatch open = batch;
    if (open == null) {
      throw new IllegalStateException("Cannot make a batch: the function was not set up.");
    }
    BigIntVector ids = (BigIntVector) open.root().getVector("id");
    for (int i = 0; i < ROWS; i++) {
      ids.set(i, number * ROWS + i);
    }
    RegionMeter.rows(ROWS);
    output.output(ChangeBatch.of(INSERTS, open.root()));
  }

  @Teardown
  public void teardown() {
    if (batch != null) {
      batch.close();
    }
    if (allocator != null) {
      allocator.close();
    }
  }
}
