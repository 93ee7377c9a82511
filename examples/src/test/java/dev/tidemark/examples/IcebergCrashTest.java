package dev.tidemark.examples;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.commit.CommitContext;
import dev.tidemark.datafile.RowSchemas;
import dev.tidemark.eventtime.EventTimeExtractor;
import dev.tidemark.finalization.Decision;
import dev.tidemark.finalization.FinalizationPolicy;
import dev.tidemark.finalization.Lookback;
import dev.tidemark.finalization.Policies;
import dev.tidemark.finalization.WriterEvidence;
import dev.tidemark.flink.TidemarkFlinkOptions;
import dev.tidemark.flink.testing.Crashes;
import dev.tidemark.flink.testing.EmbeddedFlink;
import dev.tidemark.flink.testing.IdSource;
import dev.tidemark.iceberg.CommitAccumulator;
import dev.tidemark.iceberg.FinalizationOptions;
import dev.tidemark.iceberg.IcebergWriteResult;
import dev.tidemark.iceberg.SerializableCommitHook;
import dev.tidemark.iceberg.TableAdvance;
import dev.tidemark.iceberg.TableCommit;
import dev.tidemark.iceberg.TableCreation;
import dev.tidemark.iceberg.TidemarkIcebergIO;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderRegistry;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.coders.VoidCoder;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.transforms.Combine;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.Row;
import org.apache.flink.api.common.JobID;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
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
 * Breaks a write to an Iceberg table on a real Flink cluster at every step between a data file and
 * the watermark. Each id must be in the table once, and the watermark must be what the facts of the
 * commits give, and never have moved back.
 */
@RunWith(JUnit4.class)
public class IcebergCrashTest {
  private static final boolean LONG = Boolean.getBoolean("tidemark.long");
  private static final long IDS = LONG ? 12_000 : 4_800;
  private static final long PER_SECOND = 400;
  private static final long CHECKPOINT_MILLIS = 500;

  /**
   * So long that not even the first checkpoint, which Flink takes at random within the interval,
   * comes.
   */
  private static final long NO_CHECKPOINT_MILLIS = 1_000L * 3_600_000;

  private static final long EVENT_MILLIS = 6_000;
  private static final TableIdentifier TABLE = TableIdentifier.of("shop", "ids");
  private static final Instant FIRST_EVENT = Instant.parse("2026-03-01T00:00:00Z");
  private static final Schema SCHEMA =
      Schema.builder()
          .addInt64Field("id")
          .addLogicalTypeField("at", SqlTypes.TIMESTAMP)
          .addStringField("text")
          .build();
  private static final Lookback LOOKBACK = Lookback.of(2, Duration.ZERO);

  private static EmbeddedFlink flink;

  @Rule public final TemporaryFolder temp = new TemporaryFolder();

  private final List<JobID> started = new ArrayList<>();
  private CatalogConfig catalog;

  @BeforeClass
  public static void startFlink() throws Exception {
    flink = EmbeddedFlink.start();
  }

  @AfterClass
  public static void stopFlink() {
    flink.close();
  }

  @Before
  public void reset() throws Exception {
    Crashes.reset();
    catalog =
        CatalogConfig.of(
            "lake", Map.of("type", "hadoop", "warehouse", temp.newFolder().getAbsolutePath()));
  }

  @After
  public void cancel() throws Exception {
    for (JobID job : started) {
      flink.cancel(job);
    }
  }

  /** A row for an id; its event time depends on nothing else. */
  static final class RowFn extends DoFn<Long, Row> {
    @ProcessElement
    public void process(@Element Long id, OutputReceiver<Row> out) {
      Crashes.point("read");
      out.output(
          Row.withSchema(SCHEMA)
              .attachValues(id, FIRST_EVENT.plusMillis(id * EVENT_MILLIS), "row " + id % 100));
    }
  }

  /** Counts rows, and breaks when its accumulator is encoded: the data files are closed then. */
  static final class BreakingCountFn extends Combine.CombineFn<Row, Long, Long> {
    @Override
    public Long createAccumulator() {
      return 0L;
    }

    @Override
    public Long addInput(Long accumulator, Row input) {
      return accumulator + 1;
    }

    @Override
    public Long mergeAccumulators(Iterable<Long> accumulators) {
      long sum = 0;
      for (long accumulator : accumulators) {
        sum += accumulator;
      }
      return sum;
    }

    @Override
    public Long compact(Long accumulator) {
      Crashes.point("file closed");
      return accumulator;
    }

