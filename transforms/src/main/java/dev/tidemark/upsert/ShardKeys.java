package dev.tidemark.upsert;

import dev.tidemark.runner.BalancedKeys;
import dev.tidemark.runner.KeyGroups;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys by which a runner keeps the state of shards. They are the numbers of the shards, or
 * others that the runner spreads evenly over its workers.
 */
final class ShardKeys implements Serializable {
  private static final Logger LOG = LoggerFactory.getLogger(ShardKeys.class);

  /** Keys that are the numbers of the shards. */
  static final ShardKeys PLAIN = new ShardKeys(null);

  private final @Nullable BalancedKeys balanced;

  private ShardKeys(@Nullable BalancedKeys balanced) {
    this.balanced = balanced;
  }

  static ShardKeys of(@Nullable KeyGroups groups, int shards) {
    if (groups == null) {
      return PLAIN;
    }
    if (groups.count() % shards != 0) {
      LOG.warn(
          "{} shards do not divide the runner's {} key groups, so that some workers get more of them than"
              + " others. Set the number of key groups, which is --maxParallelism on Flink, to a multiple"
              + " of the shards before the first start",
          shards,
          groups.count());
    }
    return new ShardKeys(BalancedKeys.distinct(groups, shards, (shard, number) -> encode(number)));
  }

  private static byte[] encode(int key) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      VarIntCoder.of().encode(key, bytes);
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int keyOf(int shard) {
    return balanced == null ? shard : balanced.number(shard);
  }

  int shardOf(int key) {
    return balanced == null ? key : balanced.shard(key);
  }

  /** Replaces the numbers of shards by their keys. */
  <T> PCollection<KV<Integer, T>> place(PCollection<KV<Integer, T>> shards) {
    return balanced == null
        ? shards
        : shards.apply("PlaceShards", ParDo.of(new PlaceFn<T>(this))).setCoder(shards.getCoder());
  }

  private static final class PlaceFn<T> extends DoFn<KV<Integer, T>, KV<Integer, T>> {
    private final ShardKeys keys;

    PlaceFn(ShardKeys keys) {
      this.keys = keys;
    }

    @ProcessElement
    public void process(@Element KV<Integer, T> element, OutputReceiver<KV<Integer, T>> out) {
      out.output(KV.of(keys.keyOf(element.getKey()), element.getValue()));
    }
  }
}
