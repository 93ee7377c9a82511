package dev.tidemark.candidates;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;

/** How sink keys fall into shards. Never changes: state depends on it. */
public final class Shards {
  private static final HashFunction HASH = Hashing.murmur3_32_fixed();

  private Shards() {}

  /**
   * The shard of a sink key: its MurmurHash3 (x86, 32 bits, seed 0) as an unsigned number, modulo
   * the number of shards.
   */
  public static int of(byte[] bytes, int offset, int length, int shards) {
    return Integer.remainderUnsigned(hash(bytes, offset, length), shards);
  }

  /** The hash of a sink key. */
  public static int hash(byte[] bytes, int offset, int length) {
    return HASH.hashBytes(bytes, offset, length).asInt();
  }

  /** What the state of one of so many shards is bound to, as {@link UpsertSemantics} have it. */
  public static String describe(int shards, String description) {
    return String.format("%d shards; %s", shards, description);
  }
}
