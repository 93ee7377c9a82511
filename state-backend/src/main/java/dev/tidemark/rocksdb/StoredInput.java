package dev.tidemark.rocksdb;

import dev.tidemark.candidates.CorruptStateException;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Reads one stored array: a version byte first, a CRC32C of all before it last. Nothing is read,
 * and nothing allocated, beyond the end of the array.
 */
final class StoredInput {
  static final int CRC_BYTES = 4;

  /** In place of a shard's number where there is none. */
  static final int NO_SHARD = -1;

  private static final String REMEDY =
      "Restart the job from an older checkpoint or savepoint, or import the shard from an exported"
          + " image.";

  final byte[] array;

  /** The next byte to read. */
  int position;

  /** The end of what can be read; the checksum follows. */
  final int limit;

  private final String part;
  private final int shard;

  /**
   * Begins to read and checks both ends.
   *
   * @param part what it is, for messages: "the header"
   */
  StoredInput(byte[] array, int version, String part, int shard) {
    this.array = array;
    this.part = part;
    this.shard = shard;
    this.limit = array.length - CRC_BYTES;
    if (limit < 1) {
      throw corrupt("it is truncated to " + array.length + " bytes");
    }
    if (array[0] != version) {
      throw corrupt("its format has version " + array[0] + ", this release reads " + version);
    }
    if (crc(array, 0, limit) != StoredOutput.intAt(array, limit)) {
      throw corrupt("its checksum does not match");
    }
    position = 1;
  }

  static int crc(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }

  boolean hasMore() {
    return position < limit;
  }

  int readByte() {
    require(1);
    return array[position++] & 0xff;
  }

  int readInt() {
    require(4);
    position += 4;
    return StoredOutput.intAt(array, position - 4);
  }

  long readLong() {
    require(8);
    position += 8;
    return StoredOutput.longAt(array, position - 8);
  }

  /** A number that cannot be below zero. */
  long readCount() {
    long count = readLong();
    if (count < 0) {
      throw corrupt("it has a count of " + count);
    }
    return count;
  }

  int readVarInt() {
    int value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      int b = readByte();
      if (shift == 28 && b > 7) {
        break;
      }
      value |= (b & 0x7f) << shift;
      if (b < 0x80) {
        return value;
      }
    }
    throw corrupt("it has a length beyond 2^31");
  }

  /** Skips this many bytes and returns where they begin. */
  int skip(int length) {
    require(length);
    position += length;
    return position - length;
  }

  byte[] readBytes(int length) {
    int from = skip(length);
    return Arrays.copyOfRange(array, from, from + length);
  }

  void requireEnd() {
    if (hasMore()) {
      throw corrupt("it has " + (limit - position) + " bytes too many");
    }
  }

  private void require(int bytes) {
    if (bytes < 0 || bytes > limit - position) {
      throw corrupt("it ends within an entry");
    }
  }

  CorruptStateException corrupt(String reason) {
    return corrupt(part, shard, reason);
  }

  static CorruptStateException corrupt(String part, int shard, String reason) {
    return new CorruptStateException(
        shard == NO_SHARD
            ? "Cannot read %s: %s. Use another copy of it.".formatted(part, reason)
            : "Cannot read %s of shard %s: %s. %s".formatted(part, shard, reason, REMEDY));
  }
}
