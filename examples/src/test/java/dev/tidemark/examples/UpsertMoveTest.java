package dev.tidemark.examples;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;

import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.change.LogPosition;
import dev.tidemark.examples.CrashChangelog.Outputs;
import dev.tidemark.flink.TidemarkFlinkOptions;
import dev.tidemark.flink.testing.Crashes;
import dev.tidemark.flink.testing.EmbeddedFlink;
import dev.tidemark.flink.testing.IdSource;
import dev.tidemark.upsert.MaterializeUpserts;
import dev.tidemark.upsert.UpsertStates;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.flink.api.common.JobID;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/**
 * Exports the state of {@link MaterializeUpserts} from one job on a real Flink cluster, re-shards
 * it, and begins another job with it, while jobs crash. At the end each key must have got exactly
 * the changes of an undisturbed run, in order.
 */
@RunWith(JUnit4.class)
public class UpsertMoveTest {
  /** A multiple of all parallelisms, so that a key stays in its split. */
  private static final int KEYS = 240;

  private static final int FIRST_IDS = 12 * KEYS;
  private static final int ALL_IDS = 24 * KEYS;
  private static final long PER_SECOND = 4_000;
  private static final long CHECKPOINT_MILLIS = 250;

  /** Ids that were read. */
  private static final Set<Long> READ = ConcurrentHashMap.newKeySet();

  private static CrashChangelog log;
  private static EmbeddedFlink flink;

  @Rule public final TemporaryFolder temp = new TemporaryFolder();

  private final List<JobID> started = new ArrayList<>();
  private File stores;
  private Path exported;

  @BeforeClass
  public static void startFlink() throws Exception {
    flink = EmbeddedFlink.start();
  }

  @AfterClass
  public static void stopFlink() throws Exception {
    flink.close();
  }

  @Before
  public void reset() throws IOException {
    IdSource.release();
    Crashes.reset();
    CrashingStores.reset();
    READ.clear();
    CrashTable.clear();
    log = CrashChangelog.of(11, ALL_IDS, KEYS, true);
    stores = temp.newFolder("stores");
    exported = temp.newFolder("exported").toPath();
  }

  @After
  public void cancel() throws Exception {
    IdSource.release();
    for (JobID job : started) {
      flink.cancel(job);
    }
  }

  /** Turns ids into changes. */
  private static final class ChangeFn extends DoFn<Long, Change> {
    private final int first;

    ChangeFn(int first) {
      this.first = first;
    }

    @ProcessElement
    public void process(@Element Long element, OutputReceiver<Change> out) {
      long id = first + element;
      READ.add(id);
      out.output(log.change(id).withPosition(LogPosition.of(id + 1, LogPosition.Step.ADD, 0)));
    }
  }

  private TidemarkFlinkOptions options(int parallelism) throws IOException {
    TidemarkFlinkOptions options = flink.options(parallelism, CHECKPOINT_MILLIS);
    options.setStateBackend("filesystem");
    options.setStateBackendStoragePath(temp.newFolder().toURI().toString());
    options.setJobName("moves-" + UUID.randomUUID());
    return options;
  }

  private MaterializeUpserts upserts() {
    return CrashTable.upserts(stores);
  }

  private JobID run(TidemarkFlinkOptions options, int first, int end, MaterializeUpserts upserts)
      throws Exception {
    Pipeline pipeline = Pipeline.create(options);
    CrashTable.write(
        pipeline
            .apply("Ids", Read.from(IdSource.of(end - first, PER_SECOND, true)))
            .apply("Changes", ParDo.of(new ChangeFn(first)))
            .setCoder(ChangeCoder.of(CrashChangelog.SCHEMA)),
        upserts);
    JobID job = flink.submit(pipeline);
    started.add(job);
    return job;
  }

  private void awaitEnd(JobID job) throws Exception {
    JobResult result = flink.await(job, 120);
    started.remove(job);
    if (!result.isSuccess()) {
      throw new AssertionError(
          "Job failed after crashes " + Crashes.done(),
          result.getSerializedThrowable().orElse(null));
    }
  }

  private static void assertAsUndisturbed() {
    CrashTable.assertAsUndisturbed(log);
  }

  private static void assertCrashed(String... points) {
    assertThat(Crashes.done().stream().sorted().toList(), is(Stream.of(points).sorted().toList()));
  }

