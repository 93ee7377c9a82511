package dev.tidemark.doris;

import dev.tidemark.arrow.ArrowAllocators;
import dev.tidemark.once.Batch;
import dev.tidemark.once.Effect;
import dev.tidemark.once.Numbered;
import dev.tidemark.once.Outcome;
import dev.tidemark.streamload.LoadException;
import dev.tidemark.streamload.StreamLoadClient;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.beam.sdk.options.PipelineOptions;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Loads what a completed checkpoint holds, in the order of each shard. */
final class LoadEffect implements Effect<ShardKey, LoadBody, LoadEvent> {
  private static final long serialVersionUID = 1;

  private final WriteSettings settings;

  private transient @Nullable StreamLoadClient client;
  private transient @Nullable BufferAllocator allocator;
  private transient @Nullable Loader loader;
  private transient @Nullable EffectDelays delays;

  LoadEffect(WriteSettings settings) {
    this.settings = settings;
  }

  @Override
  public void setup(PipelineOptions options) {
    allocator = ArrowAllocators.child("Loads");
    client = settings.cluster().open();
    AttemptListener attempts = new AttemptListener();
    loader = new Loader(settings, settings.loadProtocol(client, attempts), attempts, allocator);
    delays = new EffectDelays();
  }

  @Override
  public Outcome<LoadEvent> perform(ShardKey shard, Batch<LoadBody> batch) {
    List<LoadEvent> events = new ArrayList<>();
    for (Numbered<LoadBody> numbered : batch.elements()) {
      try {
        events.addAll(loader.load(shard, numbered.element(), numbered.sequence()));
      } catch (LoadException e) {
        // What was loaded is found done at the next try, and reported then.
        return delays.failed(shard, e);
      }
    }
    delays.succeeded(shard);
    return Outcome.done(events);
  }

  @Override
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
