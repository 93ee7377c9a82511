package dev.tidemark.upsert;

import dev.tidemark.candidates.ShardImages;
import java.io.IOException;

/** Counts records as they are read. */
final class CountedRecords implements ShardImages.Records {
  private final ShardImages.Records records;
  private long count;

  CountedRecords(ShardImages.Records records) {
    this.records = records;
  }

  long count() {
    return count;
  }

  @Override
  public boolean next() throws IOException {
    boolean more = records.next();
    count += more ? 1 : 0;
    return more;
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
