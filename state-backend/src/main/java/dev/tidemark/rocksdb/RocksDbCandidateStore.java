package dev.tidemark.rocksdb;

import dev.tidemark.candidates.CandidateStore;
import dev.tidemark.candidates.CandidateStoreStatistics;
import dev.tidemark.candidates.CorruptStateException;
import dev.tidemark.candidates.ShardRecords;
import dev.tidemark.candidates.ShardState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store: shards in memory, as far as the budget goes, and the rest in files. Files are written
 * only to make room, and are as easily lost as the memory.
 */
final class RocksDbCandidateStore implements CandidateStore {
  private static final Logger LOG = LoggerFactory.getLogger(RocksDbCandidateStore.class);

  /** A bag is read whole, so a shard should not be larger. */
  static final long LARGE_SHARD_BYTES = 32L << 20;

  private final SharedFiles shared;
  private final MemoryMeter meter = new MemoryMeter();
  private final CandidateStoreStatistics statistics = new CandidateStoreStatistics();
  private final StoredOutput output = new StoredOutput();
  private final Map<Integer, LocalShard> shards = new HashMap<>();
  private final List<LocalShard> ring = new ArrayList<>();
  private StoreFiles files;
  private @Nullable ShardBatch batch;
  private int hand;

  /** Whether the running batch alone takes more than there is. */
  private boolean exhausted;

  private boolean closed;

  private RocksDbCandidateStore(SharedFiles shared, StoreFiles files) {
    this.shared = shared;
    this.files = files;
  }

  static RocksDbCandidateStore open(StoreLimits limits, Path directory) {
    SharedFiles shared = SharedFiles.join(limits, directory);
    try {
      return new RocksDbCandidateStore(shared, StoreFiles.create(shared.lease()));
    } catch (RuntimeException | Error e) {
      shared.leave();
      throw e;
    }
  }

  static RocksDbCandidateStore openFromCheckpoint(
      StoreLimits limits, Path directory, Path checkpoint) {
    SharedFiles shared = SharedFiles.join(limits, directory);
    try {
      CheckpointFences fences = CheckpointFences.read(checkpoint);
      SharedFiles.Lease lease = shared.leaseCopy(CheckpointFences.databasePath(checkpoint));
      RocksDbCandidateStore store =
          new RocksDbCandidateStore(shared, new StoreFiles(lease, fences.session()));
      fences
          .fences()
          .forEach(
              (number, fence) -> {
                LocalShard shard = store.shard(number);
                shard.fence = fence;
                shard.unverified = true;
              });
      return store;
    } catch (IOException | CorruptStateException | LocalFilesException e) {
      LOG.warn(
          "Cannot use the checkpoint {} of local files: {}. All shards are rebuilt; delete it",
          checkpoint,
          e.toString());
      shared.leave();
      return open(limits, directory);
    } catch (RuntimeException | Error e) {
      shared.leave();
      throw e;
    }
  }

  @Override
  public ShardRecords begin(int number, ShardState state) {
    requireOpen();
    abandonBatch();
    leaveBrokenFiles();
    LocalShard shard = shard(number);
    Fence local = shard.fence;
    shard.fence = null;
    byte[] bytes = state.header();
    ShardHeader header =
        bytes == null ? new ShardHeader(Fence.draw(0)) : ShardHeader.decode(bytes, number);
    boolean valid = header.fence.equals(local) && (!shard.unverified || verify(shard, header));
    if (!valid && bytes == null) {
      ShardFold.requireEmpty(number, state);
      clear(shard, 0);
    } else if (!valid) {
      rebuild(shard, header, state);
    }
    exhausted = false;
    batch = new ShardBatch(this, shard, state, header, bytes != null);
    if (!valid) {
      makeRoom(null);
    }
    return batch;
  }

  @Override
  public CandidateStoreStatistics statistics() {
    return statistics;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    abandonBatch();
    shards.clear();
    ring.clear();
    try {
      files.close();
    } finally {
      shared.leave();
    }
  }

