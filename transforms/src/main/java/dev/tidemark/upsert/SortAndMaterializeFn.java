package dev.tidemark.upsert;

import com.google.common.collect.Iterables;
import dev.tidemark.candidates.KeyedChanges;
import dev.tidemark.upsert.WaitingChanges.Arrived;
import java.io.IOException;
import java.util.List;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;
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
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * Holds the changes of a shard until the input watermark has passed them, and processes them sorted
 * by a sequence. It sorts and processes in one stage, since a runner that does not keep the order
 * of arrival would not keep that between two.
 */
final class SortAndMaterializeFn extends DoFn<KV<Integer, KeyedChanges>, MaterializedBatch> {
  private static final Instant END_OF_TIME = GlobalWindow.INSTANCE.maxTimestamp();

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

  @StateId("waiting")
  private final StateSpec<BagState<KV<Long, KeyedChanges>>> waitingSpec =
      StateSpecs.bag(KvCoder.of(VarLongCoder.of(), KeyedChangesCoder.of()));

  @StateId("times")
  private final StateSpec<ValueState<WaitingTimes>> timesSpec =
      StateSpecs.value(WaitingTimes.CODER);

  @TimerId("due")
  private final TimerSpec dueSpec = TimerSpecs.timer(TimeDomain.EVENT_TIME);

  private final CandidateSettings settings;
  private final ChangeOrder order;
  private final Counter lateChanges = Metrics.counter(MaterializeUpserts.class, "lateChanges");
  private transient CandidateWorker worker;
  private transient ShardMover mover;

  SortAndMaterializeFn(CandidateSettings settings, ChangeOrder order) {
    this.settings = settings;
    this.order = order;
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
      @StateId("waiting") BagState<KV<Long, KeyedChanges>> waiting,
      @StateId("times") ValueState<WaitingTimes> timesState,
      @TimerId("due") Timer due,
      MultiOutputReceiver out)
      throws IOException {
    ShardCells state = new ShardCells(header, base0, base1, journal0, journal1);
    int shard = settings.keys().shardOf(batch.getKey());
    mover.importIfNew(shard, state, origin);
    WaitingTimes times = timesState.read();
    times = times == null ? WaitingTimes.NONE : times;
    if (batch.getValue().size() == 0) {
      arm(due, times);
      return;
    }
    Arrived arrived = new Arrived(times.nextArrival(), batch.getValue());
    long watermark = due.getCurrentRelativeTime().getMillis();
    WaitingChanges split = WaitingChanges.split(order, List.of(arrived), watermark);
    if (split.dueSize() > 0) {
      lateChanges.inc(split.dueSize());
      process(shard, state, split, out);
    }
    if (split.kept().isEmpty()) {
      armForEnd(due, times);
      return;
    }
    KeyedChanges kept = Iterables.getOnlyElement(split.kept()).changes();
    waiting.add(KV.of(arrived.arrival(), kept));
    times = times.plus(WaitingChanges.oldestMillis(kept), armed(kept));
    timesState.write(times);
    arm(due, times);
  }

  @OnTimer("due")
  public void due(
      @Key Integer key,
      @StateId(ShardCells.HEADER) ValueState<byte[]> header,
      @StateId(ShardCells.BASE_0) BagState<byte[]> base0,
      @StateId(ShardCells.BASE_1) BagState<byte[]> base1,
      @StateId(ShardCells.JOURNAL_0) BagState<byte[]> journal0,
      @StateId(ShardCells.JOURNAL_1) BagState<byte[]> journal1,
      @StateId(ShardCells.ORIGIN) ValueState<String> origin,
      @StateId("waiting") BagState<KV<Long, KeyedChanges>> waiting,
      @StateId("times") ValueState<WaitingTimes> timesState,
      @TimerId("due") Timer due,
      MultiOutputReceiver out)
      throws IOException {
    ShardCells state = new ShardCells(header, base0, base1, journal0, journal1);
    int shard = settings.keys().shardOf(key);
    mover.importIfNew(shard, state, origin);
    Instant watermark = due.getCurrentRelativeTime();
    long dueMillis = watermark.isBefore(END_OF_TIME) ? watermark.getMillis() : Long.MAX_VALUE;
    WaitingChanges split =
        WaitingChanges.split(
            order,
            Iterables.transform(
                waiting.read(), entry -> new Arrived(entry.getKey(), entry.getValue())),
            dueMillis);
    process(shard, state, split, out);
    waiting.clear();
    WaitingTimes before = timesState.read();
    WaitingTimes times =
        WaitingTimes.of(before == null ? 0 : before.nextArrival(), Long.MAX_VALUE, Long.MAX_VALUE);
    for (Arrived kept : split.kept()) {
      waiting.add(KV.of(kept.arrival(), kept.changes()));
      times =
          WaitingTimes.of(
              times.nextArrival(),
              Math.min(times.oldestMillis(), WaitingChanges.oldestMillis(kept.changes())),
              Math.min(times.armedMillis(), armed(kept.changes())));
    }
    timesState.write(times);
    if (!split.kept().isEmpty()) {
      arm(due, times);
    } else if (watermark.isBefore(END_OF_TIME)) {
      armForEnd(due, times);
    } else if (mover.exports()) {
      out.get(KeepAndMove.EXPORTS).output(KV.of(0, mover.export(shard, state)));
    }
  }

  private void process(int shard, ShardCells state, WaitingChanges split, MultiOutputReceiver to) {
    OutputReceiver<MaterializedBatch> out = to.get(KeepAndMove.BATCHES);
    for (KeyedChanges changes : split.dueBatches()) {
      out.outputWithTimestamp(
          worker.process(shard, state, changes),
          Instant.ofEpochMilli(WaitingChanges.oldestMillis(changes)));
    }
  }

  /** When all of a batch will be due: the watermark says what is before it, not what is at it. */
  private static long armed(KeyedChanges changes) {
    return Math.min(WaitingChanges.newestMillis(changes) + 1, END_OF_TIME.getMillis());
  }

  /** Where shards are moved, the timer also says that the input has ended. */
  private void armForEnd(Timer due, WaitingTimes times) {
    if (settings.moves().any()) {
      arm(due, times);
    }
  }

  /** The timer holds back the output watermark until the oldest change that waits. */
  private static void arm(Timer due, WaitingTimes times) {
    Instant output = Instant.ofEpochMilli(Math.min(times.oldestMillis(), END_OF_TIME.getMillis()));
    Instant fires = Instant.ofEpochMilli(Math.min(times.armedMillis(), END_OF_TIME.getMillis()));
    due.withOutputTimestamp(output).set(fires);
  }

  /** The oldest change that waits may be older than the one that arrives. */
  @SuppressWarnings("deprecation") // the only way to say so
  @Override
  public Duration getAllowedTimestampSkew() {
    return Duration.millis(Long.MAX_VALUE);
  }
}
