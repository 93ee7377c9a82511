package dev.tidemark.candidates.testing;

import dev.tidemark.candidates.CandidateStore;
import dev.tidemark.candidates.CandidateStoreStatistics;
import dev.tidemark.candidates.CorruptStateException;
import dev.tidemark.candidates.ShardRecords;
import dev.tidemark.candidates.ShardState;
import dev.tidemark.candidates.ShardState.Bag;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A store with sorted maps, for tests: it keeps all records of its shards in memory, journals each
 * batch as one element and never spills.
 */
public final class InMemoryCandidateStore implements CandidateStore {
  private static final int BASE_FACTOR = 4;
  private static final int MIN_JOURNAL_BYTES = 64 << 10;

  private static long lastAttempt = System.nanoTime();

  private final CandidateStoreStatistics statistics = new CandidateStoreStatistics();
  private final Map<Integer, Shard> shards = new HashMap<>();

  private InMemoryCandidateStore() {}

  /** An empty store. */
  public static InMemoryCandidateStore create() {
    return new InMemoryCandidateStore();
  }

  @Override
  public ShardRecords begin(int number, ShardState state) {
    Shard shard = shards.computeIfAbsent(number, n -> new Shard());
    byte[] fence = state.header();
    if (shard.fence == null || !Arrays.equals(shard.fence, fence)) {
      shard.rebuild(state, fence);
    }
    shard.fence = null;
    shard.batch = new Batch(shard, state);
    return shard.batch;
  }

  /**
   * The records of a shard as of its last commit, to look at; empty if it has to be rebuilt first.
   */
  public NavigableMap<byte[], byte[]> records(int number) {
    Shard shard = shards.get(number);
    return shard == null || shard.fence == null ? newRecords() : shard.records;
  }

  @Override
  public CandidateStoreStatistics statistics() {
    return statistics;
  }

  @Override
  public void close() {
    shards.clear();
  }

  private static NavigableMap<byte[], byte[]> newRecords() {
    return new TreeMap<>(Arrays::compareUnsigned);
  }

  /** Differs from all attempts before, of all stores in this process. */
  private static synchronized long nextAttempt() {
    return ++lastAttempt;
  }

