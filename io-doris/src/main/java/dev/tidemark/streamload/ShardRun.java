package dev.tidemark.streamload;

/** A shard of a table's loads, in one run of the pipeline. */
record ShardRun(String database, String table, int shard, long epoch) {
  String label(Labels labels, long sequence) {
    return labels.forSequence(database, table, epoch, shard, sequence);
  }

  ShardRun withEpoch(long other) {
    return new ShardRun(database, table, shard, other);
  }
}
