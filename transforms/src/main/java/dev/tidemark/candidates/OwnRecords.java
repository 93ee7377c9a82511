package dev.tidemark.candidates;

import java.io.IOException;

/** Records of which all keys have to belong to one shard. */
final class OwnRecords implements ShardImages.Records {
  private final ShardImages.Records records;
  private final int shard;
  private final int shards;

  OwnRecords(ShardImages.Records records, int shard, int shards) {
    this.records = records;
    this.shard = shard;
    this.shards = shards;
  }

  @Override
  public boolean next() throws IOException {
    boolean more = records.next();
    if (more) {
      byte[] key = records.key();
      if (key.length > 0 && key[0] == RecordKeys.HEAD) {
        check(key, shard, shards);
      }
    }
    return more;
  }

  /** Refuses a head that has nothing to do in a shard. */
  static void check(byte[] head, int shard, int shards) {
    int its = Shards.of(head, 1, head.length - 1, shards);
    if (its != shard) {
      throw new CorruptStateException(
          String.format(
              "Cannot use the image of shard %d of %d: it has a key of shard %d. Use the images of one"
                  + " export, each for its own shard.",
              shard, shards, its));
    }
  }

  @Override
  public byte[] key() {
    return records.key();
  }

  @Override
  public byte[] value() {
    return records.value();
  }
}
