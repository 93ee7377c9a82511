package dev.tidemark.candidates;

import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What a runner keeps for one shard: one value and four bags of byte arrays. It is rolled back and
 * moved together with the rest of the runner's state. Bags have no order.
 *
 * <p>Only value and bag state are used since portable Flink has no other.
 */
public interface ShardState {
  /** The value; null if there is none yet. */
  byte @Nullable [] header();

  /** Sets the value. */
  void setHeader(byte[] header);

  /** All elements of a bag, in any order. */
  Iterable<byte[]> read(Bag bag);

  /** Adds an element to a bag. */
  void add(Bag bag, byte[] element);

  /** Empties a bag. */
  void clear(Bag bag);

  /** The bags of a shard. One base image and one journal are in use, the others are under way. */
  enum Bag {
    /** A base image. */
    BASE_0,
    /** The other base image. */
    BASE_1,
    /** The mutations since a base image. */
    JOURNAL_0,
    /** The mutations since the other base image. */
    JOURNAL_1
  }
}
