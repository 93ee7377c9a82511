package dev.tidemark.candidates;

/** Reads one record after the other; whatever is amiss is a {@link CorruptStateException}. */
final class RecordReader {
  private static final int MAX_VARINT_BYTES = 9;

  private String record = "record";
  private byte[] bytes = {};
  private int position;

  /** Begins with a record, called so in errors. */
  void open(String record, byte[] bytes) {
    this.record = record;
    this.bytes = bytes;
    this.position = 0;
  }

  byte[] bytes() {
    return bytes;
  }

  int position() {
    return position;
  }

  int remaining() {
    return bytes.length - position;
  }

  int nextByte() {
    if (position >= bytes.length) {
      throw cutOff();
    }
    return bytes[position++] & 0xff;
  }

  /** Eight bytes, the highest first. */
  long nextLong() {
    if (remaining() < Long.BYTES) {
      throw cutOff();
    }
    long value = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      value = value << 8 | (bytes[position++] & 0xff);
    }
    return value;
  }

  /** A number of at most 63 bits, accepted only in its shortest form. */
  long nextVarint() {
    if (position < bytes.length && bytes[position] >= 0) {
      return bytes[position++];
    }
    long value = 0;
    for (int i = 0; i < MAX_VARINT_BYTES; i++) {
      int next = nextByte();
      value |= (long) (next & 0x7f) << (7 * i);
      if (next <= 0x7f) {
        check(next != 0, "a number is not in its shortest form");
        return value;
      }
    }
    throw corrupt("a number is too long");
  }

  /** A number of at least 1 and at most {@link Integer#MAX_VALUE}. */
  int nextCount() {
    long count = nextVarint();
    check(count >= 1 && count <= Integer.MAX_VALUE, "a count is out of range");
    return (int) count;
  }

  /** The length of a slice that follows; skips the slice. */
  int skipSlice() {
    long length = nextVarint();
    if (length > remaining()) {
      throw cutOff();
    }
    position += (int) length;
    return (int) length;
  }

  void skipRest() {
    position = bytes.length;
  }

  void checkEnd() {
    check(position == bytes.length, "bytes follow its end");
  }

  void check(boolean condition, String reason) {
    if (!condition) {
      throw corrupt(reason);
    }
  }

  CorruptStateException corrupt(String reason) {
    return corrupt(record, reason);
  }

  static CorruptStateException corrupt(String record, String reason) {
    return new CorruptStateException(
        "Cannot read "
            + record
            + " of candidates: "
            + reason
            + ". Restore an older checkpoint, or replay the input into new state.");
  }

  private CorruptStateException cutOff() {
    return corrupt("it is cut off");
  }
}