  StoreFiles files() {
    return files;
  }

  StoredOutput output() {
    return output;
  }

  MemoryMeter meter() {
    return meter;
  }

  void committed(ShardBatch done) {
    if (batch == done) {
      batch = null;
    }
  }

  /**
   * Moves what was not used for long from memory to files, until the memory is within its limit.
   *
   * @param running the shard whose young records are in use; null if there is none
   * @return whether there is room
   */
  boolean makeRoom(@Nullable LocalShard running) {
    long share = shared.share();
    if (running == null) {
      exhausted = false;
      limitFilters(share / 2);
    } else if (exhausted) {
      return meter.bytes <= share;
    }
    // After the second visit of a shard nothing of it is left.
    for (int visits = 2 * ring.size(); visits > 0 && meter.bytes > share; visits--) {
      hand = hand + 1 < ring.size() ? hand + 1 : 0;
      LocalShard shard = ring.get(hand);
      if (shard.memory.isEmpty()) {
        continue;
      }
      if (shard.fence == null && shard != running && (batch == null || !batch.isOf(shard))) {
        shard.memory.clear();
        continue;
      }
      spillOld(shard);
      if (shard != running) {
        shard.memory.turn();
      }
    }
    exhausted = meter.bytes > share;
    return !exhausted;
  }

  private void spillOld(LocalShard shard) {
    statistics.spilledBytes += files.write(shard, shard.memory.old());
    shard.memory.dropOld();
  }

  /** Filters that leave little room for records do not pay. */
  private void limitFilters(long limit) {
    for (int i = 0; i < ring.size() && meter.filterBytes > limit; i++) {
      ring.get(i).dropFilters();
    }
  }

  /** Adds a batch to what the runner keeps. */
  void writeState(LocalShard shard, ShardState state, ShardHeader header, List<byte[]> parts) {
    long batchBytes = 0;
    int journal = header.journal();
    for (byte[] part : parts) {
      state.add(ShardHeader.journalBag(journal), part);
      batchBytes += part.length;
    }
    header.journalBytes[journal] += batchBytes;
    statistics.journalBytes += batchBytes;
    shorten(shard, state, header, batchBytes);
    state.setHeader(header.encode(output));
    noteSize(shard, header);
  }

  /**
   * Keeps journals short: not longer than three times the live records, but for one batch. A base
   * image is begun at two times, which leaves a third for what comes while it is written.
   */
  private void shorten(LocalShard shard, ShardState state, ShardHeader header, long batchBytes) {
    if (header.building || header.allJournalBytes() > 2 * header.liveBytes + batchBytes) {
      buildBase(shard, state, header, Math.max(shared.limits().stepBytes(), 4 * batchBytes));
    }
    // Live records became fewer, so that it is little to write now. The image under way may leave a
    // journal that is too long already.
    for (int i = 0; i < 2 && header.allJournalBytes() > 3 * header.liveBytes + batchBytes; i++) {
      buildBase(shard, state, header, Long.MAX_VALUE);
    }
  }

  private void buildBase(LocalShard shard, ShardState state, ShardHeader header, long limit) {
    int number = 1 - header.active;
    if (!header.building) {
      header.building = true;
      header.bases[number].version = header.fence.version();
      shard.build = null;
    }
    if (shard.build == null) {
      // Where an image stood is forgotten in a rebuild; its journal is what counts.
      header.clearBase(state, number);
      header.bases[number].id = BaseChunks.drawId();
      shard.build = new BaseBuild(shard, meter);
    }
    BaseChunks chunks = new BaseChunks(output, state, header, number);
    boolean whole = shard.build.step(chunks, files, limit);
    chunks.finish(whole);
    statistics.baseBytes += chunks.bytes();
    if (whole) {
      statistics.bases++;
      shard.build = null;
      header.clearBase(state, header.active);
      header.clearJournal(state, header.active);
      header.active = number;
      header.building = false;
    }
  }

