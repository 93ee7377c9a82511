package dev.tidemark.rocksdb;

import java.util.ArrayList;
import java.util.List;

/**
 * Writes the net mutations of one batch as a journal entry of one or more parts. A part is: version
 * of the batch, number of the part, whether it is the last one, then records.
 */
final class JournalWriter {
  static final int VERSION = 1;

  /** A part is not longer, unless its only record is. */
  static final int PART_BYTES = 1 << 20;

  private static final int LAST_AT = 1 + Long.BYTES + Integer.BYTES;

  private final StoredOutput out;
  private final List<byte[]> parts = new ArrayList<>(1);
  private final long version;

  JournalWriter(StoredOutput out, long version) {
    this.out = out;
    this.version = version;
    beginPart();
  }

  void put(byte[] array, int keyAt, int keyLength, int valueLength) {
    makeRoom(keyLength + valueLength);
    StoredRecord.put(out, array, keyAt, keyLength, array, keyAt + keyLength, valueLength);
  }

  void remove(byte[] array, int keyAt, int keyLength) {
    makeRoom(keyLength);
    StoredRecord.remove(out, array, keyAt, keyLength);
  }

  List<byte[]> finish() {
    out.setByte(LAST_AT, 1);
    parts.add(out.finish());
    return parts;
  }

  private void makeRoom(int bytes) {
    if (out.size() > 64 && bytes > PART_BYTES - 16 - out.size()) {
      parts.add(out.finish());
      beginPart();
    }
  }

  private void beginPart() {
    out.begin(VERSION).writeLong(version).writeInt(parts.size()).writeByte(0);
  }
}
