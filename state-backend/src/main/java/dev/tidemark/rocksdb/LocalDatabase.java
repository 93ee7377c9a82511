package dev.tidemark.rocksdb;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Checkpoint;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * One RocksDB and all it needs of native memory. Only what {@code rocksdbjni} 10.10 and Flink's
 * {@code frocksdbjni} 6.20 have in common is used.
 *
 * <p>A call that fails marks it broken, after which stores leave it for a new one.
 */
final class LocalDatabase implements AutoCloseable {
  private static final int BLOCK_BYTES = 8 << 10;

  private final Path path;
  private final Deque<AbstractNativeReference> natives = new ArrayDeque<>();
  private final WriteOptions writeOptions;
  private final ReadOptions readOptions;
  private final ReadOptions scanOptions;
  private final RocksDB db;
  private final AtomicInteger sessions = new AtomicInteger();
  private volatile boolean broken;

  private LocalDatabase(Path path, NativeMemory memory) throws RocksDBException {
    this.path = path;
    try {
      BlockBasedTableConfig table =
          new BlockBasedTableConfig()
              .setBlockCache(memory.cache())
              .setBlockSize(BLOCK_BYTES)
              .setCacheIndexAndFilterBlocks(true)
              .setCacheIndexAndFilterBlocksWithHighPriority(true)
              .setPinL0FilterAndIndexBlocksInCache(false)
              .setFormatVersion(5)
              .setFilterPolicy(own(new BloomFilter(10, false)));
      long buffer = memory.writeBufferBytes();
      Options options =
          own(new Options())
              .setCreateIfMissing(true)
              .setWriteBufferManager(memory.writeBuffers())
              .setWriteBufferSize(buffer)
              .setMaxWriteBufferNumber(3)
              .setTargetFileSizeBase(Math.max(8 << 20, buffer))
              // Space is cheap here, for it is not kept for long; work is not.
              .setCompactionStyle(CompactionStyle.UNIVERSAL)
              .setLevel0FileNumCompactionTrigger(8)
              .setLevel0SlowdownWritesTrigger(40)
              .setLevel0StopWritesTrigger(60)
              // What is not there is known before files are asked.
              .setOptimizeFiltersForHits(true)
              .setAllowConcurrentMemtableWrite(false)
              .setMaxBackgroundJobs(2)
              .setCompressionType(CompressionType.NO_COMPRESSION)
              .setStatsDumpPeriodSec(0)
              .setKeepLogFileNum(1)
              .setInfoLogLevel(InfoLogLevel.ERROR_LEVEL)
              .setTableFormatConfig(table);
      writeOptions = own(new WriteOptions()).setDisableWAL(true);
      readOptions = own(new ReadOptions());
      // A scan reads much once; what batches ask for again stays in the cache.
      scanOptions = own(new ReadOptions()).setFillCache(false);
      db = own(RocksDB.open(options, path.toString()));
    } catch (RocksDBException | RuntimeException | Error e) {
      closeNatives();
      throw e;
    }
  }

  static LocalDatabase open(Path path, NativeMemory memory) {
    try {
      return new LocalDatabase(path, memory);
    } catch (RocksDBException e) {
      throw new LocalFilesException("open the local database " + path, e);
    }
  }

  private <T extends AbstractNativeReference> T own(T reference) {
    natives.push(reference);
    return reference;
  }

  Path path() {
    return path;
  }

  boolean isBroken() {
    return broken;
  }

  /** A number for the keys of one store, which no other store of this database has. */
  int newSession() {
    return sessions.incrementAndGet();
  }

  byte @Nullable [] get(byte[] key) {
    try {
      return db.get(readOptions, key);
    } catch (RocksDBException e) {
      throw failed("read local records", e);
    }
  }

  /** The values of sorted keys, null for those that are not there. */
  List<byte[]> get(List<byte[]> keys) {
    try {
      return db.multiGetAsList(readOptions, keys);
    } catch (RocksDBException e) {
      throw failed("read local records", e);
    }
  }

  void write(WriteBatch batch) {
    try {
      db.write(writeOptions, batch);
    } catch (RocksDBException e) {
      throw failed("write local records", e);
    }
  }

  void deleteRange(byte[] from, byte[] to) {
    try {
      db.deleteRange(writeOptions, from, to);
    } catch (RocksDBException e) {
      throw failed("delete local records", e);
    }
  }

  /** To be closed before this database. */
  RocksIterator newIterator() {
    return db.newIterator(scanOptions);
  }

  /** Throws what made an iterator end early, if anything did. */
  void check(RocksIterator iterator) {
    try {
      iterator.status();
    } catch (RocksDBException e) {
      throw failed("read local records", e);
    }
  }

  void checkpoint(Path target) {
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(true);
        Checkpoint checkpoint = Checkpoint.create(db)) {
      db.flush(flush);
      checkpoint.createCheckpoint(target.toString());
    } catch (RocksDBException e) {
      throw failed("write a checkpoint to " + target, e);
    }
  }

  long property(String name) {
    try {
      return db.getLongProperty(name);
    } catch (RocksDBException e) {
      throw failed("read a property of the local database", e);
    }
  }

  LocalFilesException failed(String doing, RocksDBException cause) {
    broken = true;
    return new LocalFilesException(doing + " in " + path, cause);
  }

  /** Whether all native memory is given back. */
  boolean isClosed() {
    return natives.isEmpty();
  }

  @Override
  public void close() {
    closeNatives();
  }

  private void closeNatives() {
    while (!natives.isEmpty()) {
      natives.pop().close();
    }
  }
}