  private void noteSize(LocalShard shard, ShardHeader header) {
    long bytes = header.allBytes();
    statistics.largestShardBytes = Math.max(statistics.largestShardBytes, bytes);
    if (bytes > LARGE_SHARD_BYTES && !shard.warned) {
      shard.warned = true;
      LOG.warn(
          "Shard {} has {} bytes of state, more than {}, which the runner reads whole to rebuild it."
              + " Export the state and import it with more shards",
          shard.number,
          bytes,
          LARGE_SHARD_BYTES);
    }
  }

  private void rebuild(LocalShard shard, ShardHeader header, ShardState state) {
    clear(shard, header.fence.version());
    RecordArena records = new RecordArena(meter);
    try {
      long bytes =
          ShardFold.read(
              shard.number, header, state, records, RecordArena.DIRTY | shard.memory.inBase());
      statistics.rebuilds++;
      statistics.rebuiltBytes += bytes;
    } catch (RuntimeException | Error e) {
      records.clear();
      throw e;
    }
    shard.memory.adopt(records);
    noteSize(shard, header);
  }

  private void clear(LocalShard shard, long version) {
    if (shard.inFiles() || shard.unverified) {
      files.deleteShard(shard.number);
    }
    shard.clear();
    shard.attempt = Fence.draw(version);
  }

  /**
   * Looks at all records of a shard from a checkpoint, of which files know no more than that they
   * are in order. Returns whether they are what the header says.
   */
  private boolean verify(LocalShard shard, ShardHeader header) {
    PresenceFilter filter = new PresenceFilter(meter, header.liveRecords);
    long[] seen = new long[2];
    String problem = null;
    try {
      files.scan(
          shard.number,
          new byte[0],
          null,
          (key, value) -> {
            seen[0]++;
            seen[1] += StoredRecord.size(key.length, value.length);
            filter.add(KeyHash.hash(key, 0, key.length));
            return true;
          });
      if (seen[0] == header.liveRecords && seen[1] == header.liveBytes) {
        shard.adoptFiles(seen[0], filter);
        return true;
      }
      problem = "it has %s of %s records".formatted(seen[0], header.liveRecords);
    } catch (LocalFilesException e) {
      problem = e.getMessage();
    }
    LOG.warn(
        "Cannot use shard {} of a checkpoint of local files: {}. It is rebuilt; delete the checkpoint",
        shard.number,
        problem);
    shard.adoptFiles(seen[0], filter);
    leaveBrokenFiles();
    return false;
  }

  /** Writes all valid shards to a directory. */
  void checkpoint(Path directory) throws IOException {
    requireOpen();
    abandonBatch();
    leaveBrokenFiles();
    Map<Integer, Fence> fences = new TreeMap<>();
    for (LocalShard shard : ring) {
      if (shard.fence != null && !shard.unverified) {
        statistics.spilledBytes += files.write(shard, shard.memory.old());
        statistics.spilledBytes += files.write(shard, shard.memory.young());
        fences.put(shard.number, shard.fence);
      }
    }
    Files.createDirectory(directory);
    files.database().checkpoint(CheckpointFences.databasePath(directory));
    new CheckpointFences(files.session(), fences).write(directory);
  }

  private LocalShard shard(int number) {
    return shards.computeIfAbsent(
        number,
        n -> {
          LocalShard shard = new LocalShard(n, meter);
          ring.add(shard);
          return shard;
        });
  }

  /** Shards that have nothing in broken files stay as they are. */
  private void leaveBrokenFiles() {
    if (!files.isBroken()) {
      return;
    }
    LOG.warn("Cannot go on with the local database; shards in it are rebuilt in a new one");
    StoreFiles broken = files;
    files = StoreFiles.create(shared.lease());
    broken.close();
    for (LocalShard shard : ring) {
      if (shard.inFiles() || shard.unverified) {
        shard.fence = null;
        shard.clear();
      }
    }
  }

  private void abandonBatch() {
    if (batch != null) {
      batch.abandon();
      batch = null;
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException(
          "Cannot begin a batch: the store is closed. Open another store.");
    }
  }
}
