package dev.tidemark.candidates;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What is known of a shard as a whole, in two records: what it is bound to, which changes rarely,
 * and counts, which change with most batches.
 */
final class ShardAttributes {
  private final ShardRecords records;
  private final ListContext context;
  private final ShardFacts facts = new ShardFacts();
  private final byte[] key = RecordKeys.attributes();
  private final byte[] countsKey = RecordKeys.counts();
  private final byte @Nullable [] stored;
  private final byte @Nullable [] storedCounts;

  private ShardAttributes(ShardRecords records, ListContext context, byte[] description) {
    this.records = records;
    this.context = context;
    this.stored = records.get(key);
    this.storedCounts = records.get(countsKey);
    if (stored != null && storedCounts != null) {
      read(stored, description);
      facts.readCounts(context.reader, storedCounts);
    } else if (stored != null || storedCounts != null) {
      throw RecordReader.corrupt("attributes", "one of two records is missing");
    }
    facts.matching = context.matching.code();
    facts.description = description;
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
    if (enabled != facts.ttlEnabled) {
      facts.ttlEnabled = enabled;
      facts.ttlEnabledAt = enabled ? nowMillis : 0;
    }
  }

  /** Since when candidates are forgotten after a time. */
  long ttlEnabledAt() {
    return facts.ttlEnabledAt;
  }

  /** A number that no list has had. */
  long newList() {
    return facts.nextList++;
  }

  void count(int keysDelta, int candidatesDelta) {
    facts.keys += keysDelta;
    facts.candidates += candidatesDelta;
  }

  /** Whether there are lists that have gone and of which there are records. */
  boolean removedLists() {
    return facts.removedLists;
  }

  void setRemovedLists(boolean some) {
    facts.removedLists = some;
  }

  /** The last key that was swept; null to begin anew. */
  byte @Nullable [] sweptTo() {
    return facts.sweptTo;
  }

  void setSweptTo(byte @Nullable [] head) {
    facts.sweptTo = head;
  }

  /** Writes what changed. */
  void write() {
    RecordWriter writer = context.writer;
    facts.write(writer);
    byte[] attributes = writer.recordOr(stored);
    facts.writeCounts(writer);
    put(key, attributes, stored);
    put(countsKey, writer.recordOr(storedCounts), storedCounts);
  }

  private void put(byte[] to, byte[] record, byte @Nullable [] before) {
    if (record != before) {
      records.put(to, record);
    }
  }

  private void read(byte[] record, byte[] description) {
    facts.read(context.reader, record);
    if (!Arrays.equals(facts.description, description)) {
      throw Refusals.ofDescription(
          new String(facts.description, UTF_8), new String(description, UTF_8));
    }
    if (facts.matching != context.matching.code()) {
      throw Refusals.ofMatching(facts.matching, context.matching.code());
    }
  }
}
