package dev.tidemark.candidates;

import java.util.List;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * The records of one shard during one batch: keys and values are bytes, keys are ordered as
 * unsigned bytes. Arrays that go in or come out are shared with the store and must not be changed.
 *
 * <p>All mutations of a batch become permanent together, with {@link #commit}.
 */
public interface ShardRecords {
  /** Reads those of these records that are not in memory yet, in one request. */
  void prefetch(List<byte[]> keys);

  /** The value of a record, with the mutations of this batch; null if there is none. */
  byte @Nullable [] get(byte[] key);

  /** Sets a record. */
  void put(byte[] key, byte[] value);

  /** Removes a record, if it is there. */
  void remove(byte[] key);

  /**
   * Visits records whose keys begin with a prefix, in ascending order, with the mutations of this
   * batch. The visitor must not change records.
   *
   * @param after visit only keys greater than this one; null for all
   */
  void scan(byte[] prefix, byte @Nullable [] after, Visitor visitor);

  /** Makes the mutations of the batch permanent. Nothing else may be called afterwards. */
  void commit();

  /** Receives records. */
  interface Visitor {
    /** Returns whether to go on. */
    boolean visit(byte[] key, byte[] value);
  }
}
