package dev.tidemark.doris;

import dev.tidemark.arrow.ArrowAllocators;
import dev.tidemark.streamload.StreamLoadClient;
import dev.tidemark.streamload.TwoPhaseProtocol;
import java.util.HashSet;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.beam.sdk.state.StateSpec;
import org.apache.beam.sdk.state.StateSpecs;
import org.apache.beam.sdk.state.TimeDomain;
import org.apache.beam.sdk.state.Timer;
import org.apache.beam.sdk.state.TimerSpec;
import org.apache.beam.sdk.state.TimerSpecs;
import org.apache.beam.sdk.state.ValueState;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.TupleTag;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * Joins parts of a shard to loads and pre-commits them within the bundle, so that a checkpoint
 * holds the transactions.
 *
 * <p>Labels carry no content here: the state holds epoch and sequence, which are written when a
 * load begins, since a bundle that ends cannot reach the state. What a failed run left open after
 * the restored sequence is aborted at the shard's first sign of life: an element, or a timer, for a
 * shard that gets no more elements.
 */
final class PreCommitFn extends DoFn<KV<ShardKey, Part>, KV<ShardKey, PreCommittedLoad>> {
  /** A request of a killed run may arrive after the first look. */
  private static final Duration LOOK_AGAIN = Duration.standardMinutes(1);

  private static final Instant END_OF_TIME = GlobalWindow.INSTANCE.maxTimestamp();

  @StateId("place")
  private final StateSpec<ValueState<ShardPlace>> placeSpec =
      StateSpecs.value(new ShardPlace.ShardPlaceCoder());

  @TimerId("look")
  private final TimerSpec lookSpec = TimerSpecs.timer(TimeDomain.PROCESSING_TIME);

  /** There to read the input watermark, and to stop looking at the end of the input. */
  @TimerId("end")
  private final TimerSpec endSpec = TimerSpecs.timer(TimeDomain.EVENT_TIME);

  private final WriteSettings settings;
  private final TupleTag<KV<ShardKey, PreCommittedLoad>> transactions;
  private final TupleTag<BadRecord> failed;
  private final DorisWriteMetrics metrics = new DorisWriteMetrics();

  private transient @Nullable StreamLoadClient client;
  private transient @Nullable BufferAllocator allocator;
  private transient @Nullable AttemptListener attempts;
  private transient @Nullable TwoPhaseProtocol protocol;
  private transient @Nullable PreCommitter preCommitter;
  private transient @Nullable OpenLoads loads;

  /** Shards whose left-overs this instance has aborted. */
  private transient @Nullable Set<ShardKey> known;

  PreCommitFn(
      WriteSettings settings,
      TupleTag<KV<ShardKey, PreCommittedLoad>> transactions,
      TupleTag<BadRecord> failed) {
    this.settings = settings;
    this.transactions = transactions;
    this.failed = failed;
  }

  @Setup
  public void setup() {
    allocator = ArrowAllocators.child("PreCommitLoads");
    client = settings.cluster().open();
    attempts = new AttemptListener();
    protocol = settings.twoPhaseProtocol(client, attempts);
    preCommitter = new PreCommitter(settings, protocol, allocator);
    loads = new OpenLoads(settings.limits(), settings.rules().sequenceColumn(), allocator);
    known = new HashSet<>();
  }

  @ProcessElement
  public void process(
      @Element KV<ShardKey, Part> element,
      @Timestamp Instant timestamp,
      @StateId("place") ValueState<ShardPlace> placeState,
      @TimerId("look") Timer look,
      @TimerId("end") Timer end,
      MultiOutputReceiver out) {
    OpenLoads.Leaving leaving =
        (shard, body, sequence, timestampMillis) -> {
          PreCommitter.Result result = preCommit(shard, body, sequence);
          if (result.load() != null) {
            out.get(transactions)
                .outputWithTimestamp(
                    KV.of(shard, result.load()), Instant.ofEpochMilli(timestampMillis));
          }
          result.refused().forEach(out.get(failed)::output);
        };
    ShardKey shard = element.getKey();
    Part part = element.getValue();
    long nowMillis = settings.clock().millis();
    loads.releaseOld(nowMillis, leaving);
    if (!loads.makeRoom(shard, part, leaving)) {
      ShardPlace place = placeState.read();
      if (known.add(shard)) {
        place = arrive(shard, place);
        end.set(END_OF_TIME);
        arm(look, timestamp, end.getCurrentRelativeTime());
      }
      placeState.write(ShardPlace.of(place.epoch(), place.next() + 1));
      loads.begin(shard, place.epoch(), place.next(), nowMillis);
    }
    loads.add(shard, part, timestamp.getMillis(), leaving);
  }

  @OnTimer("look")
  public void look(
      @Key ShardKey shard,
      @StateId("place") ValueState<ShardPlace> placeState,
      @TimerId("end") Timer end) {
    ShardPlace place = placeState.read();
    if (place != null && end.getCurrentRelativeTime().isBefore(END_OF_TIME)) {
      arrive(shard, place);
      known.add(shard);
      metrics.count(attempts.take());
    }
  }

  @OnTimer("end")
  public void end(@TimerId("look") Timer look) {
    look.clear();
  }

  /** The output timestamp follows the watermark, so that the timer does not hold it back. */
  private static void arm(Timer look, Instant timestamp, Instant inputWatermark) {
    Instant output = inputWatermark.isAfter(timestamp) ? inputWatermark : timestamp;
    look.offset(LOOK_AGAIN)
        .withOutputTimestamp(output.isAfter(END_OF_TIME) ? END_OF_TIME : output)
        .setRelative();
  }

  /** Aborts what an earlier run left open. */
  private ShardPlace arrive(ShardKey shard, @Nullable ShardPlace place) {
    String database = shard.table().database();
    String table = shard.table().table();
    if (place == null) {
      return ShardPlace.of(protocol.startEpoch(database, table, shard.shard()), 1);
    }
    protocol.abortLeftOvers(database, table, place.epoch(), shard.shard(), place.next());
    return place;
  }

  private PreCommitter.Result preCommit(ShardKey shard, LoadBody body, long sequence) {
    PreCommitter.Result result = preCommitter.preCommit(shard, body, sequence);
    metrics.preCommits.inc();
    metrics.refusedRows.inc(result.refused().size());
    metrics.count(attempts.take());
    return result;
  }

  @FinishBundle
  public void finish(FinishBundleContext context) {
    loads.releaseAll(
        (shard, body, sequence, timestampMillis) -> {
          PreCommitter.Result result = preCommit(shard, body, sequence);
          Instant timestamp = Instant.ofEpochMilli(timestampMillis);
          if (result.load() != null) {
            context.output(
                transactions, KV.of(shard, result.load()), timestamp, GlobalWindow.INSTANCE);
          }
          result
              .refused()
              .forEach(row -> context.output(failed, row, timestamp, GlobalWindow.INSTANCE));
        });
    metrics.outdoneRows.inc(loads.takeOutdone());
  }

  @Teardown
  public void teardown() {
    if (loads != null) {
      loads.close();
      loads = null;
    }
    if (client != null) {
      client.close();
      client = null;
    }
    if (allocator != null) {
      allocator.close();
      allocator = null;
    }
  }

  /** A load has the timestamp of its oldest row; see {@link PackFn#getAllowedTimestampSkew}. */
  @SuppressWarnings("deprecation") // the only way to say so
  @Override
  public Duration getAllowedTimestampSkew() {
    return Duration.millis(Long.MAX_VALUE);
  }
}
