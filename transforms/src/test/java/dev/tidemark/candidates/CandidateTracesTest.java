package dev.tidemark.candidates;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;

import dev.tidemark.candidates.testing.InMemoryCandidateStore;
import dev.tidemark.candidates.testing.RecordedTraces;
import dev.tidemark.candidates.testing.TraceResults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Compares with what was recorded of Flink's released materializers. */
@RunWith(JUnit4.class)
public class CandidateTracesTest {
  private static final boolean LONG = Boolean.getBoolean("tidemark.long");
  private static final String TRACE =
      "{\"name\":\"by-hand\",\"strategy\":\"LEGACY\",\"backend\":\"heap\",\"hasUpsertKey\":false,"
          + "\"upsertKey\":null,\"primaryKey\":[0],\"schema\":[{\"name\":\"k\",\"type\":\"INT\"},"
          + "{\"name\":\"v\",\"type\":\"STRING\"}],\"thresholds\":null,\"ttlMs\":0,\"input\":"
          + "[[\"+I\",1,\"a\"],[\"+U\",1,\"b\"],[\"@restore\"],[\"-U\",1,\"b\"]],"
          + "\"output\":OUTPUT,\"outputAt\":[0,1,3],\"error\":null,\"stateEntries\":1}\n";

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  @Test
  public void emitsWhatFlinkEmitsChangeByChange() {
    assertAllPass(RecordedTraces.read().withBatchSize(1));
  }

  @Test
  public void emitsWhatFlinkEmitsInSmallBatches() {
    assertAllPass(RecordedTraces.read().withBatchSize(7));
  }

  @Test
  public void emitsWhatFlinkEmitsInOneBatch() {
    assertAllPass(RecordedTraces.read().withBatchSize(1000));
  }

  @Test
  public void emitsTheSameWhereTheStoreIsLostAfterEachBatch() {
    assertAllPass(RecordedTraces.read().withBatchSize(LONG ? 1 : 7).reopening());
  }

  @Test
  public void thresholdsDoNotMatterToOtherStrategiesThanAdaptive() {
    for (int batchSize : LONG ? new int[] {1, 7, 1000} : new int[] {7}) {
      assertAllPass(RecordedTraces.read().withBatchSize(batchSize).withThresholds(3, 1));
    }
  }

  @Test
  public void anotherEmissionIsToldByTraceAndStep() throws IOException {
    Path file = temporary.newFile().toPath();
    Files.writeString(
        file,
        TRACE.replace("OUTPUT", "[[\"+I\",1,\"a\"],[\"+U\",1,\"b\"],[\"-D\",1,\"b\"]]")
            + TRACE.replace("OUTPUT", "[[\"+I\",1,\"a\"],[\"+U\",1,\"b\"],[\"+U\",1,\"a\"]]"));
    TraceResults results = RecordedTraces.read(file, null).run(InMemoryCandidateStore::create);
    assertThat(results.passed(), is(1));
    assertThat(
        results.failures(),
        contains(
            "Trace by-hand LEGACY heap null: step 3 (-U 1 \"b\") expected -D 1 \"b\","
                + " but was +U 1 \"a\""));
    assertThat(
        results.toString(), startsWith("all              ran 2, passed 1, failed 1, refused 0"));
  }

  @Test
  public void anotherNumberOfKeysAtTheEndIsTold() throws IOException {
    Path file = temporary.newFile().toPath();
    Files.writeString(
        file,
        TRACE
            .replace("OUTPUT", "[[\"+I\",1,\"a\"],[\"+U\",1,\"b\"],[\"+U\",1,\"a\"]]")
            .replace("\"stateEntries\":1", "\"stateEntries\":0"));
    assertThat(
        RecordedTraces.read(file, null).run(InMemoryCandidateStore::create).failures(),
        contains("Trace by-hand LEGACY heap null: at the end expected 0 keys, but 1 are left"));
  }

  private static void assertAllPass(RecordedTraces traces) {
    TraceResults results = traces.run(InMemoryCandidateStore::create);
    assertThat(results.toString(), results.failures(), is(empty()));
    assertThat(results.passed() + results.refused(), is(traces.size()));
  }
}
