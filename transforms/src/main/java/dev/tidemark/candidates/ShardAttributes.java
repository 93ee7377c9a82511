package dev.tidemark.candidates;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What is known of a shard as a whole, in two records: what it is bound to, which changes rarely,
 * and counts, which change with most batches.
 */
final class ShardAttributes {
  private static final int VERSION = 1;

  private final ShardRecords records;
  private final ListContext context;
  private final byte[] description;
  private final byte[] key = RecordKeys.attributes();
  private final byte[] countsKey = RecordKeys.counts();
  private final byte @Nullable [] stored;
  private final byte @Nullable [] storedCounts;

  private long nextList;
  private boolean ttlEnabled;
  private long ttlEnabledAt;
  private long keys;
  private long candidates;
  private byte @Nullable [] sweptTo;

  private ShardAttributes(ShardRecords records, ListContext context, byte[] description) {
    this.records = records;
    this.context = context;
    this.description = description;
    this.stored = records.get(key);
    this.storedCounts = records.get(countsKey);
    if (stored != null && storedCounts != null) {
      read(stored);
      readCounts(storedCounts);
    } else if (stored != null || storedCounts != null) {
      throw RecordReader.corrupt("attributes", "one of two records is missing");
    }
  }

  /** Reads the attributes of a shard, and refuses those of another description. */
  static ShardAttributes read(ShardRecords records, ListContext context, byte[] description) {
    return new ShardAttributes(records, context, description);
  }

  /** Whether the shard has state at all. */
  boolean exist() {
    return stored != null;
  }

  /** Notes whether there is a time to live, and since when. */
  void setTtl(boolean enabled, long nowMillis) {
    if (enabled != ttlEnabled) {
      ttlEnabled = enabled;
      ttlEnabledAt = enabled ? nowMillis : 0;
    }
  }

  /** Since when candidates are forgotten after a time. */
  long ttlEnabledAt() {
    return ttlEnabledAt;
  }

  /** A number that no list has had. */
  long newList() {
    return nextList++;
  }

  void count(int keysDelta, int candidatesDelta) {
    keys += keysDelta;
    candidates += candidatesDelta;
  }

  /** The last key that was swept; null to begin anew. */
  byte @Nullable [] sweptTo() {
    return sweptTo;
  }

  void setSweptTo(byte @Nullable [] head) {
    sweptTo = head;
  }

  /** Writes what changed. */
  void write() {
    if (keys < 0 || candidates < keys) {
      throw RecordReader.corrupt(
          "attributes", keys + " keys with " + candidates + " candidates cannot be");
    }
    RecordWriter writer = context.writer;
    writer.open();
    writer.writeByte(VERSION);
    writer.writeByte(context.matching.code());
    writer.writeVarint(nextList);
    writer.writeByte(ttlEnabled ? 1 : 0);
    writer.writeLong(ttlEnabledAt);
    writer.writeBytes(description, 0, description.length);
    put(key, writer.recordOr(stored), stored);

    writer.open();
    writer.writeByte(VERSION);
    writer.writeVarint(keys);
    writer.writeVarint(candidates);
    writer.writeByte(sweptTo == null ? 0 : 1);
    if (sweptTo != null) {
      writer.writeBytes(sweptTo, 0, sweptTo.length);
    }
    put(countsKey, writer.recordOr(storedCounts), storedCounts);
  }

  private void put(byte[] to, byte[] record, byte @Nullable [] before) {
    if (record != before) {
      records.put(to, record);
    }
  }

  private void read(byte[] record) {
    RecordReader reader = context.reader;
    reader.open("attributes", record);
    int version = reader.nextByte();
    reader.check(version == VERSION, "their version is unknown: " + version);
    int matching = reader.nextByte();
    nextList = reader.nextVarint();
    int ttl = reader.nextByte();
    reader.check(ttl <= 1, "a flag is out of range");
    ttlEnabled = ttl == 1;
    ttlEnabledAt = reader.nextLong();
    byte[] before = Arrays.copyOfRange(record, reader.position(), record.length);
    if (!Arrays.equals(before, description)) {
      throw refused(new String(before, UTF_8), new String(description, UTF_8));
    }
    if (matching != context.matching.code()) {
      throw refused("matching " + matching, "matching " + context.matching.code());
    }
  }

  private void readCounts(byte[] record) {
    RecordReader reader = context.reader;
    reader.open("counts", record);
    int version = reader.nextByte();
    reader.check(version == VERSION, "their version is unknown: " + version);
    keys = reader.nextVarint();
    candidates = reader.nextVarint();
    int swept = reader.nextByte();
    reader.check(swept <= 1, "a flag is out of range");
    int from = reader.position();
    reader.check(
        swept == 1
            ? from < record.length && record[from] == RecordKeys.HEAD
            : from == record.length,
        "the key swept last is out of range");
    sweptTo = swept == 0 ? null : Arrays.copyOfRange(record, from, record.length);
  }

  private static CorruptStateException refused(String before, String now) {
    return new CorruptStateException(
        "Cannot use stored candidates: they belong to ["
            + before
            + "], and the transform is now ["
            + now
            + "]. Configure it as before, or begin with new state.");
  }
}
