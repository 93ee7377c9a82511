package dev.tidemark.doris;

import com.google.common.collect.ImmutableList;
import dev.tidemark.runner.BalancedKeys;
import dev.tidemark.runner.KeyGroups;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * How many shards each table has, and how they spread.
 *
 * @param groups the groups into which the runner hashes their keys; null if they are not known, and
 *     the shards spread by chance
 */
record Shards(int count, @Nullable KeyGroups groups) implements Serializable {
  /** Shards whose keys have no salt. */
  static Shards of(int count) {
    return new Shards(count, null);
  }

  /** The keys of a table's shards, which the runner spreads evenly over its workers. */
  ImmutableList<ShardKey> keysOf(DorisTable table) {
    if (groups == null) {
      return keys(table, shard -> 0);
    }
    // The name's hash, as the language defines it, is the same on every machine.
    int turn = (table.database() + "." + table.table()).hashCode();
    BalancedKeys salts =
        BalancedKeys.perShard(
            groups, count, turn, (shard, salt) -> encode(ShardKey.of(table, shard, salt)));
    return keys(table, salts::number);
  }

  private ImmutableList<ShardKey> keys(DorisTable table, IntUnaryOperator salt) {
    return IntStream.range(0, count)
        .mapToObj(shard -> ShardKey.of(table, shard, salt.applyAsInt(shard)))
        .collect(ImmutableList.toImmutableList());
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
