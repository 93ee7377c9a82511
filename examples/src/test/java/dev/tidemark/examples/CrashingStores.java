package dev.tidemark.examples;

import dev.tidemark.candidates.CandidateStore;
import dev.tidemark.candidates.CandidateStoreOptions;
import dev.tidemark.candidates.CandidateStoreProvider;
import dev.tidemark.candidates.CandidateStoreStatistics;
import dev.tidemark.candidates.ShardImages;
import dev.tidemark.candidates.ShardRecords;
import dev.tidemark.candidates.ShardState;
import dev.tidemark.flink.testing.Crashes;
import dev.tidemark.rocksdb.RocksDbCandidateStoreProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Stores on RocksDB that pass crash points wherever a batch can be cut short. */
final class CrashingStores implements CandidateStoreProvider, Serializable {
  /** Over all stores of this process that were closed. */
  static final AtomicLong REBUILDS = new AtomicLong();

  static final AtomicLong BASES = new AtomicLong();
  static final AtomicLong SPILLED_BYTES = new AtomicLong();

  static void reset() {
    REBUILDS.set(0);
    BASES.set(0);
    SPILLED_BYTES.set(0);
  }

  @Override
  public boolean inMemory() {
    return false;
  }

  @Override
  public CandidateStore open(CandidateStoreOptions options) {
    return new Store(new RocksDbCandidateStoreProvider().open(options));
  }

  /** Images that pass crash points at each record and at their ends. */
  @Override
  public ShardImages images() {
    ShardImages images = new RocksDbCandidateStoreProvider().images();
    return new ShardImages() {
      @Override
      public Records readFrom(int shard, ShardState state) {
        return images.readFrom(shard, state);
      }

      @Override
      public Records readFrom(InputStream in) throws IOException {
        return images.readFrom(in);
      }

      @Override
      public Sink writeTo(int shard, ShardState state) {
        return new ImageSink(images.writeTo(shard, state), "import");
      }

      @Override
      public Sink writeTo(OutputStream out) throws IOException {
        return new ImageSink(images.writeTo(out), "export");
      }
    };
  }

  private static final class ImageSink implements ShardImages.Sink {
    private final ShardImages.Sink sink;
    private final String what;

    ImageSink(ShardImages.Sink sink, String what) {
      this.sink = sink;
      this.what = what;
    }

    @Override
    public void put(byte[] key, byte[] value) throws IOException {
      Crashes.point(what + " record");
      sink.put(key, value);
    }

    @Override
    public void close() throws IOException {
      Crashes.point("before end of " + what);
      sink.close();
      Crashes.point("after end of " + what);
    }
  }

  private static final class Store implements CandidateStore {
    private final CandidateStore store;
    private boolean closed;

    Store(CandidateStore store) {
      this.store = store;
    }

    @Override
    public ShardRecords begin(int shard, ShardState state) {
      Crashes.point("before batch");
      return new BatchRecords(store.begin(shard, new State(state)));
    }

    @Override
    public CandidateStoreStatistics statistics() {
      return store.statistics();
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        REBUILDS.addAndGet(store.statistics().rebuilds);
        BASES.addAndGet(store.statistics().bases);
        SPILLED_BYTES.addAndGet(store.statistics().spilledBytes);
      }
      store.close();
    }
  }

  /** Only a rebuild reads bags, and only a base image adds to the bags of bases. */
  private static final class State implements ShardState {
    private final ShardState state;

    State(ShardState state) {
      this.state = state;
    }

    @Override
    public byte @Nullable [] header() {
      return state.header();
    }

    @Override
    public void setHeader(byte[] header) {
      state.setHeader(header);
      Crashes.point("header set");
    }

    @Override
    public Iterable<byte[]> read(Bag bag) {
      Iterable<byte[]> elements = state.read(bag);
      return () -> {
        Iterator<byte[]> iterator = elements.iterator();
        return new Iterator<>() {
          @Override
          public boolean hasNext() {
            return iterator.hasNext();
          }

          @Override
          public byte[] next() {
            Crashes.point("rebuild");
            return iterator.next();
          }
        };
      };
    }

    @Override
    public void add(Bag bag, byte[] element) {
      boolean base = bag == Bag.BASE_0 || bag == Bag.BASE_1;
      if (base) {
        Crashes.point("base image");
      }
      state.add(bag, element);
      Crashes.point(base ? "base chunk added" : "journal added");
    }

    @Override
    public void clear(Bag bag) {
      state.clear(bag);
    }
  }

  private static final class BatchRecords implements ShardRecords {
    private final ShardRecords records;

    BatchRecords(ShardRecords records) {
      this.records = records;
    }

    @Override
    public void prefetch(List<byte[]> keys) {
      records.prefetch(keys);
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
      return records.get(key);
    }

    @Override
    public void put(byte[] key, byte[] value) {
      records.put(key, value);
      Crashes.point("record put");
    }

    @Override
    public void remove(byte[] key) {
      records.remove(key);
    }

    @Override
    public void scan(byte[] prefix, byte @Nullable [] after, Visitor visitor) {
      records.scan(prefix, after, visitor);
    }

    @Override
    public void commit() {
      Crashes.point("before commit");
      records.commit();
      Crashes.point("after commit");
    }
  }
}
