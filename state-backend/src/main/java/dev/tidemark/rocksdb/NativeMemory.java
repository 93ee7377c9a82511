package dev.tidemark.rocksdb;

import org.rocksdb.LRUCache;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/** The memory off the heap: a block cache, to which write buffers are charged. */
final class NativeMemory implements AutoCloseable {
  private final LRUCache cache;
  private final WriteBufferManager writeBuffers;
  private final long bytes;

  NativeMemory(long bytes) {
    RocksDB.loadLibrary();
    this.bytes = bytes;
    this.cache = new LRUCache(bytes, 0);
    this.writeBuffers = new WriteBufferManager(bytes / 2, cache);
  }

  LRUCache cache() {
    return cache;
  }

  WriteBufferManager writeBuffers() {
    return writeBuffers;
  }

  /** The size of one write buffer. */
  long writeBufferBytes() {
    return Math.max(64 << 10, Math.min(64 << 20, bytes / 4));
  }

  @Override
  public void close() {
    writeBuffers.close();
    cache.close();
  }
}
