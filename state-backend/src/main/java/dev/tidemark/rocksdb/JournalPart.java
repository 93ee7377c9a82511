package dev.tidemark.rocksdb;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** One part of a journal entry, checked, its records not read yet. See {@link JournalWriter}. */
record JournalPart(StoredInput in, long version, int part, boolean last) {
  static JournalPart read(byte[] element, int shard) {
    StoredInput in = new StoredInput(element, JournalWriter.VERSION, "a journal entry", shard);
    return new JournalPart(in, in.readCount(), in.readInt(), in.readByte() == 1);
  }

  /**
   * Sorts the parts of one journal and checks that they are the whole of it.
   *
   * @param after the version before the first one
   * @param to the last version
   */
  static List<JournalPart> sort(Iterable<byte[]> elements, int shard, long after, long to) {
    List<JournalPart> parts = new ArrayList<>();
    for (byte[] element : elements) {
      parts.add(read(element, shard));
    }
    parts.sort(Comparator.comparingLong(JournalPart::version).thenComparing(JournalPart::part));
    long version = after;
    int part = -1;
    boolean last = true;
    for (JournalPart next : parts) {
      version = last ? version + 1 : version;
      part = last ? 0 : part + 1;
      if (next.version != version || next.part != part) {
        throw StoredInput.corrupt(
            "the journal",
            shard,
            "it has part %s of version %s in place of part %s of version %s"
                .formatted(next.part, next.version, part, version));
      }
      last = next.last;
    }
    if (!last || version != to) {
      throw StoredInput.corrupt(
          "the journal",
          shard,
          "it ends at version %s%s, not at version %s"
              .formatted(version, last ? "" : " within a batch", to));
    }
    return parts;
  }
}
