package dev.tidemark.rocksdb;

import dev.tidemark.candidates.ShardState;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Set;

/**
 * Writes a base image in chunks. A chunk is: the number of its image, its own number, the count of
 * chunks if it is the last one and else 0, then records. A record may be there twice if mutations
 * of it are in the journal of the image.
 */
final class BaseChunks {
  private static final int VERSION = 1;
  private static final SecureRandom RANDOM = new SecureRandom();

  /** A chunk is not longer, unless its only record is. */
  static final int CHUNK_BYTES = 1 << 20;

  private final StoredOutput out;
  private final ShardState state;
  private final ShardHeader header;
  private final int number;
  private boolean open;
  private long bytes;

  /**
   * Appends to an image.
   *
   * @param header the header, which learns what is written
   * @param number the number of the image in the header
   */
  BaseChunks(StoredOutput out, ShardState state, ShardHeader header, int number) {
    this.out = out;
    this.state = state;
    this.header = header;
    this.number = number;
  }

  /** A number for a new image. */
  static long drawId() {
    return RANDOM.nextLong();
  }

  /** The bytes written so far. */
  long bytes() {
    return bytes + (open ? out.size() : 0);
  }

  void put(byte[] array, int keyAt, int keyLength, byte[] values, int valueAt, int valueLength) {
    if (open && keyLength + valueLength > CHUNK_BYTES - 32 - out.size()) {
      flush(false);
    }
    begin();
    StoredRecord.put(out, array, keyAt, keyLength, values, valueAt, valueLength);
  }

  /** Adds what is left. The last chunk says that it is the last, even if it has no records. */
  void finish(boolean last) {
    if (last) {
      begin();
    }
    if (open) {
      flush(last);
    }
  }

  private void begin() {
    if (!open) {
      ShardHeader.BaseSet base = header.bases[number];
      out.begin(VERSION).writeLong(base.id).writeLong(base.chunks).writeLong(0);
      open = true;
    }
  }

  private void flush(boolean last) {
    ShardHeader.BaseSet base = header.bases[number];
    base.chunks++;
    if (last) {
      out.setLong(1 + 2 * Long.BYTES, base.chunks);
    }
    byte[] chunk = out.finish();
    base.bytes += chunk.length;
    bytes += chunk.length;
    open = false;
    state.add(ShardHeader.baseBag(number), chunk);
  }

  /** Reads an image, in any order, and checks that it is whole. Returns its size. */
  static long readAll(
      Iterable<byte[]> elements, int shard, ShardHeader.BaseSet base, StoredRecord.Target target) {
    Set<Long> seen = new HashSet<>();
    long bytes = 0;
    for (byte[] element : elements) {
      bytes += element.length;
      StoredInput in = new StoredInput(element, VERSION, "a chunk of the base image", shard);
      long id = in.readLong();
      long chunk = in.readCount();
      long total = in.readCount();
      if (id != base.id || chunk >= base.chunks) {
        throw in.corrupt("it belongs to another image");
      }
      if (total != (chunk == base.chunks - 1 ? base.chunks : 0)) {
        throw in.corrupt("it is chunk %s of %s, not of %s".formatted(chunk, total, base.chunks));
      }
      if (!seen.add(chunk)) {
        throw in.corrupt("chunk " + chunk + " is there twice");
      }
      StoredRecord.readAll(in, false, target);
    }
    if (seen.size() != base.chunks || bytes != base.bytes) {
      throw StoredInput.corrupt(
          "the base image",
          shard,
          "it has %s of %s chunks and %s of %s bytes"
              .formatted(seen.size(), base.chunks, bytes, base.bytes));
    }
    return bytes;
  }
}
