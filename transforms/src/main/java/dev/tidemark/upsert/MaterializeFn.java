package dev.tidemark.upsert;

import dev.tidemark.candidates.KeyedChanges;
import org.apache.beam.sdk.state.BagState;
import org.apache.beam.sdk.state.StateSpec;
import org.apache.beam.sdk.state.ValueState;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.KV;

/** Processes the batches of a shard in the order of arrival. */
final class MaterializeFn extends DoFn<KV<Integer, KeyedChanges>, MaterializedBatch> {
  @StateId(ShardCells.HEADER)
  private final StateSpec<ValueState<byte[]>> headerSpec = ShardCells.value();

  @StateId(ShardCells.BASE_0)
  private final StateSpec<BagState<byte[]>> base0Spec = ShardCells.bag();

  @StateId(ShardCells.BASE_1)
  private final StateSpec<BagState<byte[]>> base1Spec = ShardCells.bag();

  @StateId(ShardCells.JOURNAL_0)
  private final StateSpec<BagState<byte[]>> journal0Spec = ShardCells.bag();

  @StateId(ShardCells.JOURNAL_1)
  private final StateSpec<BagState<byte[]>> journal1Spec = ShardCells.bag();

  private final CandidateSettings settings;
  private transient CandidateWorker worker;

  MaterializeFn(CandidateSettings settings) {
    this.settings = settings;
  }

  @Setup
  public void setup() {
    worker = CandidateWorker.open(settings);
  }

  @Teardown
  public void teardown() {
    if (worker != null) {
      worker.close();
    }
  }

  @ProcessElement
  public void process(
      @Element KV<Integer, KeyedChanges> batch,
      @StateId(ShardCells.HEADER) ValueState<byte[]> header,
      @StateId(ShardCells.BASE_0) BagState<byte[]> base0,
      @StateId(ShardCells.BASE_1) BagState<byte[]> base1,
      @StateId(ShardCells.JOURNAL_0) BagState<byte[]> journal0,
      @StateId(ShardCells.JOURNAL_1) BagState<byte[]> journal1,
      OutputReceiver<MaterializedBatch> out) {
    ShardCells state = new ShardCells(header, base0, base1, journal0, journal1);
    out.output(worker.process(settings.keys().shardOf(batch.getKey()), state, batch.getValue()));
  }
}
