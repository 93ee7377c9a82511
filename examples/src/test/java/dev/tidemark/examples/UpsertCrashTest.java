package dev.tidemark.examples;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.junit.Assume.assumeTrue;

import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.change.LogPosition;
import dev.tidemark.flink.TidemarkFlinkOptions;
import dev.tidemark.flink.testing.Crashes;
import dev.tidemark.flink.testing.EmbeddedFlink;
import dev.tidemark.flink.testing.IdSource;
import dev.tidemark.upsert.MaterializeUpserts;
import dev.tidemark.upsert.UpsertTestUtils;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.flink.api.common.JobID;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.joda.time.Duration;
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
 * Breaks {@link MaterializeUpserts} on RocksDB stores on a real Flink cluster. Behind it stands a
 * table whose rows are part of the checkpoint, with the number and a hash of the changes it was
 * given: at the end each key must have got exactly the changes of an undisturbed run, in order.
 */
@RunWith(JUnit4.class)
public class UpsertCrashTest {
  private static final boolean LONG = Boolean.getBoolean("tidemark.long");
  private static final int IDS = LONG ? 40_000 : 12_000;
  private static final long PER_SECOND = 4_000;

  /** A multiple of all parallelisms, so that a key stays in its split. */
  private static final int KEYS = 480;

  private static final long CHECKPOINT_MILLIS = 250;
  private static final String HEAP = "filesystem";
  private static final String ROCKSDB = "rocksdb";

  private static final List<String> POINTS =
      List.of(
          "read",
          "before batch",
          "record put",
          "before commit",
          "journal added",
          "header set",
          "base image",
          "base chunk added",
          "after commit",
          "rebuild",
          "table");

  /** The largest id that was read, and how many checkpoints completed. */
  private static final AtomicLong LARGEST = new AtomicLong();

  private static final AtomicLong CHECKPOINTS = new AtomicLong();

  private static volatile CrashChangelog log;
  private static EmbeddedFlink flink;

  @Rule public final TemporaryFolder temp = new TemporaryFolder();

  private final List<JobID> started = new ArrayList<>();
  private File stores;

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
    reset(7);
    stores = temp.newFolder("stores");
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
    private boolean confirms;

    @StartBundle
    public void start() {
      confirms = false;
    }

