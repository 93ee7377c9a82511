package dev.tidemark.upsert;

import dev.tidemark.candidates.KeyedChanges;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.KV;

/**
 * Sends a batch without changes to each shard before the first batch of each attempt, so that no
 * shard stays without what is to be done once for each, however few changes there are.
 */
final class SeedShardsFn extends DoFn<KV<Integer, KeyedChanges>, KV<Integer, KeyedChanges>> {
  private final int shards;
  private transient boolean done;

  SeedShardsFn(int shards) {
    this.shards = shards;
  }

  @ProcessElement
  public void process(
      @Element KV<Integer, KeyedChanges> batch, OutputReceiver<KV<Integer, KeyedChanges>> out) {
    if (!done) {
      for (int shard = 0; shard < shards; shard++) {
        out.output(KV.of(shard, KeyedChanges.builder().build()));
      }
      done = true;
    }
    out.output(batch);
  }
}
