package dev.tidemark.flink;

import static org.junit.Assert.assertEquals;

import dev.tidemark.flink.testing.Crashes;
import dev.tidemark.flink.testing.EmbeddedFlink;
import dev.tidemark.flink.testing.IdSource;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.api.common.JobID;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/**
 * Records the savepoint that {@link GoldenSavepointTest} restores, in a new folder that the system
 * property {@code tidemark.savepoint} names. Not a test: it is run by its name only, once for each
 * released version.
 */
@RunWith(JUnit4.class)
public class RecordGoldenSavepoint {
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
    GoldenPipeline.reset(false);
    IdSource.holdBefore(GoldenPipeline.ORDERS);
    Path temp = Files.createTempDirectory("savepoints");
    try (EmbeddedFlink flink = EmbeddedFlink.start()) {
      JobID job =
          GoldenPipeline.run(flink, GoldenPipeline.options(flink, 2), GoldenPipeline.upserts());
      flink.awaitCondition(job, () -> GoldenPipeline.emitted() == GoldenPipeline.ORDERS, 60);
      Path savepoint = Path.of(URI.create(flink.stop(job, temp, false)));
      Files.createDirectories(target.getParent());
      Files.move(savepoint, target);
    }
    assertEquals(0, GoldenPipeline.performed().size());
  }
}
