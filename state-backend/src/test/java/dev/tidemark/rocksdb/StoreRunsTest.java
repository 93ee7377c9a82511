package dev.tidemark.rocksdb;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;

import java.io.IOException;
import org.junit.Rule;
import org.junit.Test;

public final class StoreRunsTest {
  private static final int RUNS = Boolean.getBoolean("tidemark.long") ? 2_000 : 150;

  @Rule public final StoreFixture fixture = new StoreFixture();

  @Test
  public void recordsAreThoseOfTheModelWhateverTheRunnerDoes() throws IOException {
    long spilledBytes = 0;
    long bases = 0;
    long rebuilds = 0;
    for (long seed = 0; seed < RUNS; seed++) {
      StoreRun run = new StoreRun(seed, fixture.directory());
      try (run) {
        run.run();
      } catch (IOException | RuntimeException | AssertionError e) {
        throw new AssertionError("Seed " + seed, e);
      }
      spilledBytes += run.spilledBytes;
      bases += run.bases;
      rebuilds += run.rebuilds;
    }
    assertThat("spilled bytes", spilledBytes, greaterThan(RUNS * 10_000L));
    assertThat("base images", bases, greaterThan(RUNS * 5L));
    assertThat("rebuilds", rebuilds, greaterThan(RUNS * 3L));
  }
}
