package dev.tidemark.rocksdb;

import dev.tidemark.candidates.ShardState.Bag;
import dev.tidemark.candidates.testing.InMemoryShardState;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** The state of a shard beside the records that have to be in it. */
final class ModelShard {
  final int number;
  final InMemoryShardState state;
  TreeMap<byte[], byte[]> records = new TreeMap<>(Arrays::compareUnsigned);

  ModelShard(int number, InMemoryShardState state) {
    this.number = number;
    this.state = state;
  }

  Checkpoint checkpoint() {
    return new Checkpoint(state.snapshot(), new TreeMap<>(records));
  }

  void restore(Checkpoint checkpoint) {
    state.restore(checkpoint.state);
    records = new TreeMap<>(checkpoint.records);
  }

  long liveBytes() {
    long bytes = 0;
    for (Map.Entry<byte[], byte[]> record : records.entrySet()) {
      bytes += StoredRecord.size(record.getKey().length, record.getValue().length);
    }
    return bytes;
  }

  long journalBytes() {
    return bytes(Bag.JOURNAL_0) + bytes(Bag.JOURNAL_1);
  }

  private long bytes(Bag bag) {
    return state.elements(bag).stream().mapToLong(element -> element.length).sum();
  }

  record Checkpoint(InMemoryShardState.Snapshot state, TreeMap<byte[], byte[]> records) {}
}
