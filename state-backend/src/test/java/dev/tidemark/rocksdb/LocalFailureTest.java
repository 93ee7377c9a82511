package dev.tidemark.rocksdb;

import static dev.tidemark.rocksdb.StoreFixture.TINY;
import static dev.tidemark.rocksdb.StoreFixture.all;
import static dev.tidemark.rocksdb.StoreFixture.batch;
import static dev.tidemark.rocksdb.StoreFixture.bytes;
import static dev.tidemark.rocksdb.StoreFixture.expected;
import static dev.tidemark.rocksdb.StoreFixture.puts;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.arrayWithSize;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.Assert.assertThrows;

import dev.tidemark.candidates.ShardRecords;
import dev.tidemark.candidates.testing.InMemoryShardState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.rocksdb.RocksDBException;

/** Local files that are damaged or gone while a store uses them. */
public final class LocalFailureTest {
  @Rule public final StoreFixture fixture = new StoreFixture();

  private final InMemoryShardState state = InMemoryShardState.shuffled(1);

  @Test
  public void damagedTableFailsTheBatchAndIsReplaced() throws IOException {
    try (RocksDbCandidateStore store = fixture.open(TINY)) {
      batch(store, 0, state, puts(0, 20_000, "value"));
      batch(store, 1, InMemoryShardState.ordered(), puts(0, 20_000, "value"));
      List<Path> tables = fixture.tables();
      assertThat(tables.size(), greaterThan(0));
      for (Path table : tables) {
        byte[] content = Files.readAllBytes(table);
        for (int i = 0; i < content.length - 2000; i += 100) {
          content[i]++;
        }
        Files.write(table, content);
      }
      LocalDatabase before = store.files().database();

      Exception e = assertThrows(LocalFilesException.class, () -> readAll(store));
      assertThat(e.getMessage(), containsString("rebuilt from the runner's state"));
      assertThat(all(store, 0, state), equalTo(expected(0, 20_000, "value")));
      assertThat(store.files().database(), is(not(before)));
      assertThat(before.isClosed(), is(true));
    }
    assertThat(fixture.directory().toFile().list(), arrayWithSize(0));
  }

  @Test
  public void directoryThatIsGoneFailsBatchesOnlyOnce() throws IOException {
    InMemoryShardState.Snapshot committed = state.snapshot();
    try (RocksDbCandidateStore store = fixture.open(TINY)) {
      LocalDatabase before = store.files().database();
      LocalDirectory.deleteAll(before.path());
      int failures = 0;
      for (int i = 0; i < 50; i++) {
        try {
          batch(store, 0, state, puts(i * 1000, i * 1000 + 1000, "value"));
          committed = state.snapshot();
        } catch (LocalFilesException e) {
          failures++;
          state.restore(committed);
          i--;
        }
      }

      assertThat(all(store, 0, state).size(), is(50_000));
      assertThat(failures, is(1));
      assertThat(store.files().database(), is(not(before)));
    }
  }

  @Test
  public void otherStoresLeaveABrokenDatabaseToo() throws IOException {
    InMemoryShardState other = InMemoryShardState.ordered();
    try (RocksDbCandidateStore one = fixture.open(TINY);
        RocksDbCandidateStore two = fixture.open(TINY)) {
      batch(two, 1, other, puts(0, 5000, "other"));
      batch(one, 0, state, puts(0, 5000, "value"));
      LocalDatabase broken = one.files().database();
      broken.failed("break", new RocksDBException("for a test"));

      assertThat(all(one, 0, state), equalTo(expected(0, 5000, "value")));
      assertThat(broken.isClosed(), is(false));
      assertThat(all(two, 1, other), equalTo(expected(0, 5000, "other")));
      assertThat(broken.isClosed(), is(true));
      assertThat(two.files().database(), is(one.files().database()));
    }
  }

  private void readAll(RocksDbCandidateStore store) {
    ShardRecords records = store.begin(0, state);
    for (int i = 0; i < 20_000; i++) {
      records.get(bytes("key-%06d".formatted(i)));
    }
  }
}
