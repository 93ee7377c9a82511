package dev.tidemark.doris;

import dev.tidemark.arrow.ArrowAllocators;
import dev.tidemark.streamload.StreamLoadClient;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.KV;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Loads the parts of a bounded input, shard by shard, as the bundle goes. Without checkpoints a
 * repeated bundle may group rows otherwise and load them again, which tables with a unique key
 * bear.
 */
final class LoadGroupFn extends DoFn<KV<ShardKey, Iterable<Part>>, LoadEvent> {
  private final WriteSettings settings;

  /** Tells this run's loads from those of others. */
  private final long epoch;

  private final DorisWriteMetrics metrics = new DorisWriteMetrics();

  private transient @Nullable StreamLoadClient client;
  private transient @Nullable BufferAllocator allocator;
  private transient @Nullable Loader loader;

  LoadGroupFn(WriteSettings settings, long epoch) {
    this.settings = settings;
    this.epoch = epoch;
  }

  @Setup
  public void setup() {
    allocator = ArrowAllocators.child("LoadGroups");
    client = settings.cluster().open();
    AttemptListener attempts = new AttemptListener();
    loader = new Loader(settings, settings.loadProtocol(client, attempts), attempts, allocator);
  }

  @ProcessElement
  public void process(
      @Element KV<ShardKey, Iterable<Part>> element, OutputReceiver<LoadEvent> out) {
    ShardKey shard = element.getKey();
    OpenLoads.Leaving leaving =
        (key, body, sequence, timestampMillis) ->
            loader.load(key, body, sequence).forEach(out::output);
    try (OpenLoads loads =
        new OpenLoads(settings.limits(), settings.rules().sequenceColumn(), allocator)) {
      long sequence = 0;
      for (Part part : element.getValue()) {
        if (!loads.makeRoom(shard, part, leaving)) {
          loads.begin(shard, epoch, ++sequence, 0);
        }
        loads.add(shard, part, 0, leaving);
      }
      loads.releaseAll(leaving);
      metrics.outdoneRows.inc(loads.takeOutdone());
    }
  }

  @Teardown
  public void teardown() {
    if (client != null) {
      client.close();
      client = null;
    }
    if (allocator != null) {
      allocator.close();
      allocator = null;
    }
  }
}
