package dev.tidemark.flink;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.is;
import static org.junit.Assume.assumeTrue;

import dev.tidemark.flink.testing.Crashes;
import dev.tidemark.flink.testing.EmbeddedFlink;
import dev.tidemark.flink.testing.IdSource;
import dev.tidemark.once.Batch;
import dev.tidemark.once.Effect;
import dev.tidemark.once.Numbered;
import dev.tidemark.once.Outcome;
import dev.tidemark.once.PerformOnce;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.SerializableCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.values.KV;
import org.apache.flink.api.common.JobID;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.joda.time.Duration;
import org.joda.time.Instant;
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
 * Breaks {@link PerformOnce} on a real Flink cluster. Each id must end up in the ledger once, under
 * one result. The ledger is another system: it survives every crash and is idempotent on (key,
 * sequence, result).
 */
@RunWith(JUnit4.class)
public class OnceCrashTest {
  private static final boolean LONG = Boolean.getBoolean("tidemark.long");
  private static final long IDS = LONG ? 6_000 : 2_400;
  private static final long PER_SECOND = 800;
  private static final int KEYS = 3;
  private static final long CHECKPOINT_MILLIS = 250;

  /**
   * So long that not even the first checkpoint, which Flink takes at random within the interval,
   * comes.
   */
  private static final long NO_CHECKPOINT_MILLIS = 1_000L * 3_600_000;

  private static final AtomicInteger largestBatch = new AtomicInteger();
  private static volatile long outageUntilRead;
  private static EmbeddedFlink flink;

  @Rule public final TemporaryFolder temp = new TemporaryFolder();

  private final List<JobID> started = new ArrayList<>();

  @BeforeClass
  public static void startFlink() throws Exception {
    flink = EmbeddedFlink.start();
  }

  @AfterClass
  public static void stopFlink() throws Exception {
    flink.close();
  }

  @Before
  public void reset() {
    Crashes.reset();
    Ledger.reset();
    outageUntilRead = 0;
    largestBatch.set(0);
  }

  @After
  public void cancel() throws Exception {
    for (JobID job : started) {
      flink.cancel(job);
    }
  }

  /** What a writer made of the ids of one key. */
  static final class Result implements Serializable {
    final String uuid = UUID.randomUUID().toString();
    final ArrayList<Long> ids;

    Result(List<Long> ids) {
      this.ids = new ArrayList<>(ids);
    }
  }

  /** The system that the effect changes. */
  static final class Ledger {
    private static final Map<String, TreeMap<Long, Result>> COMMITTED = new HashMap<>();
    private static final List<String> REWOUND = new ArrayList<>();
    private static int repeated;
    private static final List<Long> REPORTED_GAPS = new ArrayList<>();

    private Ledger() {}

    static synchronized void reset() {
      COMMITTED.clear();
      REWOUND.clear();
      REPORTED_GAPS.clear();
      repeated = 0;
    }

    static synchronized void commit(String key, long sequence, Result result) {
      TreeMap<Long, Result> committed = COMMITTED.computeIfAbsent(key, k -> new TreeMap<>());
      Result known = committed.get(sequence);
      if (known == null) {
        if (sequence != committed.size() + 1) {
          REPORTED_GAPS.add(sequence);
        }
        committed.put(sequence, result);
      } else if (known.uuid.equals(result.uuid)) {
        repeated++;
      } else {
        REWOUND.add(key + "/" + sequence);
        throw new IllegalStateException("Rewound behind " + key + "/" + sequence);
      }
    }

    static synchronized void forgetFrom(String key, long sequence) {
      COMMITTED.get(key).tailMap(sequence, true).clear();
    }

    static synchronized long ids() {
      return COMMITTED.values().stream()
          .flatMap(results -> results.values().stream())
          .mapToLong(result -> result.ids.size())
          .sum();
    }

    static synchronized Set<Long> distinctIds() {
      Set<Long> ids = new HashSet<>();
      COMMITTED.values().forEach(all -> all.values().forEach(result -> ids.addAll(result.ids)));
      return ids;
    }
  }

  /** Collects ids by key; emits in the bundle (every few ids) or only at its end. */
  static final class WriteFn extends DoFn<Long, KV<String, Result>> {
    private final boolean withinBundle;
    private final int resultSize;
    private final int keys;
    private transient Map<String, List<Long>> open;

    WriteFn(boolean withinBundle, int resultSize, int keys) {
      this.withinBundle = withinBundle;
      this.resultSize = resultSize;
      this.keys = keys;
    }

    @StartBundle
    public void start() {
      open = new HashMap<>();
    }

