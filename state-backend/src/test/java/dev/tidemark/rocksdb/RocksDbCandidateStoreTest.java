package dev.tidemark.rocksdb;

import static dev.tidemark.rocksdb.StoreFixture.AMPLE;
import static dev.tidemark.rocksdb.StoreFixture.TINY;
import static dev.tidemark.rocksdb.StoreFixture.all;
import static dev.tidemark.rocksdb.StoreFixture.batch;
import static dev.tidemark.rocksdb.StoreFixture.bytes;
import static dev.tidemark.rocksdb.StoreFixture.expected;
import static dev.tidemark.rocksdb.StoreFixture.puts;
import static dev.tidemark.rocksdb.StoreFixture.text;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.arrayWithSize;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.instanceOf;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.Assert.assertThrows;

import dev.tidemark.candidates.CandidateStore;
import dev.tidemark.candidates.CandidateStoreOptions;
import dev.tidemark.candidates.CandidateStoreProvider;
import dev.tidemark.candidates.ShardRecords;
import dev.tidemark.candidates.ShardState.Bag;
import dev.tidemark.candidates.testing.InMemoryShardState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.junit.Rule;
import org.junit.Test;
import org.rocksdb.RocksDB;

public final class RocksDbCandidateStoreTest {
  @Rule public final StoreFixture fixture = new StoreFixture();

  private final InMemoryShardState state = InMemoryShardState.shuffled(1);

  @Test
  public void isFoundOnTheClassPath() {
    CandidateStoreProvider provider =
        ServiceLoader.load(CandidateStoreProvider.class).findFirst().orElseThrow();

    assertThat(provider, instanceOf(RocksDbCandidateStoreProvider.class));
    assertThat(provider.inMemory(), is(false));
  }

  @Test
  public void runsOnTheRocksDbOfThisRun() {
    String jar = RocksDB.class.getProtectionDomain().getCodeSource().getLocation().toString();

    assertThat(jar, containsString(System.getProperty("tidemark.rocksdb", "rocksdbjni")));
  }

  @Test
  public void filesGoToTheChosenDirectory() {
    CandidateStoreOptions options =
        CandidateStoreOptions.defaults().withDirectory(fixture.directory().toString());

    try (CandidateStore store = new RocksDbCandidateStoreProvider().open(options)) {
      batch(store, 0, state, puts(0, 1, "v"));
      assertThat(fixture.directory().toFile().list(), arrayWithSize(2));
    }
  }

  @Test
  public void mutationsAreSeenBeforeTheyArePermanent() {
    try (RocksDbCandidateStore store = fixture.open(AMPLE)) {
      ShardRecords records = store.begin(0, state);
      records.put(bytes("a"), bytes("1"));
      records.put(bytes("b"), bytes("2"));
      records.remove(bytes("a"));

      assertThat(records.get(bytes("a")), is(nullValue()));
      assertThat(text(records.get(bytes("b"))), is("2"));
      assertThat(state.header(), is(nullValue()));
    }
  }

  @Test
  public void batchWithoutMutationWritesNothing() {
    try (RocksDbCandidateStore store = fixture.open(AMPLE)) {
      batch(store, 0, state, puts(0, 10, "v"));
      byte[] header = state.header();
      batch(
          store,
          0,
          state,
          records -> {
            records.put(bytes("key-000003"), bytes("v3"));
            records.put(bytes("new"), bytes("1"));
            records.remove(bytes("new"));
            records.remove(bytes("absent"));
          });

      assertThat(state.header(), is(header));
      assertThat(state.elements(Bag.JOURNAL_0), hasSize(1));
      assertThat(store.statistics().rebuilds, is(0L));
    }
  }

  @Test
  public void batchThatNeverCommitsIsUndone() {
    try (RocksDbCandidateStore store = fixture.open(AMPLE)) {
      batch(store, 0, state, puts(0, 10, "v"));
      ShardRecords abandoned = store.begin(0, state);
      abandoned.put(bytes("key-000003"), bytes("other"));
      abandoned.remove(bytes("key-000004"));

      assertThat(all(store, 0, state), equalTo(expected(0, 10, "v")));
      assertThat(store.statistics().rebuilds, is(1L));
      Exception e =
          assertThrows(IllegalStateException.class, () -> abandoned.put(bytes("a"), bytes("b")));
      assertThat(e.getMessage(), containsString("their batch has ended"));
    }
  }

  @Test
  public void shardWhoseRunnerWentBackIsRebuilt() {
    try (RocksDbCandidateStore store = fixture.open(AMPLE)) {
      batch(store, 0, state, puts(0, 10, "v"));
      InMemoryShardState.Snapshot snapshot = state.snapshot();
      batch(store, 0, state, puts(5, 20, "w"));
      state.restore(snapshot);

      assertThat(all(store, 0, state), equalTo(expected(0, 10, "v")));
    }
  }

