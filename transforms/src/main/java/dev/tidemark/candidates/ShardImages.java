package dev.tidemark.candidates;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The records of shards outside of a store: in the state of a runner, and in images, which are
 * streams that do not depend on the machine. Copies between them are made by {@link #copy}.
 */
public interface ShardImages {
  /**
   * The records of a shard as its runner keeps them, in no order. They are read whole at once.
   *
   * @throws CorruptStateException if the state cannot be read
   */
  Records readFrom(int shard, ShardState state);

  /**
   * The records of an image, in the order they were written, read in bounded memory. Closing the
   * stream is up to who opened it.
   *
   * @throws CorruptStateException if it is not an image of a version this release reads
   */
  Records readFrom(InputStream in) throws IOException;

  /**
   * Fills the state of a shard. Without {@link Sink#close} it stays without records.
   *
   * @throws IllegalStateException if the state is not empty
   */
  Sink writeTo(int shard, ShardState state);

  /** Begins an image. Without {@link Sink#close} it is not whole. The stream stays open. */
  Sink writeTo(OutputStream out) throws IOException;

  /**
   * The same records, of which all keys have to belong to a shard.
   *
   * @throws CorruptStateException by {@link Records#next}, if one belongs to another
   */
  static Records ofShard(int shard, int shards, Records records) {
    return new OwnRecords(records, shard, shards);
  }

  /** Copies all records that are left. Returns how many. */
  static long copy(Records from, Sink to) throws IOException {
    long count = 0;
    while (from.next()) {
      to.put(from.key(), from.value());
      count++;
    }
    return count;
  }

  /** Records, one after another. */
  interface Records {
    /**
     * Goes to the next record; to the first one at first.
     *
     * @return whether there is one
     * @throws CorruptStateException if what follows cannot be read
     */
    boolean next() throws IOException;

    /** The key of this record. */
    byte[] key();

    /** The value of this record. */
    byte[] value();
  }

  /** Takes records, none of them twice. */
  interface Sink extends AutoCloseable {
    /** Adds a record. */
    void put(byte[] key, byte[] value) throws IOException;

    /** Ends it, all records being there. */
    @Override
    void close() throws IOException;
  }
}