  private static byte[] bytes(Writer writer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      writer.write(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private interface Writer {
    void write(DataOutputStream out) throws IOException;
  }

  /** The records of one shard. Fence: attempt, version. Element: version, then mutations. */
  private final class Shard {
    private byte @Nullable [] fence;
    private @Nullable Batch batch;
    private NavigableMap<byte[], byte[]> records = newRecords();
    private long attempt;
    private long version;
    private long recordBytes;
    private long journalBytes;

    void rebuild(ShardState state, byte @Nullable [] header) {
      records = newRecords();
      attempt = nextAttempt();
      version = 0;
      recordBytes = 0;
      journalBytes = 0;
      if (header == null) {
        return;
      }
      statistics.rebuilds++;
      try {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(header));
        in.readLong();
        version = in.readLong();
        long first = 1;
        for (byte[] element : state.read(Bag.BASE_0)) {
          first = apply(element) + 1;
        }
        TreeMap<Long, byte[]> journal = new TreeMap<>();
        for (byte[] element : state.read(Bag.JOURNAL_0)) {
          journalBytes += element.length;
          journal.put(new DataInputStream(new ByteArrayInputStream(element)).readLong(), element);
        }
        for (byte[] element : journal.values()) {
          if (apply(element) != first++) {
            throw new IOException("a journal element is missing");
          }
        }
        if (first != version + 1) {
          throw new IOException("journal and fence differ");
        }
      } catch (IOException e) {
        throw new CorruptStateException(
            "Cannot rebuild shard: " + e.getMessage() + ". Restore an older checkpoint.", e);
      }
    }

    private long apply(byte[] element) throws IOException {
      statistics.rebuiltBytes += element.length;
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(element));
      long elementVersion = in.readLong();
      while (in.available() > 0) {
        byte[] key = read(in);
        if (in.readBoolean()) {
          set(key, read(in));
        } else {
          unset(key);
        }
      }
      return elementVersion;
    }

    private byte[] read(DataInputStream in) throws IOException {
      int length = in.readInt();
      if (length < 0 || length > in.available()) {
        throw new IOException("an element is cut off");
      }
      byte[] bytes = new byte[length];
      in.readFully(bytes);
      return bytes;
    }

    void set(byte[] key, byte[] value) {
      byte[] before = records.put(key, value);
      recordBytes += value.length + (before == null ? key.length : -before.length);
    }

    void unset(byte[] key) {
      byte[] before = records.remove(key);
      recordBytes -= before == null ? 0 : before.length + key.length;
    }

    void commit(ShardState state, Map<byte[], byte[]> mutations) {
      version++;
      if (journalBytes > MIN_JOURNAL_BYTES && journalBytes > BASE_FACTOR * recordBytes) {
        byte[] base = element(records);
        state.clear(Bag.BASE_0);
        state.clear(Bag.JOURNAL_0);
        state.add(Bag.BASE_0, base);
        journalBytes = 0;
        statistics.bases++;
        statistics.baseBytes += base.length;
      } else {
        byte[] element = element(mutations);
        state.add(Bag.JOURNAL_0, element);
        journalBytes += element.length;
        statistics.journalBytes += element.length;
      }
      statistics.largestShardBytes =
          Math.max(statistics.largestShardBytes, recordBytes + journalBytes);
      fence =
          bytes(
              out -> {
                out.writeLong(attempt);
                out.writeLong(version);
              });
      state.setHeader(fence);
    }

    private byte[] element(Map<byte[], byte[]> mutations) {
      return bytes(
          out -> {
            out.writeLong(version);
            for (Map.Entry<byte[], byte[]> mutation : mutations.entrySet()) {
              out.writeInt(mutation.getKey().length);
              out.write(mutation.getKey());
              out.writeBoolean(mutation.getValue() != null);
              if (mutation.getValue() != null) {
                out.writeInt(mutation.getValue().length);
                out.write(mutation.getValue());
              }
            }
          });
    }
  }

  /** One batch: mutates the records at once, which is why a shard without commit is rebuilt. */
  private final class Batch implements ShardRecords {
    private final Shard shard;
    private final ShardState state;
    private final Map<byte[], byte[]> mutations = newRecords();

    Batch(Shard shard, ShardState state) {
      this.shard = shard;
      this.state = state;
    }

    @Override
    public void prefetch(List<byte[]> keys) {
      checkOpen();
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
      checkOpen();
      statistics.hits++;
      return shard.records.get(key);
    }

    @Override
    public void put(byte[] key, byte[] value) {
      checkOpen();
      shard.set(key, value);
      mutations.put(key, value);
    }

    @Override
    public void remove(byte[] key) {
      checkOpen();
      shard.unset(key);
      mutations.put(key, null);
    }

    @Override
    public void scan(byte[] prefix, byte @Nullable [] after, Visitor visitor) {
      checkOpen();
      boolean afterPrefix = after != null && Arrays.compareUnsigned(after, prefix) >= 0;
      for (Map.Entry<byte[], byte[]> record :
          shard.records.tailMap(afterPrefix ? after : prefix, !afterPrefix).entrySet()) {
        if (!startsWith(record.getKey(), prefix)
            || !visitor.visit(record.getKey(), record.getValue())) {
          return;
        }
      }
    }

    @Override
    public void commit() {
      checkOpen();
      shard.batch = null;
      shard.commit(state, mutations);
    }

    private void checkOpen() {
      if (shard.batch != this) {
        throw new IllegalStateException("Cannot use records: the batch is over.");
      }
    }

    private static boolean startsWith(byte[] key, byte[] prefix) {
      return key.length >= prefix.length
          && Arrays.mismatch(key, 0, prefix.length, prefix, 0, prefix.length) < 0;
    }
  }
}