  @Test
  public void twoHistoriesOfOneVersionAreNotTakenForEachOther() {
    try (RocksDbCandidateStore here = fixture.open(AMPLE);
        RocksDbCandidateStore there = fixture.open(AMPLE)) {
      batch(here, 0, state, puts(0, 1, "v"));
      InMemoryShardState.Snapshot snapshot = state.snapshot();
      batch(here, 0, state, puts(0, 1, "lost"));
      state.restore(snapshot);
      batch(there, 0, state, puts(0, 1, "kept"));

      assertThat(all(here, 0, state), equalTo(expected(0, 1, "kept")));
    }
  }

  @Test
  public void stateOfAnotherShardWithoutHeaderEmptiesTheLocalOne() {
    try (RocksDbCandidateStore store = fixture.open(AMPLE)) {
      batch(store, 0, state, puts(0, 10, "v"));

      assertThat(all(store, 0, InMemoryShardState.ordered()), equalTo(Map.of()));
    }
  }

  @Test
  public void largeBatchIsSplit() {
    try (RocksDbCandidateStore store = fixture.open(AMPLE)) {
      String large = "x".repeat(100_000);
      batch(store, 0, state, puts(0, 40, large));

      List<byte[]> parts = state.elements(Bag.JOURNAL_0);
      assertThat(parts, hasSize(4));
      for (byte[] part : parts) {
        assertThat(part.length, lessThanOrEqualTo(1 << 20));
      }
      batch(store, 0, state, records -> records.put(bytes("z"), bytes(large.repeat(20))));
    }
    try (RocksDbCandidateStore store = fixture.open(AMPLE)) {
      assertThat(all(store, 0, state).size(), is(41));
    }
  }

  @Test
  public void memoryStaysWithinTheBudgetWhileAllRecordsStay() {
    try (RocksDbCandidateStore store = fixture.open(TINY)) {
      Map<String, String> all = new TreeMap<>();
      for (int i = 0; i < 40; i++) {
        batch(store, i % 4, state(i % 4), puts(i * 100, i * 100 + 100, "value"));
        assertThat(store.meter().bytes, lessThanOrEqualTo(TINY.heapBytes()));
      }
      for (int shard = 0; shard < 4; shard++) {
        all.putAll(all(store, shard, state(shard)));
      }
      assertThat(all, equalTo(expected(0, 4000, "value")));
      assertThat(store.statistics().spilledBytes, greaterThan(80_000L));
      assertThat(store.statistics().rebuilds, is(0L));
    }
  }

  @Test
  public void storesShareTheBudget() {
    try (RocksDbCandidateStore one = fixture.open(TINY);
        RocksDbCandidateStore other = fixture.open(AMPLE)) {
      batch(one, 0, state(0), puts(0, 1000, "value"));
      batch(other, 1, state(1), puts(0, 1000, "value"));

      assertThat(one.meter().bytes + other.meter().bytes, lessThanOrEqualTo(TINY.heapBytes()));
    }
  }

  @Test
  public void newKeysCostNoRead() {
    try (RocksDbCandidateStore store = fixture.open(TINY)) {
      for (int i = 0; i < 20; i++) {
        int from = i * 200;
        batch(
            store,
            0,
            state,
            records -> {
              List<byte[]> keys = new ArrayList<>();
              for (int k = from; k < from + 200; k++) {
                keys.add(bytes("key-%06d".formatted(k)));
              }
              records.prefetch(keys);
              for (byte[] key : keys) {
                assertThat(records.get(key), is(nullValue()));
              }
              puts(from, from + 200, "v").accept(records);
            });
      }
      assertThat(store.statistics().misses, lessThan(200L));
      assertThat(store.statistics().hits, greaterThan(3800L));
    }
  }

