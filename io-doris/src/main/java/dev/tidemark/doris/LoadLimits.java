package dev.tidemark.doris;

import com.google.auto.value.AutoValue;
import java.io.Serializable;

/** When a load leaves, and the part of one before it. */
@AutoValue
abstract class LoadLimits implements Serializable {
  /** Of a record batch, which the server reads as a whole. */
  private static final int MOST_PART_ROWS = 32_768;

  /** Of a shard's share: larger arrays are humongous for G1 with a small heap. */
  private static final long MOST_SHARE_BYTES = 384 << 10;

  private static final long MOST_PART_BYTES = 4L << 20;

  LoadLimits() {}

  abstract int rows();

  abstract long bytes();

  abstract long ageMillis();

  static LoadLimits of(int rows, long bytes, long ageMillis) {
    return new AutoValue_LoadLimits(rows, bytes, ageMillis);
  }

  /** Of all loads that an instance has under way. */
  long openBytes() {
    return 2 * bytes();
  }

  int partRows() {
    return Math.min(MOST_PART_ROWS, rows());
  }

  /** Of a batch that is to be cut for so many shards. */
  long partBytes(int shards) {
    return Math.min(Math.min(MOST_SHARE_BYTES * shards, MOST_PART_BYTES), bytes());
  }

  /** Of all batches that an instance has under way. */
  long openPartBytes() {
    return 8 * Math.min(MOST_PART_BYTES, bytes());
  }
}