    @Override
    public Long extractOutput(Long accumulator) {
      return accumulator;
    }

    @Override
    public Coder<Long> getAccumulatorCoder(CoderRegistry registry, Coder<Row> inputCoder) {
      return VarLongCoder.of();
    }
  }

  /** Breaks before and after the commit; what it throws is no ordinary failure of a hook. */
  static final class BreakingHook implements SerializableCommitHook {
    @Override
    public void beforeCommit(CommitContext context) {
      Crashes.errorPoint("before commit");
    }

    @Override
    public void afterCommit(CommitContext context) {
      Crashes.errorPoint("after commit");
    }
  }

  /** Breaks while the watermark is computed. */
  static final class BreakingPolicy implements FinalizationPolicy {
    private final FinalizationPolicy policy = Policies.minOfMins(LOOKBACK);

    @Override
    public Decision decide(WriterEvidence evidence) {
      Crashes.errorPoint("during advance");
      return policy.decide(evidence);
    }

    @Override
    public String describe() {
      return policy.describe();
    }

    @Override
    public Lookback lookback() {
      return policy.lookback();
    }
  }

  /** Breaks when something arrives. */
  static final class BreakFn<T> extends DoFn<T, Void> {
    private final String point;

    BreakFn(String point) {
      this.point = point;
    }

    @ProcessElement
    public void process(@Element T element) {
      Crashes.point(point);
    }
  }

  private JobID run(TidemarkFlinkOptions options, boolean ends) throws Exception {
    options.setJobName("iceberg-" + UUID.randomUUID());
    Pipeline pipeline = Pipeline.create(options);
    IcebergWriteResult written =
        pipeline
            .apply("Ids", Read.from(IdSource.of(IDS, PER_SECOND, ends)))
            .apply("Rows", ParDo.of(new RowFn()))
            .setRowSchema(SCHEMA)
            .apply(
                "Write",
                TidemarkIcebergIO.writeRows()
                    .withCatalog(catalog)
                    .to(TABLE)
                    .withWriterId("ids")
                    .withTableCreation(TableCreation.unpartitioned().withPartitions("hour(at)"))
                    .withEventTime(EventTimeExtractor.column("at"))
                    .withFinalization(
                        FinalizationOptions.defaults().withPolicy(new BreakingPolicy()))
                    .withAccumulator(
                        CommitAccumulator.of(
                            "rows",
                            schema -> new BreakingCountFn(),
                            rows -> Map.of("count", rows.toString())))
                    .withCommitHook(new BreakingHook())
                    .withHeartbeatInterval(Duration.millis(500)));
    written
        .commits()
        .apply("Commits", ParDo.of(new BreakFn<TableCommit>("between commit and advance")))
        .setCoder(VoidCoder.of());
    written
        .advances()
        .apply("Advances", ParDo.of(new BreakFn<TableAdvance>("after advance")))
        .setCoder(VoidCoder.of());
    JobID job = flink.submit(pipeline);
    started.add(job);
    return job;
  }

  private void awaitAll(JobID job) throws Exception {
    try {
      flink.awaitCondition(
          job, () -> committedRows() >= IDS && table().isFinalizedByItsFacts(), 120);
    } catch (TimeoutException e) {
      throw new AssertionError(
          String.format("%d of %d ids committed, crashes %s", committedRows(), IDS, Crashes.done()),
          e);
    }
    started.remove(job);
    flink.cancel(job);
  }

  private boolean tableExists() {
    return catalog.catalog().tableExists(TABLE);
  }

  private FinalizedTable table() {
    return new FinalizedTable(catalog.loadTable(TABLE));
  }

  private long committedRows() {
    return tableExists() ? table().rows() : 0;
  }

  private void assertOnce() throws IOException {
    Map<Long, Integer> times = table().ids();
    assertThat("distinct ids", (long) times.size(), is(IDS));
    assertThat("doubled ids", times.values().stream().filter(count -> count > 1).count(), is(0L));
  }

  private void assertWatermark() {
    FinalizedTable table = table();
    assertThat(table.watermark(), greaterThanOrEqualTo(FIRST_EVENT.toEpochMilli()));
    assertThat(table.watermark(), is(table.watermarkOfFacts()));
    long highest = Long.MIN_VALUE;
    for (long past : table.watermarkHistory()) {
      assertThat(past, greaterThanOrEqualTo(highest));
      highest = past;
    }
  }