  @Test
  public void recordsReadAheadAreNotReadAgain() {
    try (RocksDbCandidateStore store = fixture.open(TINY)) {
      batch(store, 0, state, puts(0, 1000, "value"));
      ShardRecords records = store.begin(0, state);
      List<byte[]> keys = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        keys.add(bytes("key-%06d".formatted(i)));
        keys.add(bytes("key-%06d".formatted(i)));
      }
      records.prefetch(keys);
      long misses = store.statistics().misses;
      for (int i = 0; i < 1000; i++) {
        assertThat(text(records.get(keys.get(2 * i))), is("value" + i));
      }

      assertThat(store.statistics().misses, is(misses));
      assertThat(misses, greaterThan(500L));
      records.commit();
    }
  }

  @Test
  public void longListIsReadUnderATinyBudget() {
    try (RocksDbCandidateStore store = fixture.open(TINY)) {
      batch(store, 0, state, puts(0, 10_000, "value"));
      ShardRecords records = store.begin(0, state);
      for (int i = 0; i < 10_000; i++) {
        assertThat(text(records.get(bytes("key-%06d".formatted(i)))), is("value" + i));
        assertThat(store.meter().bytes, lessThanOrEqualTo(2 * TINY.heapBytes()));
      }
      records.commit();
    }
  }

  @Test
  public void scanMergesMemoryAndFiles() {
    try (RocksDbCandidateStore store = fixture.open(TINY)) {
      batch(store, 0, state, puts(0, 3000, "old"));
      ShardRecords records = store.begin(0, state);
      puts(100, 200, "new").accept(records);
      records.remove(bytes("key-000150"));
      Map<String, String> seen = new TreeMap<>();
      records.scan(
          bytes("key-0001"),
          bytes("key-000120"),
          (key, value) -> {
            seen.put(text(key), text(value));
            return seen.size() < 60;
          });

      Map<String, String> expected = expected(121, 182, "new");
      expected.remove("key-000150");
      assertThat(seen, equalTo(expected));
    }
  }

  @Test
  public void recordsDoNotChangeWhileTheyAreVisited() {
    try (RocksDbCandidateStore store = fixture.open(AMPLE)) {
      batch(store, 0, state, puts(0, 3, "v"));
      ShardRecords records = store.begin(0, state);

      Exception e =
          assertThrows(
              IllegalStateException.class,
              () ->
                  records.scan(
                      new byte[0],
                      null,
                      (key, value) -> {
                        records.remove(key);
                        return true;
                      }));
      assertThat(e.getMessage(), containsString("a scan visits them"));
    }
  }

  @Test
  public void journalIsReplacedByBaseImages() {
    try (RocksDbCandidateStore store = fixture.open(AMPLE)) {
      for (int i = 0; i < 20; i++) {
        batch(store, 0, state, puts(0, 1000, "round" + i));
      }

      assertThat(store.statistics().bases, greaterThan(4L));
      assertThat(store.statistics().baseBytes, greaterThan(40_000L));
    }
    try (RocksDbCandidateStore store = fixture.open(AMPLE)) {
      assertThat(all(store, 0, state), equalTo(expected(0, 1000, "round19")));
      assertThat(store.statistics().rebuilds, is(1L));
      assertThat(store.statistics().rebuiltBytes, greaterThan(20_000L));
    }
  }

  @Test
  public void baseImageIsWrittenALittleAfterEachBatch() {
    String kilobyte = "x".repeat(1000);
    try (RocksDbCandidateStore store = fixture.open(AMPLE)) {
      batch(store, 0, state, puts(0, 8000, kilobyte));
      int parts = 0;
      for (int i = 0; store.statistics().bases == 0; i++) {
        long baseBefore = store.statistics().baseBytes;
        int from = i % 80 * 100;
        batch(store, 0, state, puts(from, from + 100, kilobyte + i));
        long added = store.statistics().baseBytes - baseBefore;
        assertThat(added, lessThan(4 * 110_000L + 2_000));
        parts += added > 0 ? 1 : 0;
      }
      assertThat(parts, greaterThan(15));
    }
  }

  @Test
  public void largestShardIsTold() {
    try (RocksDbCandidateStore store = fixture.open(AMPLE)) {
      batch(store, 0, state(0), puts(0, 100, "v"));
      batch(store, 1, state(1), puts(0, 330, "x".repeat(100_000)));

      assertThat(
          store.statistics().largestShardBytes,
          greaterThan(RocksDbCandidateStore.LARGE_SHARD_BYTES - (1 << 20)));
    }
  }

  @Test
  public void lastStoreToCloseLeavesNothing() {
    LocalDatabase database;
    try (RocksDbCandidateStore store = fixture.open(TINY)) {
      try (RocksDbCandidateStore other = fixture.open(TINY)) {
        batch(other, 0, state, puts(0, 5000, "value"));
        all(other, 0, state);
      }
      database = store.files().database();
      assertThat(database.isClosed(), is(false));
      assertThat(database.property("rocksdb.block-cache-pinned-usage"), lessThan(1L << 20));
      batch(store, 0, state, puts(0, 10, "v"));
    }

    assertThat(database.isClosed(), is(true));
    assertThat(List.of(fixture.directory().toFile().list()), is(empty()));
  }

  @Test
  public void closedStoreRefusesBatches() {
    RocksDbCandidateStore store = fixture.open(AMPLE);
    store.close();
    store.close();

    Exception e = assertThrows(IllegalStateException.class, () -> store.begin(0, state));
    assertThat(e.getMessage(), containsString("the store is closed"));
  }

  private final Map<Integer, InMemoryShardState> states = new TreeMap<>();

  private InMemoryShardState state(int shard) {
    return states.computeIfAbsent(shard, InMemoryShardState::shuffled);
  }
}