    @ProcessElement
    public void process(@Element Long id, BundleFinalizer finalizer, OutputReceiver<Change> out) {
      Crashes.point("read");
      LARGEST.accumulateAndGet(id, Math::max);
      if (!confirms) {
        confirms = true;
        finalizer.afterBundleCommit(
            BoundedWindow.TIMESTAMP_MAX_VALUE, () -> CHECKPOINTS.incrementAndGet());
      }
      out.output(log.change(id).withPosition(LogPosition.of(id + 1, LogPosition.Step.ADD, 0)));
    }
  }

  private TidemarkFlinkOptions options(int parallelism, String backend) throws IOException {
    TidemarkFlinkOptions options = flink.options(parallelism, CHECKPOINT_MILLIS);
    options.setStateBackend(backend);
    options.setStateBackendStoragePath(temp.newFolder().toURI().toString());
    options.setJobName("upserts-" + UUID.randomUUID());
    return options;
  }

  private MaterializeUpserts upserts() {
    return CrashTable.upserts(stores);
  }

  private JobID run(TidemarkFlinkOptions options, MaterializeUpserts upserts) throws Exception {
    Pipeline pipeline = Pipeline.create(options);
    CrashTable.write(
        pipeline
            .apply("Ids", Read.from(IdSource.of(IDS, PER_SECOND, true)))
            .apply("Changes", ParDo.of(new ChangeFn()))
            .setCoder(ChangeCoder.of(CrashChangelog.SCHEMA)),
        upserts);
    JobID job = flink.submit(pipeline);
    started.add(job);
    return job;
  }

  /** Waits for the end of the input. */
  private void awaitEnd(JobID job) throws Exception {
    JobResult result = flink.await(job, LONG ? 300 : 120);
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

  private static void assertCrashed(int times) {
    System.out.printf(
        "upserts: %d crashes %s, %d rebuilds, %d base images, %d bytes spilled%n",
        Crashes.done().size(),
        Crashes.done(),
        CrashingStores.REBUILDS.get(),
        CrashingStores.BASES.get(),
        CrashingStores.SPILLED_BYTES.get());
    assertThat(Crashes.done().toString(), Crashes.done().size(), is(times));
  }

  /**
   * Crashes at these points in turn, spread over a part of the input, however fast it is processed:
   * each after a checkpoint that completed since the last one. A crash in a rebuild takes another
   * crash that leads to it.
   */
  private static void crashInTurn(JobID job, double from, double to, String... points)
      throws Exception {
    for (int i = 0; i < points.length; i++) {
      long ids = (long) (IDS * (from + (to - from) * i / points.length));
      progress(job, ids);
      Crashes.planNext(points[i]);
      if (points[i].equals("rebuild")) {
        Crashes.planNext("after commit");
      }
      awaitCrash(job, points[i], (long) (IDS * (from + (to - from) * (i + 1) / points.length)));
    }
    IdSource.release();
  }

  private static void awaitCrash(JobID job, String point, long hold) throws Exception {
    int passes = Crashes.passes(point);
    IdSource.holdBefore(hold);
    try {
      flink.awaitCondition(job, () -> Crashes.left() == 0, 60);
    } catch (TimeoutException e) {
      throw new AssertionError(
          String.format(
              "No crash at %s, passed %d times since, %d ids read of %d; crashes %s",
              point, Crashes.passes(point) - passes, LARGEST.get(), hold, Crashes.done()),
          e);
    }
  }

  /** Waits until so many ids were read and a checkpoint completed after that. */
  private static void progress(JobID job, long ids) throws Exception {
    IdSource.holdBefore(ids);
    flink.awaitCondition(job, () -> LARGEST.get() >= ids - 4, 60);
    long completed = CHECKPOINTS.get();
    // A few more, so that there is a bundle which the next checkpoint confirms.
    IdSource.holdBefore(ids + KEYS);
    flink.awaitCondition(job, () -> CHECKPOINTS.get() > completed, 60);
  }

  @Test
  public void crashesAtEachPointWithStateOnTheHeap() throws Exception {
    IdSource.holdBefore(0);
    JobID job = run(options(2, HEAP), upserts());
    crashInTurn(job, 0.2, 1, "record put", "before commit", "base image", "rebuild", "header set");
    awaitEnd(job);
    assertCrashed(6);
    assertAsUndisturbed();
    assertThat(CrashingStores.REBUILDS.get(), greaterThan(0L));
    assertThat(CrashingStores.BASES.get(), greaterThan(0L));
    assertThat(CrashingStores.SPILLED_BYTES.get(), greaterThan(0L));
  }

  @Test
  public void crashesWithStateOnRocksDb() throws Exception {
    IdSource.holdBefore(0);
    JobID job = run(options(2, ROCKSDB), upserts());
    if (LONG) {
      crashInTurn(job, 0.1, 0.5, "read", "journal added", "rebuild", "base image", "table");
    }
    crashInTurn(job, 0.5, 1, "after commit", "base chunk added");
    awaitEnd(job);
    assertCrashed(LONG ? 8 : 2);
    assertAsUndisturbed();
    assertThat(CrashingStores.REBUILDS.get(), greaterThan(0L));
  }

  /** With this number of keys the changes of each come from both splits, and arrive in no order. */
  @Test
  public void changesOfSeveralSplitsAreSortedWhateverCrashes() throws Exception {
    log = CrashChangelog.of(9, IDS, KEYS - 1, true);
    IdSource.holdBefore(0);
    JobID job = run(options(2, HEAP), upserts().withOrderByPosition());
    if (LONG) {
      crashInTurn(job, 0.1, 0.5, "journal added", "table", "before batch");
    }
    crashInTurn(job, 0.5, 1, "after commit", "record put");
    awaitEnd(job);
    assertCrashed(LONG ? 5 : 2);
    assertAsUndisturbed();
    assertThat(CrashingStores.REBUILDS.get(), greaterThan(0L));
  }

  @Test
  public void crashesWhereCandidatesAreFoundByTheirWholeRows() throws Exception {
    assumeTrue("long form only", LONG);
    log = CrashChangelog.of(8, IDS, KEYS, false);
    MaterializeUpserts byRow =
        UpsertTestUtils.withStores(
            MaterializeUpserts.create()
                .withSinkKey("customer")
                .withThresholds(8, 5)
                .withShards(CrashTable.SHARDS)
                .withBatchAge(Duration.millis(40))
                .withStoreDirectory(stores.toString()),
            new CrashingStores());
    IdSource.holdBefore(0);
    JobID job = run(options(2, HEAP), byRow);
    crashInTurn(job, 0.2, 1, "journal added", "after commit", "rebuild", "table");
    awaitEnd(job);
    assertCrashed(5);
    assertAsUndisturbed();
  }

  @Test
  public void savepointAtOtherParallelismsWithAndWithoutLocalFiles() throws Exception {
    IdSource.holdBefore(0);
    JobID first = run(options(1, HEAP), upserts());
    crashInTurn(first, 0.1, 0.25, "before commit");
    String savepoint = stopAt(first, 0.3);

    deleteFiles(stores.toPath());
    Crashes.planNext("rebuild");
    TidemarkFlinkOptions two = options(2, HEAP);
    two.setSavepointPath(savepoint);
    JobID second = run(two, upserts());
    progress(second, (long) (0.4 * IDS));
    Path leftovers = temp.newFolder().toPath();
    copy(stores.toPath(), leftovers);
    savepoint = stopAt(second, 0.5);

    copy(leftovers, stores.toPath());
    TidemarkFlinkOptions three = options(3, HEAP);
    three.setSavepointPath(savepoint);
    JobID third = run(three, upserts());
    crashInTurn(third, 0.7, 1, "after commit");
    awaitEnd(third);
    assertCrashed(3);
    assertAsUndisturbed();
  }

  private String stopAt(JobID job, double share) throws Exception {
    progress(job, (long) (share * IDS));
    String savepoint = flink.stop(job, temp.newFolder().toPath(), false);
    started.remove(job);
    return savepoint;
  }

  /** Stands for what a process that was killed leaves behind. */
  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file));
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else if (!Files.exists(target) && Files.exists(file)) {
          Files.copy(file, target);
        }
      }
    }
  }

  private static void deleteFiles(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        if (!file.equals(folder)) {
          Files.delete(file);
        }
      }
    }
  }

  @Test
  public void crashesAtRandomPoints() throws Exception {
    assumeTrue("long form only", LONG);
    for (long seed = 1; seed <= 6; seed++) {
      reset(seed);
      Random random = new Random(seed);
      String backend = seed % 2 == 0 ? ROCKSDB : HEAP;
      System.out.printf("upserts: seed %d, state on %s%n", seed, backend);
      String[] points = new String[7];
      int crashes = 0;
      for (int i = 0; i < points.length; i++) {
        points[i] = POINTS.get(random.nextInt(POINTS.size()));
        crashes += points[i].equals("rebuild") ? 2 : 1;
      }
      IdSource.holdBefore(0);
      JobID job = run(options(1 + random.nextInt(3), backend), upserts());
      crashInTurn(job, 0.1, 1, points);
      awaitEnd(job);
      assertCrashed(crashes);
      assertAsUndisturbed();
    }
  }

  private static void reset(long seed) {
    IdSource.release();
    Crashes.reset();
    CrashingStores.reset();
    LARGEST.set(0);
    CHECKPOINTS.set(0);
    CrashTable.clear();
    log = CrashChangelog.of(seed, IDS, KEYS, true);
  }
}
