package dev.tidemark.rocksdb;

import dev.tidemark.candidates.ShardRecords.Visitor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/**
 * The records of one store in a database. A key there is: number of the store, number of the shard
 * (4 bytes each), key.
 */
final class StoreFiles implements AutoCloseable {
  private static final int PREFIX_BYTES = 8;
  private static final int BATCH_BYTES = 256 << 10;

  private final SharedFiles.Lease lease;
  private final LocalDatabase database;
  private final int session;

  StoreFiles(SharedFiles.Lease lease, int session) {
    this.lease = lease;
    this.database = lease.database();
    this.session = session;
  }

  /** The files of a store that begins with none. */
  static StoreFiles create(SharedFiles.Lease lease) {
    return new StoreFiles(lease, lease.database().newSession());
  }

  boolean isBroken() {
    return database.isBroken();
  }

  LocalDatabase database() {
    return database;
  }

  int session() {
    return session;
  }

  byte @Nullable [] get(int shard, byte[] key) {
    return database.get(fileKey(shard, key, 0, key.length));
  }

  /** The values of sorted keys made by {@link #fileKey}; null for those that are not there. */
  List<byte[]> get(List<byte[]> fileKeys) {
    return database.get(fileKeys);
  }

  byte[] fileKey(int shard, byte[] array, int keyAt, int keyLength) {
    byte[] result = new byte[PREFIX_BYTES + keyLength];
    StoredOutput.putInt(result, 0, session);
    StoredOutput.putInt(result, 4, shard);
    System.arraycopy(array, keyAt, result, PREFIX_BYTES, keyLength);
    return result;
  }

  /** The key of a record in a key made by {@link #fileKey}. */
  static byte[] recordKey(byte[] fileKey) {
    return Arrays.copyOfRange(fileKey, PREFIX_BYTES, fileKey.length);
  }

  /** Writes what is dirty of a part of the memory, and returns its size. */
  long write(LocalShard shard, RecordArena arena) {
    List<Dirty> dirty = new ArrayList<>();
    for (int a = arena.first(); a != RecordArena.NONE; a = arena.next(a)) {
      int flags = arena.flags(a);
      if ((flags & (RecordArena.DEAD | RecordArena.DIRTY)) == RecordArena.DIRTY
          && ((flags & RecordArena.REMOVED) == 0 || (flags & RecordArena.BELOW) != 0)) {
        dirty.add(
            new Dirty(
                fileKey(shard.number, arena.chunk(a), arena.keyAt(a), arena.keyLength(a)), a));
      }
    }
    dirty.sort((a, b) -> Arrays.compareUnsigned(a.fileKey, b.fileKey));
    long bytes = writeSorted(arena, dirty);
    for (Dirty record : dirty) {
      int flags = arena.flags(record.address);
      if ((flags & RecordArena.REMOVED) != 0) {
        shard.removeBelow(1);
        arena.setFlags(record.address, flags & ~RecordArena.BELOW);
      } else {
        if ((flags & RecordArena.BELOW) == 0) {
          shard.addBelow(arena.hash(record.address));
        }
        arena.setFlags(record.address, (flags & ~RecordArena.DIRTY) | RecordArena.BELOW);
      }
    }
    return bytes;
  }

  private long writeSorted(RecordArena arena, List<Dirty> dirty) {
    long bytes = 0;
    long written = 0;
    try (WriteBatch batch = new WriteBatch()) {
      for (Dirty record : dirty) {
        if ((arena.flags(record.address) & RecordArena.REMOVED) != 0) {
          batch.delete(record.fileKey);
        } else {
          byte[] value = arena.value(record.address);
          batch.put(record.fileKey, value);
          bytes += value.length;
        }
        bytes += record.fileKey.length;
        if (bytes - written > BATCH_BYTES) {
          database.write(batch);
          batch.clear();
          written = bytes;
        }
      }
      if (batch.count() > 0) {
        database.write(batch);
      }
    } catch (RocksDBException e) {
      throw database.failed("write local records", e);
    }
    return bytes;
  }

  /**
   * Visits the records of a shard in ascending order of keys. Returns whether it came to the end.
   *
   * @param after visit only keys greater than this one; null for all
   */
  boolean scan(int shard, byte[] prefix, byte @Nullable [] after, Visitor visitor) {
    try (Cursor cursor = cursor(shard, prefix, after)) {
      for (; cursor.isValid(); cursor.next()) {
        if (!visitor.visit(cursor.key(), cursor.value())) {
          return false;
        }
      }
      return true;
    }
  }

  Cursor cursor(int shard, byte[] prefix, byte @Nullable [] after) {
    return new Cursor(shard, prefix, after);
  }

  void deleteShard(int shard) {
    byte[] from = fileKey(shard, new byte[0], 0, 0);
    database.deleteRange(from, successor(from));
  }

  @Override
  public void close() {
    try {
      if (!database.isBroken()) {
        byte[] from = new byte[4];
        StoredOutput.putInt(from, 0, session);
        database.deleteRange(from, successor(from));
      }
    } finally {
      lease.release();
    }
  }

  /** The least key greater than all with a prefix, of which not all bytes are the largest. */
  private static byte[] successor(byte[] prefix) {
    int last = prefix.length - 1;
    while (prefix[last] == -1) {
      last--;
    }
    byte[] result = Arrays.copyOf(prefix, last + 1);
    result[last]++;
    return result;
  }

  /** A record to write. */
  private static final class Dirty {
    final byte[] fileKey;
    final int address;

    Dirty(byte[] fileKey, int address) {
      this.fileKey = fileKey;
      this.address = address;
    }
  }

  /** Goes over the records of one prefix. */
  final class Cursor implements AutoCloseable {
    private final byte[] filePrefix;
    private final RocksIterator iterator;
    private byte @Nullable [] fileKey;

    private Cursor(int shard, byte[] prefix, byte @Nullable [] after) {
      this.filePrefix = fileKey(shard, prefix, 0, prefix.length);
      this.iterator = database.newIterator();
      try {
        seek(shard, prefix, after);
      } catch (RuntimeException | Error e) {
        iterator.close();
        throw e;
      }
    }

    private void seek(int shard, byte[] prefix, byte @Nullable [] after) {
      if (after == null || Arrays.compareUnsigned(after, prefix) < 0) {
        iterator.seek(filePrefix);
      } else {
        // The least key that is greater.
        iterator.seek(fileKey(shard, Arrays.copyOf(after, after.length + 1), 0, after.length + 1));
      }
      load();
    }

    boolean isValid() {
      return fileKey != null;
    }

    byte[] key() {
      return recordKey(fileKey);
    }

    byte[] value() {
      return iterator.value();
    }

    void next() {
      iterator.next();
      load();
    }

    private void load() {
      byte[] key = iterator.isValid() ? iterator.key() : null;
      fileKey =
          key != null
                  && key.length >= filePrefix.length
                  && Arrays.equals(key, 0, filePrefix.length, filePrefix, 0, filePrefix.length)
              ? key
              : null;
      if (key == null) {
        database.check(iterator);
      }
    }

    @Override
    public void close() {
      iterator.close();
    }
  }
}
