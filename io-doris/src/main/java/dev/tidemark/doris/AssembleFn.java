package dev.tidemark.doris;

import dev.tidemark.arrow.ArrowAllocators;
import java.security.SecureRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.state.StateSpec;
import org.apache.beam.sdk.state.StateSpecs;
import org.apache.beam.sdk.state.ValueState;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.values.KV;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * Joins parts of a shard to loads within a bundle.
 *
 * <p>The state holds the epoch, drawn when there is none, which goes into the labels: a pipeline
 * that begins without state numbers its loads from 1 again, and must not take loads of an earlier
 * run for its own.
 */
final class AssembleFn extends DoFn<KV<ShardKey, Part>, KV<ShardKey, LoadBody>> {
  private static final int EPOCH_BITS = 40;

  @StateId("epoch")
  private final StateSpec<ValueState<Long>> epochSpec = StateSpecs.value(VarLongCoder.of());

  private final WriteSettings settings;
  private final DorisWriteMetrics metrics = new DorisWriteMetrics();

  private transient @Nullable BufferAllocator allocator;
  private transient @Nullable OpenLoads loads;

  AssembleFn(WriteSettings settings) {
    this.settings = settings;
  }

  static long drawEpoch() {
    return new SecureRandom().nextLong() >>> (Long.SIZE - EPOCH_BITS);
  }

  @Setup
  public void setup() {
    allocator = ArrowAllocators.child("AssembleLoads");
    loads = new OpenLoads(settings.limits(), settings.rules().sequenceColumn(), allocator);
  }

  @ProcessElement
  public void process(
      @Element KV<ShardKey, Part> element,
      @Timestamp Instant timestamp,
      @StateId("epoch") ValueState<Long> epochState,
      OutputReceiver<KV<ShardKey, LoadBody>> out) {
    OpenLoads.Leaving leaving =
        (shard, body, sequence, timestampMillis) ->
            out.outputWithTimestamp(KV.of(shard, body), Instant.ofEpochMilli(timestampMillis));
    ShardKey shard = element.getKey();
    Part part = element.getValue();
    long nowMillis = settings.clock().millis();
    loads.releaseOld(nowMillis, leaving);
    if (!loads.makeRoom(shard, part, leaving)) {
      Long epoch = epochState.read();
      if (epoch == null) {
        epoch = drawEpoch();
        epochState.write(epoch);
      }
      loads.begin(shard, epoch, 0, nowMillis);
    }
    loads.add(shard, part, timestamp.getMillis(), leaving);
  }

  @FinishBundle
  public void finish(FinishBundleContext context) {
    loads.releaseAll(
        (shard, body, sequence, timestampMillis) ->
            context.output(
                KV.of(shard, body), Instant.ofEpochMilli(timestampMillis), GlobalWindow.INSTANCE));
    metrics.outdoneRows.inc(loads.takeOutdone());
  }

  @Teardown
  public void teardown() {
    if (loads != null) {
      loads.close();
      loads = null;
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
