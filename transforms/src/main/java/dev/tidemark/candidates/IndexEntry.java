package dev.tidemark.candidates;

import java.util.Arrays;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The first and the last node with one match; both none if no node has it. */
final class IndexEntry {
  final byte[] key;
  final byte[] source;
  final int from;
  final int to;
  final long hash;

  /** The record as it is; null if there is none. */
  byte @Nullable [] stored;

  long first = Node.NONE;
  long last = Node.NONE;
  boolean read;
  boolean changed;
  @Nullable IndexEntry bucket;

  IndexEntry(byte[] key, byte[] source, int from, int to, long hash) {
    this.key = key;
    this.source = source;
    this.from = from;
    this.to = to;
    this.hash = hash;
  }

  boolean matches(byte[] other, int otherFrom, int otherTo) {
    return Arrays.equals(source, from, to, other, otherFrom, otherTo);
  }

  void read(RecordReader reader, byte @Nullable [] record) {
    read = true;
    stored = record;
    if (record != null) {
      reader.open("index entry", record);
      first = reader.nextVarint();
      long distance = reader.nextVarint();
      reader.check(distance <= Long.MAX_VALUE - first, "a link leads out of the list");
      last = first + distance;
      reader.checkEnd();
    }
  }

  byte[] record(RecordWriter writer) {
    writer.open();
    writer.writeVarint(first);
    writer.writeVarint(last - first);
    return writer.recordOr(stored);
  }
}
