package dev.tidemark.rocksdb;

import dev.tidemark.candidates.ShardState;
import dev.tidemark.candidates.ShardState.Bag;
import java.util.List;

/**
 * Reads all records of a shard from what the runner keeps: the newest mutation of a record is what
 * counts, so journals are read from the last entry to the first, then the base image.
 */
final class ShardFold implements StoredRecord.Target {
  private final RecordArena records;
  private final int flags;
  private long bytes;

  private ShardFold(RecordArena records, int flags) {
    this.records = records;
    this.flags = flags;
  }

  /**
   * Reads all records into an empty arena.
   *
   * @param flags what each record gets
   * @return the bytes read
   */
  static long read(
      int shard, ShardHeader header, ShardState state, RecordArena records, int flags) {
    ShardFold fold = new ShardFold(records, flags);
    fold.readJournals(shard, header, state);
    ShardHeader.BaseSet base = header.bases[header.active];
    fold.bytes +=
        BaseChunks.readAll(state.read(ShardHeader.baseBag(header.active)), shard, base, fold);
    if (!header.building) {
      requireEmpty(shard, state, ShardHeader.baseBag(1 - header.active));
      requireEmpty(shard, state, ShardHeader.journalBag(1 - header.active));
    }
    fold.check(shard, header);
    return fold.bytes;
  }

  /** Checks that a shard without header has nothing else. */
  static void requireEmpty(int shard, ShardState state) {
    for (Bag bag : Bag.values()) {
      requireEmpty(shard, state, bag);
    }
  }

  private static void requireEmpty(int shard, ShardState state, Bag bag) {
    if (state.read(bag).iterator().hasNext()) {
      throw StoredInput.corrupt("the header", shard, "it knows nothing of what is in " + bag);
    }
  }

  private void readJournals(int shard, ShardHeader header, ShardState state) {
    long begun = header.bases[header.active].version;
    long end = header.fence.version();
    if (header.building) {
      long next = header.bases[1 - header.active].version;
      readJournal(shard, header, state, 1 - header.active, next, end);
      end = next;
    }
    readJournal(shard, header, state, header.active, begun, end);
  }

  private void readJournal(
      int shard, ShardHeader header, ShardState state, int number, long after, long to) {
    List<JournalPart> parts =
        JournalPart.sort(state.read(ShardHeader.journalBag(number)), shard, after, to);
    long journalBytes = 0;
    for (int i = parts.size() - 1; i >= 0; i--) {
      JournalPart part = parts.get(i);
      StoredRecord.readAll(part.in(), true, this);
      journalBytes += part.in().array.length;
    }
    bytes += journalBytes;
    if (journalBytes != header.journalBytes[number]) {
      throw StoredInput.corrupt(
          "the journal",
          shard,
          "it has %s of %s bytes".formatted(journalBytes, header.journalBytes[number]));
    }
  }

  @Override
  public void put(byte[] array, int keyAt, int keyLength, int valueAt, int valueLength) {
    add(array, keyAt, keyLength, valueAt, valueLength, flags);
  }

  @Override
  public void remove(byte[] array, int keyAt, int keyLength) {
    add(array, keyAt, keyLength, keyAt + keyLength, 0, flags | RecordArena.REMOVED);
  }

  private void add(
      byte[] array, int keyAt, int keyLength, int valueAt, int valueLength, int newFlags) {
    long hash = KeyHash.hash(array, keyAt, keyLength);
    if (records.find(array, keyAt, keyLength, hash) == RecordArena.NONE) {
      records.insert(array, keyAt, keyLength, hash, array, valueAt, valueLength, newFlags);
    }
  }

  private void check(int shard, ShardHeader header) {
    long liveBytes = 0;
    for (int a = records.first(); a != RecordArena.NONE; a = records.next(a)) {
      int its = records.flags(a);
      if ((its & RecordArena.DEAD) == 0) {
        if ((its & RecordArena.REMOVED) != 0) {
          records.unlink(a, records.hash(a));
        } else {
          liveBytes += StoredRecord.size(records.keyLength(a), records.valueLength(a));
        }
      }
    }
    if (records.count() != header.liveRecords || liveBytes != header.liveBytes) {
      throw StoredInput.corrupt(
          "the records",
          shard,
          "there are %s of %s with %s of %s bytes"
              .formatted(records.count(), header.liveRecords, liveBytes, header.liveBytes));
    }
  }
}
