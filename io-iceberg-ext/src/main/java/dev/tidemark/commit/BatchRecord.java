package dev.tidemark.commit;

import com.google.common.collect.ImmutableMap;
import com.google.common.io.ByteArrayDataInput;
import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The batches a table holds of one writer, by token ({@code batch:<run>:<window>}).
 *
 * @param tableUuid the table it is about
 * @param entries batches by token, oldest first
 */
record BatchRecord(String tableUuid, ImmutableMap<String, Entry> entries) {
  static final String PREFIX = "b1:";
  static final int MAX_CHUNKS = 64;

  /** A run that is retried later than this after its commit is not recognised. */
  static final long KEPT_MILLIS = 30L * 24 * 60 * 60 * 1000;

  private static final int MAX_TEXT_BYTES = 512;

  record Entry(long digest, Landing landing, long committedAtMillis) {}

  static PropertyChunks chunks(TidemarkKeys keys, String writerId) {
    return PropertyChunks.numbered(keys.committedBatch(writerId), MAX_CHUNKS);
  }

  static BatchRecord empty(String tableUuid) {
    return new BatchRecord(tableUuid, ImmutableMap.of());
  }

  /** This record with a batch added or replaced, and without those too old to be retried. */
  BatchRecord with(String token, Entry added) {
    Map<String, Entry> all = new LinkedHashMap<>(entries);
    all.remove(token);
    all.values().removeIf(e -> e.committedAtMillis() < added.committedAtMillis() - KEPT_MILLIS);
    all.put(token, added);
    return new BatchRecord(tableUuid, ImmutableMap.copyOf(all));
  }

  String toText() {
    ByteArrayDataOutput out = ByteStreams.newDataOutput();
    RecordBytes.writeString(out, tableUuid);
    RecordBytes.writeVarLong(out, entries.size());
    entries.forEach(
        (token, entry) -> {
          RecordBytes.writeString(out, token);
          out.writeLong(entry.digest());
          CommittedRecord.writeLanding(out, entry.landing());
          RecordBytes.writeVarLong(out, entry.committedAtMillis());
        });
    return RecordBytes.toText(PREFIX, out);
  }

  /**
   * Reads a record.
   *
   * @throws IllegalArgumentException if the text is none
   */
  static BatchRecord fromText(String text) {
    ByteArrayDataInput in = ByteStreams.newDataInput(RecordBytes.fromText(PREFIX, text));
    try {
      String uuid = RecordBytes.readString(in, MAX_TEXT_BYTES);
      ImmutableMap.Builder<String, Entry> entries = ImmutableMap.builder();
      for (long count = RecordBytes.readVarLong(in); count > 0; count--) {
        String token = RecordBytes.readString(in, MAX_TEXT_BYTES);
        long digest = in.readLong();
        Landing landing = CommittedRecord.readLanding(in);
        entries.put(token, new Entry(digest, landing, RecordBytes.readVarLong(in)));
      }
      return new BatchRecord(uuid, entries.buildOrThrow());
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException("Invalid record: cut short (must be whole)", e);
    }
  }
}
