package dev.tidemark.rocksdb;

import dev.tidemark.candidates.ShardRecords;
import dev.tidemark.candidates.ShardState;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Writes many keys, updates some and reads all, in a process of its own with a small heap. */
final class LargeState {
  private static final int SHARDS = 1024;
  private static final int BATCH = 1000;

  private final RocksDbCandidateStore store;
  private final int keysPerShard;
  private final ForgetfulState[] states = new ForgetfulState[SHARDS];

  private LargeState(RocksDbCandidateStore store, int keysPerShard) {
    this.store = store;
    this.keysPerShard = keysPerShard;
    for (int i = 0; i < SHARDS; i++) {
      states[i] = new ForgetfulState();
    }
  }

  public static void main(String[] args) {
    StoreLimits limits = StoreLimits.of(Long.parseLong(args[2]) << 20);
    try (RocksDbCandidateStore store = RocksDbCandidateStore.open(limits, Path.of(args[0]))) {
      LargeState state = new LargeState(store, Integer.parseInt(args[1]) / SHARDS);
      state.pass(0, 1);
      state.pass(1, 10);
      state.check(1, 10);
      if (store.meter().bytes > limits.heapBytes()) {
        throw new AssertionError("The store uses " + store.meter().bytes + " bytes of the heap");
      }
    }
  }

  /** Sets every n-th key to a value that only this pass gives. */
  private void pass(int number, int every) {
    for (int from = 0; from < keysPerShard; from += BATCH) {
      for (int shard = 0; shard < SHARDS; shard++) {
        ShardRecords records = store.begin(shard, states[shard]);
        List<byte[]> keys = keys(shard, from, every);
        records.prefetch(keys);
        for (byte[] key : keys) {
          if ((records.get(key) == null) != (number == 0)) {
            throw new AssertionError("A key of shard " + shard + " is there before or is lost");
          }
          records.put(key, value(key, number));
        }
        records.commit();
      }
    }
  }

  private void check(int number, int every) {
    for (int shard = 0; shard < SHARDS; shard++) {
      int[] seen = new int[2];
      int its = shard;
      ShardRecords records = store.begin(shard, states[shard]);
      records.scan(
          new byte[0],
          null,
          (key, value) -> {
            seen[0]++;
            boolean updated = value[8] == number;
            seen[1] += updated ? 1 : 0;
            if (ByteBuffer.wrap(value).getLong() != ByteBuffer.wrap(key).getLong()) {
              throw new AssertionError("A value of shard " + its + " is that of another key");
            }
            return true;
          });
      records.commit();
      if (seen[0] != keysPerShard || seen[1] != (keysPerShard + every - 1) / every) {
        throw new AssertionError(
            "Shard %s has %s keys, %s of them updated".formatted(shard, seen[0], seen[1]));
      }
    }
  }

  private List<byte[]> keys(int shard, int from, int every) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = from; i < Math.min(from + BATCH, keysPerShard); i++) {
      if (i % every == 0) {
        long number = (long) shard * keysPerShard + i;
        keys.add(ByteBuffer.allocate(8).putLong(number * 0x9e3779b97f4a7c15L).array());
      }
    }
    return keys;
  }

  private static byte[] value(byte[] key, int pass) {
    byte[] value = new byte[80];
    new Random(pass).nextBytes(value);
    System.arraycopy(key, 0, value, 0, 8);
    value[8] = (byte) pass;
    return value;
  }

  /** Keeps nothing but the header: what a runner has is not the memory of this process. */
  private static final class ForgetfulState implements ShardState {
    private byte[] header;

    @Override
    public byte[] header() {
      return header;
    }

    @Override
    public void setHeader(byte[] newHeader) {
      header = newHeader;
    }

    @Override
    public Iterable<byte[]> read(Bag bag) {
      if (header != null) {
        throw new AssertionError("A shard is rebuilt");
      }
      return List.of();
    }

    @Override
    public void add(Bag bag, byte[] element) {}

    @Override
    public void clear(Bag bag) {}
  }
}
