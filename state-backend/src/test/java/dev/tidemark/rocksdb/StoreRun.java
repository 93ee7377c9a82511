package dev.tidemark.rocksdb;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThanOrEqualTo;

import dev.tidemark.candidates.ShardRecords;
import dev.tidemark.candidates.testing.InMemoryShardState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A run of random bundles on some shards and two stores, compared with a model after each step. The
 * runner fails, rolls back and moves shards as it likes.
 */
final class StoreRun implements AutoCloseable {
  private static final int BUNDLES = Boolean.getBoolean("tidemark.long") ? 60 : 25;
  private static final long[] HEAPS = {16 << 10, 64 << 10, 1 << 20, 64 << 20};
  private static final long[] STEPS = {1, 2_000, 256 << 10};

  private final Random random;
  private final Path directory;
  private final StoreLimits limits;
  private final List<ModelShard> shards = new ArrayList<>();
  private final RocksDbCandidateStore[] stores = new RocksDbCandidateStore[2];
  private final int keys;
  private final int mostOperations;
  private final int valueBytes;
  private @Nullable Path checkpoint;
  private int checkpoints;
  long spilledBytes;
  long bases;
  long rebuilds;

  StoreRun(long seed, Path directory) throws IOException {
    this.random = new Random(seed);
    this.directory = directory;
    this.limits =
        new StoreLimits(
            HEAPS[random.nextInt(HEAPS.length)], 1 << 20, STEPS[random.nextInt(STEPS.length)]);
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      shards.add(new ModelShard(i * 7, InMemoryShardState.shuffled(random.nextLong())));
    }
    this.keys = 1 << (3 + random.nextInt(9));
    this.mostOperations = 1 << (2 + random.nextInt(8));
    this.valueBytes = random.nextInt(4) == 0 ? 2000 : 120;
    reopen(0);
    reopen(1);
  }

  void run() throws IOException {
    for (int i = 0; i < BUNDLES; i++) {
      bundle();
      if (random.nextInt(20) == 0) {
        reopen(random.nextInt(2));
      }
    }
    for (ModelShard shard : shards) {
      compareAll(shard);
    }
  }

  @Override
  public void close() throws IOException {
    for (int i = 0; i < stores.length; i++) {
      closeStore(i);
    }
    for (int i = 0; i < checkpoints; i++) {
      LocalDirectory.deleteAll(directory.resolve("checkpoint-" + i));
    }
  }

  private void closeStore(int i) {
    if (stores[i] != null) {
      spilledBytes += stores[i].statistics().spilledBytes;
      bases += stores[i].statistics().bases;
      rebuilds += stores[i].statistics().rebuilds;
      stores[i].close();
      stores[i] = null;
    }
  }

  private void reopen(int i) throws IOException {
    if (stores[i] != null && random.nextInt(4) == 0) {
      checkpoint = directory.resolve("checkpoint-" + checkpoints++);
      RocksDbCandidateStores.checkpoint(stores[i], checkpoint);
    }
    closeStore(i);
    // The checkpoint may be an old one.
    stores[i] =
        checkpoint == null || random.nextBoolean()
            ? RocksDbCandidateStore.open(limits, directory)
            : RocksDbCandidateStore.openFromCheckpoint(limits, directory, checkpoint);
  }

  private void bundle() {
    ModelShard shard = shards.get(random.nextInt(shards.size()));
    RocksDbCandidateStore store = stores[random.nextInt(8) == 0 ? 1 : 0];
    ModelShard.Checkpoint before = shard.checkpoint();
    int batches = 1 + random.nextInt(4);
    for (int i = 0; i < batches; i++) {
      if (!batch(store, shard)) {
        shard.restore(before);
        return;
      }
    }
    if (random.nextInt(10) == 0) {
      shard.restore(before);
    }
  }

  /** Returns whether it committed. */
  private boolean batch(RocksDbCandidateStore store, ModelShard shard) {
    boolean fails = random.nextInt(15) == 0;
    FailingShardState state =
        new FailingShardState(
            shard.state, fails && random.nextBoolean() ? random.nextInt(6) : Integer.MAX_VALUE);
    ShardRecords records = store.begin(shard.number, state);
    TreeMap<byte[], byte[]> model = new TreeMap<>(shard.records);
    int operations = random.nextInt(mostOperations + 1);
    if (random.nextInt(3) == 0) {
      List<byte[]> ahead = new ArrayList<>();
      for (int i = 0; i < operations; i++) {
        ahead.add(key());
      }
      records.prefetch(ahead);
    }
    for (int i = 0; i < operations; i++) {
      operate(records, model);
    }
    if (fails && state.failsNever()) {
      return false;
    }
    long journalBefore = store.statistics().journalBytes;
    try {
      records.commit();
    } catch (FailingShardState.Failure e) {
      return false;
    }
    shard.records = model;
    long batchBytes = store.statistics().journalBytes - journalBefore;
    if (batchBytes > 0) {
      assertThat(
          "journal bytes",
          shard.journalBytes(),
          lessThanOrEqualTo(3 * shard.liveBytes() + batchBytes));
    }
    return true;
  }

  private void operate(ShardRecords records, NavigableMap<byte[], byte[]> model) {
    byte[] key = key();
    int what = random.nextInt(100);
    if (what < 30) {
      assertThat(text(key, records.get(key)), is(text(key, model.get(key))));
    } else if (what < 75) {
      byte[] value = new byte[random.nextInt(valueBytes)];
      random.nextBytes(value);
      records.put(key, value);
      model.put(key, value);
    } else if (what < 95) {
      records.remove(key);
      model.remove(key);
    } else if (what < 97) {
      byte[] prefix = Arrays.copyOf(key, random.nextInt(20) == 0 ? 0 : 1 + random.nextInt(2));
      Map<byte[], byte[]> removed = withPrefix(model, prefix);
      removed.keySet().forEach(records::remove);
      removed.clear();
    } else {
      byte[] prefix = Arrays.copyOf(key, random.nextInt(3));
      byte[] after = random.nextBoolean() ? null : key();
      scan(records, model, prefix, after, random.nextInt(300));
    }
  }

  private void scan(
      ShardRecords records,
      NavigableMap<byte[], byte[]> model,
      byte[] prefix,
      byte[] after,
      int most) {
    List<String> expected = new ArrayList<>();
    for (Map.Entry<byte[], byte[]> record : withPrefix(model, prefix).entrySet()) {
      if ((after == null || Arrays.compareUnsigned(record.getKey(), after) > 0)
          && expected.size() <= most) {
        expected.add(text(record.getKey(), record.getValue()));
      }
    }
    List<String> seen = new ArrayList<>();
    records.scan(
        prefix,
        after,
        (key, value) -> {
          seen.add(text(key, value));
          assertThat("by key", Arrays.equals(records.get(key), value), is(true));
          return seen.size() <= most;
        });
    assertThat(seen, equalTo(expected));
  }

  private void compareAll(ModelShard shard) {
    ShardRecords records = stores[0].begin(shard.number, shard.state);
    scan(records, shard.records, new byte[0], null, Integer.MAX_VALUE);
    records.commit();
  }

  private static NavigableMap<byte[], byte[]> withPrefix(
      NavigableMap<byte[], byte[]> model, byte[] prefix) {
    byte[] end = prefix.clone();
    int last = end.length - 1;
    while (last >= 0 && end[last] == -1) {
      last--;
    }
    if (last < 0) {
      return model.tailMap(prefix, true);
    }
    end = Arrays.copyOf(end, last + 1);
    end[last]++;
    return model.subMap(prefix, true, end, false);
  }

  /** Two bytes of prefix, few values; the rest makes the key long or short. */
  private byte[] key() {
    int number = random.nextInt(keys);
    byte[] key = new byte[3 + number % 23];
    key[0] = (byte) (number % 3 == 0 ? -1 : number % 3);
    key[1] = (byte) (number % 5 == 0 ? -1 : number % 5);
    key[2] = (byte) number;
    if (key.length > 3) {
      key[3] = (byte) (number >> 8);
    }
    return key;
  }

  private static String text(byte[] key, byte[] value) {
    return HexFormat.of().formatHex(key) + " = " + Arrays.hashCode(value);
  }
}