  private static void assertCrashed(int times) {
    assertThat(Crashes.done().toString(), Crashes.done().size(), is(times));
    System.out.printf("iceberg: %d crashes %s%n", times, Crashes.done());
  }

  @Test
  public void crashesAtEachStep() throws Exception {
    Crashes.plan("file closed", 3, 9);
    Crashes.plan("before commit", 2, 6);
    Crashes.plan("after commit", 2, 5);
    Crashes.plan("between commit and advance", 3, 7);
    Crashes.plan("during advance", 4, 8);
    Crashes.plan("after advance", 1, 3);
    awaitAll(run(flink.options(2, CHECKPOINT_MILLIS), false));
    assertCrashed(12);
    assertOnce();
    assertWatermark();
  }

  @Test
  public void crashesBetweenTheFirstCommitOfARestoreAndTheNextCheckpoint() throws Exception {
    Crashes.plan("after commit", 3, 4, 5, 6);
    awaitAll(run(flink.options(1, 1_500), false));
    assertCrashed(4);
    assertOnce();
    assertWatermark();
  }

  @Test
  public void abortedCheckpointsAndSavepointsInBetweenFollowedByCrashes() throws Exception {
    Crashes.plan("checkpoint mark", 5, 6);
    JobID job = run(flink.options(2, 700), false);
    for (int i = 0; i < 2; i++) {
      int commits = Crashes.passes("after commit");
      flink.awaitCondition(job, () -> Crashes.passes("after commit") > commits, 60);
      flink.savepoint(job, temp.newFolder().toPath());
      Crashes.planNext(i % 2 == 0 ? "before commit" : "between commit and advance");
    }
    awaitAll(job);
    assertCrashed(4);
    assertOnce();
    assertWatermark();
  }

  @Test
  public void inputThatEndsIsCommittedAndAdvancedToTheLast() throws Exception {
    Crashes.plan("after commit", 3);
    JobID job = run(flink.options(2, CHECKPOINT_MILLIS), true);
    JobResult result = flink.await(job, 120);
    started.remove(job);
    assertThat(result.isSuccess(), is(true));
    assertCrashed(1);
    assertOnce();
    assertWatermark();
  }

  @Test
  public void crashAfterTheLastFlushIsRefusedAndRollingBackMakesItWhole() throws Exception {
    Table table = catalog.catalog().createTable(TABLE, RowSchemas.toIceberg(SCHEMA));
    table.newAppend().commit();
    long before = table.currentSnapshot().snapshotId();
    TidemarkFlinkOptions options = flink.options(1, NO_CHECKPOINT_MILLIS);
    options.setNumberOfExecutionRetries(1);
    Crashes.plan("after commit", 1);
    JobID job = run(options, true);
    JobResult failed = flink.await(job, 120);
    started.remove(job);
    assertThat(failed.isSuccess(), is(false));
    String message = failed.getSerializedThrowable().get().getFullStringifiedStackTrace();
    assertThat(message, containsString("shop.ids"));
    assertThat(message, containsString("ids"));
    assertThat(message, not(containsString("secret")));
    assertThat(committedRows(), is(IDS));

    Table rolledBack = catalog.loadTable(TABLE);
    rolledBack.manageSnapshots().rollbackTo(before).commit();
    Crashes.reset();
    JobID again = run(flink.options(1, CHECKPOINT_MILLIS), true);
    assertThat(flink.await(again, 120).isSuccess(), is(true));
    started.remove(again);
    assertOnce();
  }

  @Test
  public void stopWithSavepointRestoreAndRescale() throws Exception {
    JobID job = run(flink.options(1, 60_000), false);
    flink.awaitCondition(job, IcebergCrashTest::readAQuarter, 60);
    String savepoint = flink.stop(job, temp.newFolder().toPath(), false);
    started.remove(job);

    TidemarkFlinkOptions second = flink.options(2, CHECKPOINT_MILLIS);
    second.setSavepointPath(savepoint);
    awaitAll(run(second, false));
    assertOnce();
    assertWatermark();
  }

  @Test
  public void drainCommitsWhatNoCheckpointHeldYet() throws Exception {
    JobID job = run(flink.options(2, 60_000), false);
    flink.awaitCondition(job, IcebergCrashTest::readAQuarter, 60);
    flink.stop(job, temp.newFolder().toPath(), true);
    started.remove(job);
    assertThat(committedRows(), is((long) Crashes.passes("read")));
  }

  private static boolean readAQuarter() {
    return Crashes.passes("read") > IDS / 4;
  }
}
