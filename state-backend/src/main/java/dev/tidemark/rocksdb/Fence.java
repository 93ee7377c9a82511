package dev.tidemark.rocksdb;

import java.security.SecureRandom;

/**
 * The state a shard is in: the attempt that wrote it, 16 random bytes, and a version that each
 * batch raises. Equal fences mean equal records, since each rebuild draws a new attempt.
 */
record Fence(long attemptHigh, long attemptLow, long version) {
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Before the first batch of a new attempt. */
  static Fence draw(long version) {
    return new Fence(RANDOM.nextLong(), RANDOM.nextLong(), version);
  }

  Fence at(long newVersion) {
    return new Fence(attemptHigh, attemptLow, newVersion);
  }
}
