package dev.tidemark.candidates;

import java.util.Arrays;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What the two records of a shard as a whole hold. */
final class ShardFacts {
  private static final int VERSION = 1;
  private static final int SWEPT = 1;
  private static final int REMOVED_LISTS = 2;

  /** The kind of matching, see {@link Matching#code}. */
  int matching;

  long nextList;
  boolean ttlEnabled;
  long ttlEnabledAt;
  byte[] description = {};

  long keys;
  long candidates;
  boolean removedLists;

  /** The last key that was swept; null to begin anew. */
  byte @Nullable [] sweptTo;

  /** Reads what a shard is bound to. */
  void read(RecordReader reader, byte[] record) {
    reader.open("attributes", record);
    int version = reader.nextByte();
    reader.check(version == VERSION, "their version is unknown: " + version);
    matching = reader.nextByte();
    nextList = reader.nextVarint();
    int ttl = reader.nextByte();
    reader.check(ttl <= 1, "a flag is out of range");
    ttlEnabled = ttl == 1;
    ttlEnabledAt = reader.nextLong();
    description = Arrays.copyOfRange(record, reader.position(), record.length);
  }

  void write(RecordWriter writer) {
    writer.open();
    writer.writeByte(VERSION);
    writer.writeByte(matching);
    writer.writeVarint(nextList);
    writer.writeByte(ttlEnabled ? 1 : 0);
    writer.writeLong(ttlEnabledAt);
    writer.writeBytes(description, 0, description.length);
  }

  /** Reads the counts. */
  void readCounts(RecordReader reader, byte[] record) {
    reader.open("counts", record);
    int version = reader.nextByte();
    reader.check(version == VERSION, "their version is unknown: " + version);
    keys = reader.nextVarint();
    candidates = reader.nextVarint();
    int flags = reader.nextByte();
    reader.check(flags <= (SWEPT | REMOVED_LISTS), "a flag is out of range");
    removedLists = (flags & REMOVED_LISTS) != 0;
    boolean swept = (flags & SWEPT) != 0;
    int from = reader.position();
    reader.check(
        swept ? from < record.length && record[from] == RecordKeys.HEAD : from == record.length,
        "the key swept last is out of range");
    sweptTo = swept ? Arrays.copyOfRange(record, from, record.length) : null;
  }

  void writeCounts(RecordWriter writer) {
    if (keys < 0 || candidates < keys) {
      throw RecordReader.corrupt(
          "attributes", keys + " keys with " + candidates + " candidates cannot be");
    }
    writer.open();
    writer.writeByte(VERSION);
    writer.writeVarint(keys);
    writer.writeVarint(candidates);
    writer.writeByte((sweptTo == null ? 0 : SWEPT) | (removedLists ? REMOVED_LISTS : 0));
    if (sweptTo != null) {
      writer.writeBytes(sweptTo, 0, sweptTo.length);
    }
  }
}
