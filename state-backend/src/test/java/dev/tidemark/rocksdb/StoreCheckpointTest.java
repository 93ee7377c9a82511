package dev.tidemark.rocksdb;

import static dev.tidemark.rocksdb.StoreFixture.AMPLE;
import static dev.tidemark.rocksdb.StoreFixture.TINY;
import static dev.tidemark.rocksdb.StoreFixture.all;
import static dev.tidemark.rocksdb.StoreFixture.batch;
import static dev.tidemark.rocksdb.StoreFixture.expected;
import static dev.tidemark.rocksdb.StoreFixture.puts;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import dev.tidemark.candidates.testing.InMemoryCandidateStore;
import dev.tidemark.candidates.testing.InMemoryShardState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;

public final class StoreCheckpointTest {
  @Rule public final StoreFixture fixture = new StoreFixture();

  private final InMemoryShardState zero = InMemoryShardState.shuffled(0);
  private final InMemoryShardState one = InMemoryShardState.shuffled(1);
  private Path checkpoint;

  @Before
  public void writeCheckpoint() throws IOException {
    checkpoint = fixture.directory().resolve("checkpoint");
    try (RocksDbCandidateStore store = fixture.open(TINY)) {
      batch(store, 0, zero, puts(0, 2000, "zero"));
      batch(store, 1, one, puts(0, 2000, "one"));
      RocksDbCandidateStores.checkpoint(store, checkpoint);
      batch(store, 1, one, puts(0, 10, "later"));
      batch(store, 1, one, puts(0, 10, "one"));
    }
  }

  @Test
  public void shardAsTheRunnerHasItIsNotRebuilt() {
    try (RocksDbCandidateStore store = open()) {
      assertThat(all(store, 0, zero), equalTo(expected(0, 2000, "zero")));
      assertThat(store.statistics().rebuilds, is(0L));
      batch(store, 0, zero, puts(1000, 3000, "zero"));
      assertThat(all(store, 0, zero), equalTo(expected(0, 3000, "zero")));
    }
    assertReadsAll();
  }

  @Test
  public void shardThatWentOnIsRebuilt() {
    try (RocksDbCandidateStore store = open()) {
      assertThat(all(store, 1, one), equalTo(expected(0, 2000, "one")));
      assertThat(store.statistics().rebuilds, is(1L));
    }
  }

  @Test
  public void checkpointIsUsedAgain() {
    for (int i = 0; i < 3; i++) {
      InMemoryShardState.Snapshot snapshot = zero.snapshot();
      try (RocksDbCandidateStore store = open()) {
        batch(store, 0, zero, puts(0, 2000, "other" + i));
        assertThat(store.statistics().rebuilds, is(0L));
      }
      zero.restore(snapshot);
    }
  }

  @Test
  public void openBatchIsNotInACheckpoint() throws IOException {
    Path second = fixture.directory().resolve("second");
    try (RocksDbCandidateStore store = open()) {
      store.begin(0, zero).put(new byte[1], new byte[1]);
      RocksDbCandidateStores.checkpoint(store, second);
    }
    checkpoint = second;

    try (RocksDbCandidateStore store = open()) {
      assertThat(all(store, 0, zero), equalTo(expected(0, 2000, "zero")));
      assertThat(store.statistics().rebuilds, is(1L));
    }
  }

  @Test
  public void damagedFileOfACheckpointIsNeverBelieved() throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(checkpoint)) {
      files = walk.filter(Files::isRegularFile).filter(StoreCheckpointTest::isRead).toList();
    }
    for (Path file : files) {
      byte[] bytes = Files.readAllBytes(file);
      for (int at = 0; at < bytes.length; at += 1 + bytes.length / 10) {
        byte[] damaged = bytes.clone();
        damaged[at] ^= 0x10;
        assertReadsAllWith(file, damaged);
      }
      assertReadsAllWith(file, new byte[0]);
      assertReadsAllWith(file, Arrays.copyOf(bytes, bytes.length / 2));
      Files.write(file, bytes);
    }
    for (Path file : files) {
      byte[] bytes = Files.readAllBytes(file);
      Files.delete(file);
      assertReadsAll();
      Files.write(file, bytes);
    }
    assertReadsAll();
  }

  @Test
  public void checkpointThatIsNotThereIsIgnored() {
    checkpoint = fixture.directory().resolve("absent");

    assertReadsAll();
  }

  @Test
  public void storeWithoutFilesHasNoCheckpoint() {
    Exception e =
        assertThrows(
            IllegalArgumentException.class,
            () -> RocksDbCandidateStores.checkpoint(InMemoryCandidateStore.create(), checkpoint));
    assertThat(e.getMessage(), containsString("it has no local files"));
  }

  private static boolean isRead(Path file) {
    String name = file.getFileName().toString();
    return !name.equals("LOG") && !name.startsWith("OPTIONS") && !name.equals("IDENTITY");
  }

  private void assertReadsAllWith(Path file, byte[] bytes) throws IOException {
    // Another file, since tables are linked.
    Files.delete(file);
    Files.write(file, bytes);
    assertReadsAll();
  }

  private void assertReadsAll() {
    try (RocksDbCandidateStore store = open()) {
      assertThat(all(store, 1, one), equalTo(expected(0, 2000, "one")));
      int count = all(store, 0, zero).size();
      assertThat(count % 1000, is(0));
    }
  }

  private RocksDbCandidateStore open() {
    return RocksDbCandidateStore.openFromCheckpoint(AMPLE, fixture.directory(), checkpoint);
  }
}
