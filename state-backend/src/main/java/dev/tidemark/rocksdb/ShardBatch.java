package dev.tidemark.rocksdb;

import dev.tidemark.candidates.ShardRecords;
import dev.tidemark.candidates.ShardState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A batch on one shard. Mutations go into the memory of the shard at once, which is invalid until
 * the batch commits. Records it used are young, and stay in memory to its end.
 */
final class ShardBatch implements ShardRecords {
  private static final int PREFETCH_KEYS = 4096;
  private static final byte[] NO_VALUE = {};

  private final RocksDbCandidateStore store;
  private final LocalShard shard;
  private final ShardMemory memory;
  private final ShardState state;
  private final ShardHeader header;
  private final boolean stored;
  private final TouchedRecords touched;
  private boolean scanning;
  private boolean closed;

  /**
   * Begins a batch.
   *
   * @param header the header as it is, which the batch changes
   * @param stored whether the runner has this header
   */
  ShardBatch(
      RocksDbCandidateStore store,
      LocalShard shard,
      ShardState state,
      ShardHeader header,
      boolean stored) {
    this.store = store;
    this.shard = shard;
    this.memory = shard.memory;
    this.state = state;
    this.header = header;
    this.stored = stored;
    this.touched = new TouchedRecords();
  }

  boolean isOf(LocalShard other) {
    return shard == other;
  }

  /** Ends it without its mutations. */
  void abandon() {
    closed = true;
  }

  @Override
  public void prefetch(List<byte[]> keys) {
    requireOpen();
    if (!shard.inFiles() || scanning) {
      return;
    }
    List<byte[]> missing = new ArrayList<>();
    for (byte[] key : keys) {
      long hash = KeyHash.hash(key, 0, key.length);
      if (memory.locate(key, hash) == RecordArena.NONE && shard.mayBeBelow(hash)) {
        missing.add(store.files().fileKey(shard.number, key, 0, key.length));
      }
    }
    if (missing.isEmpty()) {
      return;
    }
    store.makeRoom(shard);
    missing.sort(Arrays::compareUnsigned);
    for (int from = 0; from < missing.size(); from += PREFETCH_KEYS) {
      prefetchSorted(missing.subList(from, Math.min(from + PREFETCH_KEYS, missing.size())));
    }
  }

  private void prefetchSorted(List<byte[]> fileKeys) {
    List<byte[]> values = store.files().get(fileKeys);
    byte[] previous = null;
    for (int i = 0; i < fileKeys.size(); i++) {
      byte[] fileKey = fileKeys.get(i);
      if (!Arrays.equals(fileKey, previous)) {
        byte[] key = StoreFiles.recordKey(fileKey);
        long hash = KeyHash.hash(key, 0, key.length);
        // The same key can be in two of the requests.
        if (memory.young().find(key, 0, key.length, hash) == RecordArena.NONE) {
          store.statistics().misses++;
          load(key, hash, values.get(i), RecordArena.READ_AHEAD);
        }
      }
      previous = fileKey;
    }
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    requireOpen();
    long hash = KeyHash.hash(key, 0, key.length);
    int address = memory.locate(key, hash);
    if (address != RecordArena.NONE) {
      RecordArena young = memory.young();
      int flags = young.flags(address);
      if ((flags & RecordArena.READ_AHEAD) == 0) {
        store.statistics().hits++;
      } else {
        young.setFlags(address, flags & ~RecordArena.READ_AHEAD);
      }
      return (flags & RecordArena.REMOVED) != 0 ? null : young.value(address);
    }
    if (!shard.mayBeBelow(hash)) {
      store.statistics().hits++;
      return null;
    }
    store.statistics().misses++;
    byte[] value = store.files().get(shard.number, key);
    // A batch that reads more than there is room for, a long list perhaps, keeps none of it.
    if (!scanning && store.makeRoom(shard)) {
      load(key, hash, value, 0);
    }
    return value;
  }

  @Override
  public void put(byte[] key, byte[] value) {
    requireMutable();
    long hash = KeyHash.hash(key, 0, key.length);
    int address = locateOrLoad(key, hash);
    RecordArena young = memory.young();
    int size = StoredRecord.size(key.length, value.length);
    if (address == RecordArena.NONE) {
      int flags = RecordArena.DIRTY | RecordArena.TOUCHED | memory.inBase();
      touched.add(young.insert(key, 0, key.length, hash, value, 0, value.length, flags));
      header.liveRecords++;
      header.liveBytes += size;
      return;
    }
    int flags = young.flags(address);
    if ((flags & RecordArena.REMOVED) != 0) {
      header.liveRecords++;
    } else if (young.valueEquals(address, value)) {
      return;
    } else {
      header.liveBytes -= StoredRecord.size(key.length, young.valueLength(address));
    }
    header.liveBytes += size;
    young.setFlags(address, touch(address, flags) & ~RecordArena.REMOVED);
    int moved = young.setValue(address, hash, value);
    if (moved != address) {
      touched.add(moved);
    }
  }