    @ProcessElement
    public void process(@Element Long id, OutputReceiver<KV<String, Result>> out) {
      Crashes.point("read");
      String key = "table" + id % keys;
      List<Long> ids = open.computeIfAbsent(key, k -> new ArrayList<>());
      ids.add(id);
      if (withinBundle && ids.size() == resultSize) {
        out.output(KV.of(key, new Result(ids)));
        ids.clear();
      }
    }

    @FinishBundle
    public void finish(FinishBundleContext context) {
      open.forEach(
          (key, ids) -> {
            if (!ids.isEmpty()) {
              Crashes.point("file closed");
              context.output(
                  KV.of(key, new Result(ids)),
                  Instant.EPOCH.plus(Duration.standardDays(1)),
                  GlobalWindow.INSTANCE);
            }
          });
      open.clear();
    }
  }

  /** Commits to the ledger. */
  static final class LedgerEffect implements Effect<String, Result, String> {
    @Override
    public Outcome<String> perform(String key, Batch<Result> batch) {
      if (batch.elements().isEmpty()) {
        return Outcome.done(List.of());
      }
      if (Crashes.passes("read") < outageUntilRead) {
        return Outcome.later(Duration.millis(100), List.of());
      }
      largestBatch.accumulateAndGet(batch.elements().size(), Math::max);
      Crashes.point("before commit");
      if (batch.endOfInput()) {
        Crashes.point("before last flush");
      }
      for (Numbered<Result> numbered : batch.elements()) {
        Ledger.commit(key, numbered.sequence(), numbered.element());
      }
      Crashes.point("after commit");
      if (batch.endOfInput()) {
        Crashes.point("after last flush");
      }
      return Outcome.done(List.of(key));
    }
  }

  /** Stands for what is chained to the commit. */
  static final class AdvanceFn extends DoFn<String, Void> {
    @ProcessElement
    public void process(@Element String key) {
      Crashes.point("before advance");
      Crashes.point("after advance");
    }
  }

  private JobID run(TidemarkFlinkOptions options, boolean withinBundle, boolean ends)
      throws Exception {
    return run(options, new WriteFn(withinBundle, 7, KEYS), ends);
  }

  private JobID run(TidemarkFlinkOptions options, WriteFn write, boolean ends) throws Exception {
    options.setJobName("once-" + UUID.randomUUID());
    Pipeline pipeline = Pipeline.create(options);
    pipeline
        .apply("Ids", Read.from(IdSource.of(IDS, PER_SECOND, ends)))
        .apply("Write", ParDo.of(write))
        .setCoder(KvCoder.of(StringUtf8Coder.of(), SerializableCoder.of(Result.class)))
        .apply(
            "Once",
            PerformOnce.of(new LedgerEffect())
                .withReportCoder(StringUtf8Coder.of())
                .withHeartbeatInterval(Duration.millis(500)))
        .apply("Advance", ParDo.of(new AdvanceFn()));
    JobID job = flink.submit(pipeline);
    started.add(job);
    return job;
  }

  private void awaitAll(JobID job) throws Exception {
    try {
      flink.awaitCondition(job, () -> Ledger.distinctIds().size() == IDS, 25);
    } catch (TimeoutException e) {
      throw new AssertionError(
          String.format(
              "%d of %d ids performed, %d read, crashes %s",
              Ledger.distinctIds().size(), IDS, Crashes.passes("read"), Crashes.done()),
          e);
    }
    started.remove(job);
    flink.cancel(job);
  }

  private static void assertOnce() {
    assertThat("distinct ids", (long) Ledger.distinctIds().size(), is(IDS));
    assertThat("ids, with doubled ones", Ledger.ids(), is(IDS));
    assertThat("rewound", Ledger.REWOUND, is(List.of()));
    assertThat("gaps", Ledger.REPORTED_GAPS, is(List.of()));
  }

  private static void assertCrashed(int times) {
    assertThat(Crashes.done().toString(), Crashes.done().size(), is(times));
    System.out.printf(
        "once: %d crashes %s, %d ids, %d repetitions recognised%n",
        times, Crashes.done(), Ledger.ids(), Ledger.repeated);
  }

  @Test
  public void crashesAtEachPointWithResultsAtTheEndOfBundles() throws Exception {
    Crashes.plan("file closed", 5, 11);
    Crashes.plan("before commit", 2, 9);
    Crashes.plan("after commit", 4, 8);
    Crashes.plan("before advance", 3);
    Crashes.plan("after advance", 7);
    awaitAll(run(flink.options(2, CHECKPOINT_MILLIS), false, false));
    assertCrashed(8);
    assertOnce();
    assertThat(Ledger.repeated, greaterThan(0));
  }

