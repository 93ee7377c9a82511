package dev.tidemark.rocksdb;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;

import java.nio.file.Path;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public final class StoreRunsTest {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final int RUNS = Boolean.getBoolean("tidemark.long") ? 2_000 : 150;

  /** In memory where there is such a place: RocksDB waits for the disk with each file it ends. */
  @Rule
  public final TemporaryFolder folder =
      new TemporaryFolder(MEMORY.toFile().canWrite() ? MEMORY.toFile() : null);

  @Test
  public void recordsAreThoseOfTheModelWhateverTheRunnerDoes() {
    long spilledBytes = 0;
    long bases = 0;
    long rebuilds = 0;
    for (long seed = 0; seed < RUNS; seed++) {
      StoreRun run = new StoreRun(seed, folder.getRoot().toPath());
      try (run) {
        run.run();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("Seed " + seed, e);
      }
      spilledBytes += run.spilledBytes;
      bases += run.bases;
      rebuilds += run.rebuilds;
    }
    assertThat("spilled bytes", spilledBytes, greaterThan(RUNS * 10_000L));
    assertThat("base images", bases, greaterThan(RUNS * 10L));
    assertThat("rebuilds", rebuilds, greaterThan(RUNS * 3L));
  }
}
