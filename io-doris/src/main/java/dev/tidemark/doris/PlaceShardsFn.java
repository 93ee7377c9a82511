package dev.tidemark.doris;

import dev.tidemark.runner.BalancedKeys;
import dev.tidemark.runner.KeyGroups;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.KV;

/** Gives the shards of each table keys that the runner spreads evenly over its workers. */
final class PlaceShardsFn extends DoFn<KV<ShardKey, Part>, KV<ShardKey, Part>> {
  private final KeyGroups groups;
  private final int shards;
  private transient Map<DorisTable, BalancedKeys> tables;

  PlaceShardsFn(KeyGroups groups, int shards) {
    this.groups = groups;
    this.shards = shards;
  }

  @Setup
  public void setup() {
    tables = new HashMap<>();
  }

  @ProcessElement
  public void process(@Element KV<ShardKey, Part> element, OutputReceiver<KV<ShardKey, Part>> out) {
    out.output(KV.of(place(element.getKey()), element.getValue()));
  }

  /** The key of a shard with its salt. */
  ShardKey place(ShardKey key) {
    BalancedKeys keys = tables.computeIfAbsent(key.table(), this::balance);
    return ShardKey.of(key.table(), key.shard(), keys.number(key.shard()));
  }

  private BalancedKeys balance(DorisTable table) {
    // The name's hash, as the language defines it, is the same on every machine.
    int turn = (table.database() + "." + table.table()).hashCode();
    return BalancedKeys.perShard(
        groups, shards, turn, (shard, number) -> encode(ShardKey.of(table, shard, number)));
  }

  private static byte[] encode(ShardKey key) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      new ShardKey.ShardKeyCoder().encode(key, bytes);
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