  @Test
  public void crashesAtEachPointWithResultsWithinBundles() throws Exception {
    Crashes.plan("before commit", 3, 10);
    Crashes.plan("after commit", 2, 3, 4, 12);
    Crashes.plan("before advance", 6);
    Crashes.plan("after advance", 9);
    awaitAll(run(flink.options(2, CHECKPOINT_MILLIS), true, false));
    assertCrashed(8);
    assertOnce();
  }

  @Test
  public void crashAfterTheFirstCommitOfThreeRestoresInARow() throws Exception {
    TidemarkFlinkOptions options = flink.options(1, 1_000);
    Crashes.plan("after commit", 3, 4, 5, 6);
    awaitAll(run(options, true, false));
    assertCrashed(4);
    assertOnce();
    assertThat(Ledger.repeated, greaterThanOrEqualTo(3));
  }

  @Test
  public void abortedCheckpointsFollowedByACrash() throws Exception {
    assumeTrue("long form only", LONG);
    Crashes.plan("checkpoint mark", 4, 5, 9);
    Crashes.plan("after commit", 3, 7);
    awaitAll(run(flink.options(2, CHECKPOINT_MILLIS), true, false));
    assertCrashed(5);
    assertOnce();
  }

  @Test
  public void savepointInBetweenFollowedByACrash() throws Exception {
    JobID job = run(flink.options(2, 700), true, false);
    for (int i = 0; i < 3; i++) {
      int commits = Crashes.passes("after commit");
      flink.awaitCondition(job, () -> Crashes.passes("after commit") > commits, 60);
      flink.savepoint(job, temp.newFolder().toPath());
      Crashes.planNext(i % 2 == 0 ? "before commit" : "after commit");
    }
    awaitAll(job);
    assertOnce();
    assertThat(Crashes.done().size(), greaterThanOrEqualTo(2));
  }

  @Test
  public void backlogOfAnOutageIsPerformedInPartsOfBoundedSize() throws Exception {
    outageUntilRead = IDS * 3 / 4;
    awaitAll(run(flink.options(2, CHECKPOINT_MILLIS), new WriteFn(true, 1, 1), false));
    assertOnce();
    assertThat(largestBatch.get(), is(1_000));
  }

  @Test
  public void inputThatEndsIsPerformedToTheLast() throws Exception {
    Crashes.plan("after commit", 2);
    JobID job = run(flink.options(2, CHECKPOINT_MILLIS), false, true);
    JobResult result = flink.await(job, 120);
    started.remove(job);
    assertThat(result.isSuccess(), is(true));
    assertOnce();
  }

  @Test
  public void crashAfterTheLastFlushIsRefusedAsARewindAndTheRemedyWorks() throws Exception {
    TidemarkFlinkOptions options = flink.options(1, NO_CHECKPOINT_MILLIS);
    options.setNumberOfExecutionRetries(1);
    Crashes.plan("after last flush", 1);
    JobID job = run(options, false, true);
    JobResult result = flink.await(job, 120);
    started.remove(job);
    assertThat(result.isSuccess(), is(false));
    assertThat(Ledger.REWOUND.isEmpty(), is(false));

    Set<String> keys = Set.copyOf(Ledger.COMMITTED.keySet());
    keys.forEach(key -> Ledger.forgetFrom(key, 1));
    Ledger.REWOUND.clear();
    Crashes.reset();
    JobID again = run(flink.options(1, CHECKPOINT_MILLIS), false, true);
    assertThat(flink.await(again, 120).isSuccess(), is(true));
    started.remove(again);
    assertOnce();
  }

  @Test
  public void stopWithSavepointRestoreAndRescale() throws Exception {
    TidemarkFlinkOptions first = flink.options(1, 60_000);
    JobID job = run(first, true, false);
    flink.awaitCondition(job, OnceCrashTest::readAQuarter, 60);
    String savepoint = flink.stop(job, temp.newFolder().toPath(), false);
    started.remove(job);
    long held = Ledger.ids();
    assertThat("nothing lost or doubled at the stop", (long) Ledger.distinctIds().size(), is(held));

    TidemarkFlinkOptions second = flink.options(2, CHECKPOINT_MILLIS);
    second.setSavepointPath(savepoint);
    awaitAll(run(second, true, false));
    assertOnce();
  }

  private static boolean readAQuarter() {
    return Crashes.passes("read") > IDS / 4;
  }

  @Test
  public void drainPerformsWhatNoCheckpointHeldYet() throws Exception {
    JobID job = run(flink.options(2, 60_000), false, false);
    flink.awaitCondition(job, OnceCrashTest::readAQuarter, 60);
    flink.stop(job, temp.newFolder().toPath(), true);
    started.remove(job);
    assertThat(Ledger.ids(), is((long) Crashes.passes("read")));
    assertThat((long) Ledger.distinctIds().size(), is((long) Crashes.passes("read")));
  }
}
