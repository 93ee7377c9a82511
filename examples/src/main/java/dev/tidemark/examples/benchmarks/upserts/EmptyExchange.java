package dev.tidemark.examples.benchmarks.upserts;

import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.ListCoder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.state.StateSpec;
import org.apache.beam.sdk.state.StateSpecs;
import org.apache.beam.sdk.state.ValueState;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.joda.time.Instant;

/**
 * What a pipeline does around upserts, and no upserts: batches of a shard, the exchange by shard, a
 * function with a cell of state that is written once for each batch, and changes one by one again.
 * Changes are brought into bytes and back by Beam's coders.
 */
final class EmptyExchange extends PTransform<PCollection<Change>, PCollection<Change>> {
  private static final int BATCH_ROWS = 1_000;

  private final int shards;

  EmptyExchange(int shards) {
    this.shards = shards;
  }

  @Override
  public PCollection<Change> expand(PCollection<Change> input) {
    ChangeCoder changes = ChangeCoder.of(ChangeSource.SCHEMA);
    return input
        .apply("Pack", ParDo.of(new PackFn(shards)))
        .setCoder(KvCoder.of(VarIntCoder.of(), ListCoder.of(changes)))
        .apply("Pass", ParDo.of(new PassFn()))
        .setCoder(changes);
  }

  private static final class PackFn extends DoFn<Change, KV<Integer, List<Change>>> {
    private final int shards;
    private transient List<List<Change>> open;

    PackFn(int shards) {
      this.shards = shards;
    }

    @StartBundle
    public void start() {
      open = new ArrayList<>();
      for (int i = 0; i < shards; i++) {
        open.add(new ArrayList<>());
      }
    }

    @ProcessElement
    public void process(@Element Change change, OutputReceiver<KV<Integer, List<Change>>> batches) {
      Integer key = change.row().getInt32("key");
      int shard = Math.floorMod(Integer.hashCode(key), shards);
      List<Change> batch = open.get(shard);
      batch.add(change);
      if (batch.size() == BATCH_ROWS) {
        open.set(shard, new ArrayList<>());
        batches.output(KV.of(shard, batch));
      }
    }

    @FinishBundle
    public void finish(FinishBundleContext context) {
      for (int shard = 0; shard < shards; shard++) {
        if (!open.get(shard).isEmpty()) {
          context.output(KV.of(shard, open.get(shard)), Instant.EPOCH, GlobalWindow.INSTANCE);
        }
      }
    }
  }

  private static final class PassFn extends DoFn<KV<Integer, List<Change>>, Change> {
    @StateId("rows")
    private final StateSpec<ValueState<Long>> rowsSpec = StateSpecs.value(VarLongCoder.of());

    @ProcessElement
    public void process(
        @Element KV<Integer, List<Change>> batch,
        @StateId("rows") ValueState<Long> rows,
        OutputReceiver<Change> changes) {
      Long before = rows.read();
      rows.write((before == null ? 0 : before) + batch.getValue().size());
      batch.getValue().forEach(changes::output);
    }
  }
}