  @Override
  public void remove(byte[] key) {
    requireMutable();
    long hash = KeyHash.hash(key, 0, key.length);
    int address = locateOrLoad(key, hash);
    if (address == RecordArena.NONE) {
      return;
    }
    RecordArena young = memory.young();
    int flags = young.flags(address);
    if ((flags & RecordArena.REMOVED) == 0) {
      header.liveRecords--;
      header.liveBytes -= StoredRecord.size(key.length, young.valueLength(address));
      young.setFlags(address, touch(address, flags) | RecordArena.REMOVED);
      young.setValue(address, hash, NO_VALUE);
    }
  }

  /** The flags of a record that this batch is about to change. */
  private int touch(int address, int flags) {
    int result = (flags & ~RecordArena.IN_BASE) | memory.inBase() | RecordArena.DIRTY;
    if ((flags & RecordArena.TOUCHED) == 0) {
      touched.add(address);
      result |= RecordArena.TOUCHED;
      if ((flags & RecordArena.REMOVED) == 0) {
        result |= RecordArena.WAS_LIVE;
      }
    }
    return result;
  }

  private int locateOrLoad(byte[] key, long hash) {
    int address = memory.locate(key, hash);
    if (address != RecordArena.NONE || !shard.mayBeBelow(hash)) {
      return address;
    }
    store.makeRoom(shard);
    store.statistics().misses++;
    return load(key, hash, store.files().get(shard.number, key), 0);
  }

  private int load(byte[] key, long hash, byte @Nullable [] value, int moreFlags) {
    int flags = memory.inBase() | moreFlags;
    if (value != null) {
      return memory
          .young()
          .insert(key, 0, key.length, hash, value, 0, value.length, flags | RecordArena.BELOW);
    }
    int address =
        memory
            .young()
            .insert(key, 0, key.length, hash, NO_VALUE, 0, 0, flags | RecordArena.REMOVED);
    // Forgotten after the batch.
    touched.add(address);
    return address;
  }

  @Override
  public void scan(byte[] prefix, byte @Nullable [] after, Visitor visitor) {
    requireOpen();
    boolean outer = scanning;
    scanning = true;
    try {
      RecordScan.run(shard, store.files(), prefix, after, visitor);
    } finally {
      scanning = outer;
    }
  }

  @Override
  public void commit() {
    requireMutable();
    closed = true;
    List<byte[]> parts = takeMutations();
    if (!parts.isEmpty()) {
      header.fence = shard.attempt.at(header.fence.version() + 1);
      store.writeState(shard, state, header, parts);
    }
    memory.compactIfSparse(store.meter());
    store.makeRoom(null);
    shard.fence = stored || !parts.isEmpty() ? header.fence : null;
    store.committed(this);
  }

  /** Turns the mutations into a journal entry and clears all marks of this batch. */
  private List<byte[]> takeMutations() {
    JournalWriter journal = null;
    RecordArena young = memory.young();
    for (int i = 0; i < touched.size(); i++) {
      int address = touched.get(i);
      int flags = young.flags(address);
      if ((flags & RecordArena.DEAD) != 0) {
        continue;
      }
      boolean removed = (flags & RecordArena.REMOVED) != 0;
      if ((flags & RecordArena.TOUCHED) != 0 && (!removed || (flags & RecordArena.WAS_LIVE) != 0)) {
        journal = journal == null ? newJournal() : journal;
        byte[] chunk = young.chunk(address);
        int keyAt = young.keyAt(address);
        int keyLength = young.keyLength(address);
        if (removed) {
          journal.remove(chunk, keyAt, keyLength);
        } else {
          journal.put(chunk, keyAt, keyLength, young.valueLength(address));
        }
      }
      if (removed && (flags & RecordArena.BELOW) == 0) {
        young.unlink(address, young.hash(address));
      } else {
        young.setFlags(
            address,
            flags & ~(RecordArena.TOUCHED | RecordArena.WAS_LIVE | RecordArena.READ_AHEAD));
      }
    }
    return journal == null ? List.of() : journal.finish();
  }

  private JournalWriter newJournal() {
    return new JournalWriter(store.output(), header.fence.version() + 1);
  }

  private void requireMutable() {
    requireOpen();
    if (scanning) {
      throw new IllegalStateException(
          "Cannot change the records of shard "
              + shard.number
              + ": a scan visits them. Change them after the scan.");
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException(
          "Cannot use the records of shard "
              + shard.number
              + ": their batch has ended. Begin another batch.");
    }
  }
}