  private long images(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".image")).count();
    }
  }

  /** Begins a job with the state in a directory, and lets it process the rest. */
  private void goOn(Path from, int shards, MaterializeUpserts upserts) throws Exception {
    CrashTable.begin(CrashTable.rows());
    TidemarkFlinkOptions options = options(2);
    awaitEnd(
        run(
            options,
            FIRST_IDS,
            ALL_IDS,
            upserts.withShards(shards).withInitialState(from.toString())));
    assertAsUndisturbed();
  }

  private Path reshard(int shards) throws IOException {
    Path to = temp.newFolder().toPath();
    UpsertStates.reshard(exported.toString(), to.toString(), shards);
    return to;
  }

  @Test
  public void crashesWhileStateIsExportedAndTakenOver() throws Exception {
    Crashes.plan("export record", 200);
    Crashes.plan("before end of export", 9);
    Crashes.plan("after end of export", 14);
    awaitEnd(run(options(2), 0, FIRST_IDS, upserts().withExport(exported.toString())));
    assertCrashed("export record", "before end of export", "after end of export");
    assertThat(images(exported), is(greaterThan((long) CrashTable.SHARDS)));

    Crashes.reset();
    Crashes.plan("import record", 100);
    Crashes.plan("before end of import", 4);
    Crashes.plan("after end of import", 9);
    Crashes.plan("before commit", 20);
    goOn(exported, CrashTable.SHARDS, upserts());
    assertCrashed("import record", "before end of import", "after end of import", "before commit");
  }

  @Test
  public void stateGoesOnInFiveAndInThirteenShards() throws Exception {
    awaitEnd(run(options(2), 0, FIRST_IDS, upserts().withExport(exported.toString())));
    assertThat(images(exported), is((long) CrashTable.SHARDS));
    Map<Long, Outputs> before = CrashTable.rows();
    for (int shards : new int[] {5, 13}) {
      Path resharded = reshard(shards);
      assertThat(images(resharded), is((long) shards));
      CrashTable.clear();
      CrashTable.begin(before);
      Crashes.reset();
      Crashes.plan("after commit", 20);
      goOn(resharded, shards, upserts());
      assertCrashed("after commit");
    }
  }

  @Test
  public void sortedStateGoesOnInFiveShards() throws Exception {
    log = CrashChangelog.of(12, ALL_IDS, KEYS - 1, true);
    MaterializeUpserts sorted = upserts().withOrderByPosition();
    Crashes.plan("before end of export", 5);
    awaitEnd(run(options(2), 0, FIRST_IDS, sorted.withExport(exported.toString())));
    assertCrashed("before end of export");
    Crashes.reset();
    Crashes.plan("before end of import", 2);
    goOn(reshard(5), 5, sorted);
    assertCrashed("before end of import");
  }

  @Test
  public void jobThatKnewOfNoExportIsExportedAfterASavepoint() throws Exception {
    IdSource.holdBefore(FIRST_IDS / 2);
    JobID first = run(options(2), 0, ALL_IDS, upserts());
    flink.awaitCondition(first, () -> READ.size() == FIRST_IDS / 2, 60);
    String savepoint = flink.stop(first, temp.newFolder().toPath(), false);
    started.remove(first);

    TidemarkFlinkOptions restored = options(3);
    restored.setSavepointPath(savepoint);
    IdSource.holdBefore(FIRST_IDS);
    JobID second = run(restored, 0, ALL_IDS, upserts().withExport(exported.toString()));
    flink.awaitCondition(second, () -> READ.size() == FIRST_IDS, 60);
    flink.stop(second, temp.newFolder().toPath(), true);
    started.remove(second);

    IdSource.release();
    goOn(reshard(16), 16, upserts());
  }

  @Test
  public void drainThatFailsLeavesNoExportAndTheNextOneDoes() throws Exception {
    IdSource.holdBefore(FIRST_IDS / 2);
    JobID job = run(options(2), 0, ALL_IDS, upserts().withExport(exported.toString()));
    flink.awaitCondition(job, () -> READ.size() == FIRST_IDS / 2, 60);
    Crashes.planNext("before end of export");
    boolean stopped = true;
    try {
      flink.stop(job, temp.newFolder().toPath(), true);
    } catch (ExecutionException e) {
      stopped = false;
    }
    assertThat(stopped, is(false));
    assertCrashed("before end of export");
    assertThat(Files.exists(exported.resolve("manifest.json")), is(false));

    IdSource.holdBefore(FIRST_IDS);
    flink.awaitCondition(job, () -> READ.size() == FIRST_IDS, 60);
    flink.stop(job, temp.newFolder().toPath(), true);
    started.remove(job);

    IdSource.release();
    goOn(reshard(5), 5, upserts());
  }

  @Test
  public void jobThatIsRestoredGoesOnWithoutTheImagesItTookOver() throws Exception {
    awaitEnd(run(options(2), 0, FIRST_IDS, upserts().withExport(exported.toString())));
    CrashTable.begin(CrashTable.rows());
    IdSource.holdBefore(FIRST_IDS / 2);
    JobID first =
        run(options(2), FIRST_IDS, ALL_IDS, upserts().withInitialState(exported.toString()));
    flink.awaitCondition(first, () -> READ.size() == FIRST_IDS + FIRST_IDS / 2, 60);
    String savepoint = flink.stop(first, temp.newFolder().toPath(), false);
    started.remove(first);

    try (Stream<Path> files = Files.list(exported)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".image")).toList()) {
        Files.delete(file);
      }
    }
    TidemarkFlinkOptions restored = options(1);
    restored.setSavepointPath(savepoint);
    IdSource.release();
    awaitEnd(run(restored, FIRST_IDS, ALL_IDS, upserts().withInitialState(exported.toString())));
    assertAsUndisturbed();
  }

  @Test
  public void missingImageFailsTheJobAndNeverBeginsAnEmptyShard() throws Exception {
    awaitEnd(run(options(2), 0, FIRST_IDS, upserts().withExport(exported.toString())));
    try (Stream<Path> files = Files.list(exported)) {
      Files.delete(
          files.filter(file -> file.toString().contains("shard-00003-of-")).findFirst().get());
    }
    TidemarkFlinkOptions options = options(2);
    options.setNumberOfExecutionRetries(0);
    JobID job = run(options, FIRST_IDS, ALL_IDS, upserts().withInitialState(exported.toString()));
    JobResult result = flink.await(job, 120);
    started.remove(job);
    assertThat(result.isSuccess(), is(false));
    assertThat(
        result.getSerializedThrowable().get().getFullStringifiedStackTrace(),
        containsString("Cannot read shard 3 of the export in " + exported));
  }
}
