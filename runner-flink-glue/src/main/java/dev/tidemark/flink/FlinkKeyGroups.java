package dev.tidemark.flink;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import dev.tidemark.runner.KeyGroups;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * The key groups of Flink, of which there are as many as the maximum parallelism. Beam's runner
 * hashes the bytes of a key by the first 32 bits of MurmurHash3 (128 bits, seed 0); Flink hashes
 * that once more.
 */
record FlinkKeyGroups(int count) implements KeyGroups {
  private static final HashFunction HASH = Hashing.murmur3_128();

  @Override
  public int groupOf(byte[] encodedKey) {
    return KeyGroupRangeAssignment.computeKeyGroupForKeyHash(
        HASH.hashBytes(encodedKey).asInt(), count);
  }
}
