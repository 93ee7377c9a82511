package dev.tidemark.candidates;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Lists of linked nodes that have gone at once, however long they were: no head leads to them any
 * more, and their numbers are never used again. What is left of them is removed a few records at a
 * time. A record for each says that it has gone, and where its removal has come to: a version, then
 * the key of the record that was removed last, nothing at first.
 */
final class RemovedLists {
  private static final int VERSION = 1;
  private static final byte[] BEGIN = {VERSION};

  private final ShardRecords records;
  private final ListContext context;
  private final ShardAttributes attributes;
  private final List<byte[]> found = new ArrayList<>();
  private long bytes;
  private long removed;
  private byte @Nullable [] mark;
  private byte @Nullable [] reached;

  RemovedLists(ShardRecords records, ListContext context, ShardAttributes attributes) {
    this.records = records;
    this.context = context;
    this.attributes = attributes;
  }

  /** Notes that a list has gone. */
  static void add(ShardRecords records, ShardAttributes attributes, long list) {
    records.put(RecordKeys.removedList(list), BEGIN);
    attributes.setRemovedLists(true);
  }

  /**
   * Removes what is left of such lists, until it has read a number of bytes, and a record at least.
   *
   * @return how many it has read, by less than a record more than it may
   */
  long collect(long maxBytes) {
    while (bytes < maxBytes) {
      findMark();
      if (mark == null) {
        attributes.setRemovedLists(false);
        return bytes;
      }
      long list = RecordKeys.list(mark);
      if (collect(RecordKeys.nodes(list), maxBytes)
          && collect(RecordKeys.indexes(list), maxBytes)) {
        records.remove(mark);
      } else {
        records.put(mark, mark(reached));
      }
    }
    return bytes;
  }

  private void findMark() {
    mark = null;
    reached = null;
    records.scan(
        RecordKeys.removedLists(),
        null,
        (key, value) -> {
          bytes += key.length + value.length;
          mark = key;
          reached = read(context.reader, value);
          return false;
        });
  }

  /** Removes records with a prefix. Returns whether none is left. */
  private boolean collect(byte[] prefix, long maxBytes) {
    if (reached != null && reached[0] > prefix[0]) {
      return true;
    }
    if (bytes >= maxBytes && removed > 0) {
      return false;
    }
    found.clear();
    boolean[] whole = {true};
    records.scan(
        prefix,
        reached != null && reached[0] == prefix[0] ? reached : null,
        (key, value) -> {
          bytes += key.length + value.length;
          found.add(key);
          whole[0] = bytes < maxBytes;
          return whole[0];
        });
    if (!found.isEmpty()) {
      records.prefetch(found);
      found.forEach(records::remove);
      removed += found.size();
      reached = found.get(found.size() - 1);
    }
    return whole[0];
  }

  /** The key of the record that was removed last; null for none yet. */
  private static byte @Nullable [] read(RecordReader reader, byte[] value) {
    reader.open("mark of a removed list", value);
    int version = reader.nextByte();
    reader.check(version == VERSION, "its version is unknown: " + version);
    if (reader.remaining() == 0) {
      return null;
    }
    int from = reader.position();
    reader.check(
        value[from] == RecordKeys.NODE || value[from] == RecordKeys.INDEX,
        "the key removed last is out of range");
    return Arrays.copyOfRange(value, from, value.length);
  }

  private static byte[] mark(byte @Nullable [] reached) {
    if (reached == null) {
      return BEGIN;
    }
    byte[] value = new byte[1 + reached.length];
    value[0] = VERSION;
    System.arraycopy(reached, 0, value, 1, reached.length);
    return value;
  }
}
