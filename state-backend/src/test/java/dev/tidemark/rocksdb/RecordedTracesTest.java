package dev.tidemark.rocksdb;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;

import dev.tidemark.candidates.CandidateStore;
import dev.tidemark.candidates.CandidateStoreOptions;
import dev.tidemark.candidates.testing.InMemoryCandidateStore;
import dev.tidemark.candidates.testing.RecordedTraces;
import dev.tidemark.candidates.testing.TraceResults;
import java.util.function.Supplier;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/**
 * Compares with what was recorded of Flink's released materializers, on RocksDB and in memory, one
 * change at a time and many at once. Says how many traces ran, passed and were refused.
 *
 * <p>Other traces of the same form are taken by {@code -Dtraces=FILE} and, where a defect of the
 * released operators spoilt some, {@code -DtracesRepaired=FILE}.
 */
@RunWith(JUnit4.class)
public class RecordedTracesTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private CandidateStore neighbour;

  /** The files of a process are opened once while it has a store, and stay for the next ones. */
  @Before
  public void keepFilesOpen() {
    neighbour = openRocksDb();
  }

  @After
  public void closeFiles() {
    neighbour.close();
  }

  @Test
  public void rocksDbEmitsWhatFlinkEmitsChangeByChange() {
    assertAllPass("RocksDB", RecordedTraces.read().withBatchSize(1), this::openRocksDb);
  }

  @Test
  public void rocksDbEmitsWhatFlinkEmitsInSmallBatches() {
    assertAllPass("RocksDB", RecordedTraces.read().withBatchSize(7), this::openRocksDb);
  }

  @Test
  public void rocksDbEmitsWhatFlinkEmitsInOneBatch() {
    assertAllPass("RocksDB", RecordedTraces.read().withBatchSize(1000), this::openRocksDb);
  }

  @Test
  public void memoryEmitsWhatFlinkEmitsChangeByChange() {
    assertAllPass("Memory", RecordedTraces.read().withBatchSize(1), InMemoryCandidateStore::create);
  }

  @Test
  public void memoryEmitsWhatFlinkEmitsInSmallBatches() {
    assertAllPass("Memory", RecordedTraces.read().withBatchSize(7), InMemoryCandidateStore::create);
  }

  @Test
  public void memoryEmitsWhatFlinkEmitsInOneBatch() {
    assertAllPass(
        "Memory", RecordedTraces.read().withBatchSize(1000), InMemoryCandidateStore::create);
  }

  private static void assertAllPass(
      String store, RecordedTraces traces, Supplier<CandidateStore> stores) {
    TraceResults results = traces.run(stores);
    System.out.println(store + ", " + traces + "\n" + results);
    assertThat(results.toString(), results.failures(), is(empty()));
    assertThat(results.passed(), greaterThan(0));
    assertThat(results.passed() + results.refused(), is(traces.size()));
  }

  private CandidateStore openRocksDb() {
    return new RocksDbCandidateStoreProvider()
        .open(
            CandidateStoreOptions.defaults()
                .withMemoryBytes(CandidateStoreOptions.MIN_MEMORY_BYTES)
                .withDirectory(folder.getRoot().getPath()));
  }
}
