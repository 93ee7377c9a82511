package dev.tidemark.examples;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.doris.emulator.DorisEmulator;
import dev.tidemark.flink.testing.Crashes;
import dev.tidemark.flink.testing.EmbeddedFlink;
import dev.tidemark.flink.testing.IdSource;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobID;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/**
 * Records the savepoint that {@link GoldenWritesTest} restores, and the table that goes with it, in
 * a new folder that the system property {@code tidemark.savepoint} names. Not a test: it is run by
 * its name only, once for each released version.
 */
@RunWith(JUnit4.class)
public class RecordGoldenWrites {
  /** So long that no checkpoint comes but those that are asked for. */
  private static final long NO_CHECKPOINT_MILLIS = 1_000L * 3_600_000;

  private static final int MOST_CHECKPOINTS = 20;

  @Test
  public void record() throws Exception {
    String folder = System.getProperty("tidemark.savepoint");
    if (folder == null) {
      throw new IllegalArgumentException(
          "Cannot record a savepoint: no folder is given. Add -Dtidemark.savepoint=<new folder>");
    }
    Path target = Path.of(folder).toAbsolutePath();
    if (Files.exists(target)) {
      throw new FileAlreadyExistsException(target + " (savepoints of released versions stay)");
    }
    Crashes.reset();
    GoldenWrites.reset();
    IdSource.holdBefore(GoldenWrites.COMMITTED);
    Path temp = Files.createTempDirectory("savepoints");
    RecordedWarehouse warehouse = RecordedWarehouse.empty(GoldenWrites.WAREHOUSE);
    try (EmbeddedFlink flink = EmbeddedFlink.start();
        DorisEmulator doris = GoldenWrites.startDoris()) {
      JobID job =
          GoldenWrites.run(flink, GoldenWrites.options(flink, 1, NO_CHECKPOINT_MILLIS), doris);
      flink.awaitCondition(job, () -> GoldenWrites.read() == GoldenWrites.COMMITTED, 60);
      awaitCommitted(flink, job, doris);

      IdSource.holdBefore(GoldenWrites.HELD);
      flink.awaitCondition(job, () -> GoldenWrites.read() == GoldenWrites.HELD, 60);
      warehouse.keepMetadata();
      Path savepoint = Path.of(URI.create(flink.stop(job, temp, false)));
      Files.createDirectories(target.getParent());
      Files.move(savepoint, target);
      warehouse.zip(target.resolve(RecordedWarehouse.FILE));
    }
    RecordedWarehouse.unzip(target.resolve(RecordedWarehouse.FILE), GoldenWrites.WAREHOUSE);
    assertThat(table().rows(), is((long) GoldenWrites.COMMITTED));
  }

  /** What is still on its way to a step at a checkpoint is performed for the next one. */
  private static void awaitCommitted(EmbeddedFlink flink, JobID job, DorisEmulator doris)
      throws Exception {
    for (int checkpoints = 1; checkpoints < MOST_CHECKPOINTS; checkpoints++) {
      flink.takeCheckpoint(job);
      try {
        flink.awaitCondition(job, () -> isCommitted(doris), 5);
        return;
      } catch (TimeoutException e) {
        // Not for this checkpoint.
      }
    }
    throw new TimeoutException("Not all is committed after " + MOST_CHECKPOINTS + " checkpoints");
  }

  private static boolean isCommitted(DorisEmulator doris) {
    TableIdentifier name = GoldenWrites.TABLE;
    return GoldenWrites.catalog().catalog().tableExists(name)
        && table().rows() == GoldenWrites.COMMITTED
        && GoldenWrites.orders(doris, GoldenWrites.UPSERTS).size() == GoldenWrites.CUSTOMERS
        && GoldenWrites.orders(doris, GoldenWrites.TWO_PHASES).size() == GoldenWrites.CUSTOMERS
        && doris.transactions().stream().noneMatch(info -> info.state().name().startsWith("PRE"));
  }

  private static FinalizedTable table() {
    return new FinalizedTable(GoldenWrites.catalog().loadTable(GoldenWrites.TABLE));
  }
}
