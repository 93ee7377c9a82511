package dev.tidemark.rocksdb;

/**
 * How a record is stored in journals, base images and exported images: the key's length times two
 * plus one if the record is removed, then, unless it is, the value's length, then key and value.
 */
final class StoredRecord {
  private StoredRecord() {}

  static int size(int keyLength, int valueLength) {
    return StoredOutput.varIntSize(keyLength << 1)
        + StoredOutput.varIntSize(valueLength)
        + keyLength
        + valueLength;
  }

  static void put(
      StoredOutput out, byte[] key, int keyAt, int keyLength, byte[] value, int at, int length) {
    out.writeVarInt(keyLength << 1)
        .writeVarInt(length)
        .write(key, keyAt, keyLength)
        .write(value, at, length);
  }

  static void remove(StoredOutput out, byte[] key, int keyAt, int keyLength) {
    out.writeVarInt((keyLength << 1) | 1).write(key, keyAt, keyLength);
  }

  /** Reads records from where the input stands to its end. */
  static void readAll(StoredInput in, boolean mayRemove, Target target) {
    while (in.hasMore()) {
      read(in, mayRemove, target);
    }
  }

  static void read(StoredInput in, boolean mayRemove, Target target) {
    int head = in.readVarInt();
    int keyLength = head >>> 1;
    boolean removed = (head & 1) != 0;
    if (removed && !mayRemove) {
      throw in.corrupt("it removes a record where there can be none");
    }
    int valueLength = removed ? 0 : in.readVarInt();
    int keyAt = in.skip(keyLength);
    int valueAt = in.skip(valueLength);
    if (keyLength > RecordArena.MAX_KEY_BYTES) {
      throw in.corrupt("it has a key of " + keyLength + " bytes");
    }
    if (removed) {
      target.remove(in.array, keyAt, keyLength);
    } else {
      target.put(in.array, keyAt, keyLength, valueAt, valueLength);
    }
  }

  /** Receives records. */
  interface Target {
    void put(byte[] array, int keyAt, int keyLength, int valueAt, int valueLength);

    void remove(byte[] array, int keyAt, int keyLength);
  }
}
