package dev.tidemark.upsert;

import dev.tidemark.candidates.KeyedChanges;
import java.io.IOException;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.state.BagState;
import org.apache.beam.sdk.state.StateSpec;
import org.apache.beam.sdk.state.StateSpecs;
import org.apache.beam.sdk.state.TimeDomain;
import org.apache.beam.sdk.state.Timer;
import org.apache.beam.sdk.state.TimerSpec;
import org.apache.beam.sdk.state.TimerSpecs;
import org.apache.beam.sdk.state.ValueState;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.values.KV;

/**
 * Processes the batches of a shard in the order of arrival, as {@link MaterializeFn} does. A shard
 * begins with the state of an export, or is exported at the end of the input, or both.
 */
final class MaterializeAndMoveFn extends DoFn<KV<Integer, KeyedChanges>, MaterializedBatch> {
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

  @StateId(ShardCells.ORIGIN)
  private final StateSpec<ValueState<String>> originSpec = StateSpecs.value(StringUtf8Coder.of());

  @TimerId("end")
  private final TimerSpec endSpec = TimerSpecs.timer(TimeDomain.EVENT_TIME);

  private final CandidateSettings settings;
  private transient CandidateWorker worker;
  private transient ShardMover mover;

  MaterializeAndMoveFn(CandidateSettings settings) {
    this.settings = settings;
  }

  @Setup
  public void setup() {
    worker = CandidateWorker.open(settings);
    mover = ShardMover.of(settings);
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
      @StateId(ShardCells.ORIGIN) ValueState<String> origin,
      @TimerId("end") Timer end,
      MultiOutputReceiver out)
      throws IOException {
    ShardCells state = new ShardCells(header, base0, base1, journal0, journal1);
    int shard = settings.keys().shardOf(batch.getKey());
    mover.importIfNew(shard, state, origin);
    if (batch.getValue().size() > 0) {
      out.get(KeepAndMove.BATCHES).output(worker.process(shard, state, batch.getValue()));
    }
    // Also where nothing is exported now: an attempt that is restored from this one may export.
    end.withOutputTimestamp(GlobalWindow.INSTANCE.maxTimestamp())
        .set(GlobalWindow.INSTANCE.maxTimestamp());
  }

  @OnTimer("end")
  public void end(
      @Key Integer key,
      @StateId(ShardCells.HEADER) ValueState<byte[]> header,
      @StateId(ShardCells.BASE_0) BagState<byte[]> base0,
      @StateId(ShardCells.BASE_1) BagState<byte[]> base1,
      @StateId(ShardCells.JOURNAL_0) BagState<byte[]> journal0,
      @StateId(ShardCells.JOURNAL_1) BagState<byte[]> journal1,
      @StateId(ShardCells.ORIGIN) ValueState<String> origin,
      MultiOutputReceiver out)
      throws IOException {
    if (mover.exports()) {
      ShardCells state = new ShardCells(header, base0, base1, journal0, journal1);
      int shard = settings.keys().shardOf(key);
      mover.importIfNew(shard, state, origin);
      out.get(KeepAndMove.EXPORTS).output(KV.of(0, mover.export(shard, state)));
    }
  }
}
