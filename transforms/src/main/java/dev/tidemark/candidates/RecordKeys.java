package dev.tidemark.candidates;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Makes the keys of records. The first byte says what the record is. */
final class RecordKeys {
  /** Prefix of the heads: it is followed by the sink key. */
  static final byte HEAD = 0x00;

  /** What the shard is bound to. */
  private static final byte[] ATTRIBUTES = {0x7f};

  /** What changes with most batches of the shard. */
  private static final byte[] COUNTS = {0x7f, 0x01};

  static final byte NODE = 0x01;
  static final byte INDEX = 0x02;

  /** Prefix of the lists that have gone while records of them are still there. */
  static final byte REMOVED_LIST = 0x03;

  private static final byte PLAIN = 0x00;
  private static final byte DIGEST = 0x01;
  private static final int MAX_PLAIN_BYTES = 64;
  private static final int PREFIX_BYTES = 1 + Long.BYTES;

  private final MessageDigest sha256;

  RecordKeys() {
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(
          "Cannot index candidates: this JVM has no SHA-256. Run it on a complete Java 17.", e);
    }
  }

  static byte[] attributes() {
    return ATTRIBUTES.clone();
  }

  static byte[] counts() {
    return COUNTS.clone();
  }

  static byte[] heads() {
    return new byte[] {HEAD};
  }

  static byte[] head(byte[] data, int offset, int length) {
    byte[] key = new byte[1 + length];
    key[0] = HEAD;
    System.arraycopy(data, offset, key, 1, length);
    return key;
  }

  static byte[] nodes(long list) {
    return ByteBuffer.allocate(PREFIX_BYTES).put(NODE).putLong(list).array();
  }

  static byte[] node(long list, long number) {
    return ByteBuffer.allocate(PREFIX_BYTES + Long.BYTES)
        .put(NODE)
        .putLong(list)
        .putLong(number)
        .array();
  }

  static byte[] indexes(long list) {
    return ByteBuffer.allocate(PREFIX_BYTES).put(INDEX).putLong(list).array();
  }

  static byte[] removedLists() {
    return new byte[] {REMOVED_LIST};
  }

  static byte[] removedList(long list) {
    return ByteBuffer.allocate(PREFIX_BYTES).put(REMOVED_LIST).putLong(list).array();
  }

  /** The number of the list that a record other than a head belongs to. */
  static long list(byte[] key) {
    if (key.length < PREFIX_BYTES) {
      throw RecordReader.corrupt("key", "it is cut off");
    }
    return ByteBuffer.wrap(key).getLong(1);
  }

  /** The number of a node in its list, from its key. */
  static long node(byte[] key) {
    if (key.length != PREFIX_BYTES + Long.BYTES) {
      throw RecordReader.corrupt("key", "it is not that of a node");
    }
    long number = ByteBuffer.wrap(key).getLong(PREFIX_BYTES);
    if (number < 0) {
      throw RecordReader.corrupt("key", "the number of its node is out of range");
    }
    return number;
  }

  /** The same key with another number of its list. */
  static byte[] withList(byte[] key, long list) {
    byte[] moved = key.clone();
    ByteBuffer.wrap(moved).putLong(1, list);
    return moved;
  }

  /** Short matches as they are, long ones by their digest; a byte tells which. */
  byte[] index(long list, byte[] match, int offset, int length) {
    if (length <= MAX_PLAIN_BYTES) {
      return ByteBuffer.allocate(PREFIX_BYTES + 1 + length)
          .put(INDEX)
          .putLong(list)
          .put(PLAIN)
          .put(match, offset, length)
          .array();
    }
    sha256.update(match, offset, length);
    return ByteBuffer.allocate(PREFIX_BYTES + 1 + sha256.getDigestLength())
        .put(INDEX)
        .putLong(list)
        .put(DIGEST)
        .put(sha256.digest())
        .array();
  }
}
