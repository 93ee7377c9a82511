package dev.tidemark.commit;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.io.ByteArrayDataInput;
import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What a table holds of one writer: every result that may still be replayed, and the newest one
 * before those.
 *
 * @param tableUuid the table it is about; properties copied to a clone say nothing about the clone
 * @param anchor the newest result whose digest is forgotten; null if none is
 * @param entries results by sequence, all above the anchor
 */
record CommittedRecord(
    String tableUuid, @Nullable Anchor anchor, ImmutableSortedMap<Long, Entry> entries) {
  static final String PREFIX = "c1:";
  static final int MAX_CHUNKS = 64;
  private static final int MAX_UUID_BYTES = 128;

  record Anchor(long sequence, Landing landing) {}

  record Entry(long digest, Landing landing) {}

  static CommittedRecord empty(String tableUuid) {
    return new CommittedRecord(tableUuid, null, ImmutableSortedMap.of());
  }

  static PropertyChunks chunks(TidemarkKeys keys, String writerId) {
    return PropertyChunks.numbered(keys.committed(writerId), MAX_CHUNKS);
  }

  /**
   * Where the newest result of a writer landed; null if nothing is recorded.
   *
   * @throws IllegalArgumentException if the record cannot be read
   */
  static @Nullable Landing newestLanding(
      Map<String, String> properties, TidemarkKeys keys, String writerId) {
    String text = chunks(keys, writerId).read(properties);
    return text == null ? null : fromText(text).newestLanding();
  }

  /** Where the newest result landed; null if nothing is recorded. */
  @Nullable Landing newestLanding() {
    if (!entries.isEmpty()) {
      return entries.lastEntry().getValue().landing();
    }
    return anchor == null ? null : anchor.landing();
  }

  /** The highest sequence committed; 0 if nothing is. */
  long through() {
    long through = anchor == null ? 0 : anchor.sequence();
    return entries.isEmpty() ? through : Math.max(through, entries.lastKey());
  }

  /**
   * This record without digests below the floor; the newest forgotten result becomes the anchor.
   */
  CommittedRecord trim(long floor) {
    SortedMap<Long, Entry> forgotten = entries.headMap(floor);
    if (forgotten.isEmpty()) {
      return this;
    }
    long last = forgotten.lastKey();
    Anchor newest =
        anchor != null && anchor.sequence() > last
            ? anchor
            : new Anchor(last, forgotten.get(last).landing());
    return new CommittedRecord(tableUuid, newest, entries.tailMap(floor));
  }

  /** This record with results added or replaced. */
  CommittedRecord with(Map<Long, Entry> added) {
    SortedMap<Long, Entry> all = new TreeMap<>(entries);
    all.putAll(added);
    return new CommittedRecord(tableUuid, anchor, ImmutableSortedMap.copyOfSorted(all));
  }

  String toText() {
    ByteArrayDataOutput out = ByteStreams.newDataOutput();
    RecordBytes.writeString(out, tableUuid);
    out.writeByte(anchor == null ? 0 : 1);
    if (anchor != null) {
      RecordBytes.writeVarLong(out, anchor.sequence());
      writeLanding(out, anchor.landing());
    }
    List<List<Map.Entry<Long, Entry>>> groups = groups();
    RecordBytes.writeVarLong(out, groups.size());
    long previous = 0;
    for (List<Map.Entry<Long, Entry>> group : groups) {
      writeLanding(out, group.get(0).getValue().landing());
      RecordBytes.writeVarLong(out, group.size());
      for (Map.Entry<Long, Entry> entry : group) {
        RecordBytes.writeVarLong(out, entry.getKey() - previous);
        out.writeLong(entry.getValue().digest());
        previous = entry.getKey();
      }
    }
    return RecordBytes.toText(PREFIX, out);
  }

  /**
   * Reads a record.
   *
   * @throws IllegalArgumentException if the text is none
   */
  static CommittedRecord fromText(String text) {
    byte[] bytes = RecordBytes.fromText(PREFIX, text);
    ByteArrayDataInput in = ByteStreams.newDataInput(bytes);
    try {
      return read(in);
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException("Invalid record: cut short (must be whole)", e);
    }
  }

  private static CommittedRecord read(ByteArrayDataInput in) {
    String uuid = RecordBytes.readString(in, MAX_UUID_BYTES);
    Anchor anchor = null;
    if (in.readByte() != 0) {
      long sequence = RecordBytes.readVarLong(in);
      anchor = new Anchor(sequence, readLanding(in));
    }
    ImmutableSortedMap.Builder<Long, Entry> entries = ImmutableSortedMap.naturalOrder();
    long previous = 0;
    for (long groups = RecordBytes.readVarLong(in); groups > 0; groups--) {
      Landing landing = readLanding(in);
      for (long results = RecordBytes.readVarLong(in); results > 0; results--) {
        long step = RecordBytes.readVarLong(in);
        if (step < 1 || previous + step < 0) {
          throw new IllegalArgumentException(
              "Invalid record: sequences not ascending (must ascend)");
        }
        previous += step;
        entries.put(previous, new Entry(in.readLong(), landing));
      }
    }
    return new CommittedRecord(uuid, anchor, entries.buildOrThrow());
  }

  /** Runs of neighbouring results that landed together. */
  private List<List<Map.Entry<Long, Entry>>> groups() {
    List<List<Map.Entry<Long, Entry>>> groups = new ArrayList<>();
    Landing landing = null;
    for (Map.Entry<Long, Entry> entry : entries.entrySet()) {
      if (!entry.getValue().landing().equals(landing)) {
        landing = entry.getValue().landing();
        groups.add(new ArrayList<>());
      }
      groups.get(groups.size() - 1).add(entry);
    }
    return groups;
  }

  static void writeLanding(ByteArrayDataOutput out, Landing landing) {
    out.writeLong(landing.snapshotId());
    RecordBytes.writeVarLong(out, landing.snapshotSequence());
  }

  static Landing readLanding(ByteArrayDataInput in) {
    long snapshotId = in.readLong();
    return new Landing(snapshotId, RecordBytes.readVarLong(in));
  }
}
