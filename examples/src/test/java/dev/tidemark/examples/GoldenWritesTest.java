package dev.tidemark.examples;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.not;

import dev.tidemark.commit.StoredEvidence;
import dev.tidemark.commit.TidemarkKeys;
import dev.tidemark.doris.emulator.DorisEmulator;
import dev.tidemark.finalization.Attestation;
import dev.tidemark.flink.TidemarkFlinkOptions;
import dev.tidemark.flink.testing.Crashes;
import dev.tidemark.flink.testing.EmbeddedFlink;
import dev.tidemark.flink.testing.IdSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/**
 * Restores a savepoint of writes to Iceberg and Doris that was recorded by the released version:
 * what it holds is committed and loaded before anything else comes, heartbeats go on, and what
 * comes then finds its candidates and goes on with its numbers.
 */
@RunWith(JUnit4.class)
public class GoldenWritesTest {
  private static final Path SAVEPOINT =
      Path.of("src", "test", "resources", "dev", "tidemark", "examples", "savepoint-0.1")
          .toAbsolutePath();

  private static EmbeddedFlink flink;

  private DorisEmulator doris;

  @BeforeClass
  public static void startFlink() throws Exception {
    flink = EmbeddedFlink.start();
  }

  @AfterClass
  public static void stopFlink() {
    flink.close();
  }

  @Before
  public void putBack() throws Exception {
    Crashes.reset();
    GoldenWrites.reset();
    RecordedWarehouse.unzip(SAVEPOINT.resolve(RecordedWarehouse.FILE), GoldenWrites.WAREHOUSE);
    doris = GoldenWrites.startDoris();
  }

  @After
  public void close() {
    if (doris != null) {
      doris.close();
    }
  }

  private static Table table() {
    return GoldenWrites.catalog().loadTable(GoldenWrites.TABLE);
  }

  private static long rows() {
    return new FinalizedTable(table()).rows();
  }

  /** When the writer last gave a sign of life, as the table knows it. */
  private static long attestedMillis() {
    Attestation attestation =
        StoredEvidence.of(((HasTableOperations) table()).operations().current(), TidemarkKeys.MAIN)
            .attestation(GoldenWrites.WRITER);
    return attestation == null ? Long.MIN_VALUE : attestation.atMillis();
  }

  private static void await(
      JobID job, String what, BooleanSupplier condition, Supplier<Object> found) throws Exception {
    try {
      flink.awaitCondition(job, condition, 60);
    } catch (TimeoutException e) {
      throw new AssertionError("Cannot see that " + what + ", but " + found.get(), e);
    }
  }

  private void assertRestores(int parallelism) throws Exception {
    assertThat(rows(), is((long) GoldenWrites.COMMITTED));
    long started = System.currentTimeMillis();
    IdSource.holdBefore(GoldenWrites.HELD);
    TidemarkFlinkOptions options = GoldenWrites.options(flink, parallelism, 300);
    options.setSavepointPath(SAVEPOINT.toUri().toString());
    JobID job = GoldenWrites.run(flink, options, doris);
    try {
      assertHoldsWhatWasHeld(job, started);
      IdSource.release();
      assertGoesOn(job);
    } finally {
      IdSource.release();
      flink.cancel(job);
    }
    assertTableIsWhole();
    assertThat(doris.violations(), is(empty()));
  }

  private void assertHoldsWhatWasHeld(JobID job, long started) throws Exception {
    await(
        job,
        "held data files are committed",
        () -> rows() == GoldenWrites.HELD,
        GoldenWritesTest::rows);
    Map<Long, Long> held = GoldenWrites.ordersFrom(2 * GoldenWrites.CUSTOMERS);
    await(
        job,
        "held rows are loaded",
        () -> GoldenWrites.orders(doris, GoldenWrites.UPSERTS).equals(held),
        () -> GoldenWrites.orders(doris, GoldenWrites.UPSERTS));
    await(
        job,
        "heartbeats go on",
        () -> attestedMillis() >= started,
        GoldenWritesTest::attestedMillis);
    assertThat("read again", GoldenWrites.read(), is(0));
    assertThat(GoldenWrites.labels(doris, GoldenWrites.TWO_PHASES), is(empty()));
  }

  private void assertGoesOn(JobID job) throws Exception {
    await(
        job,
        "what came after is committed",
        () -> rows() == GoldenWrites.ALL,
        GoldenWritesTest::rows);
    await(
        job,
        "the watermark follows",
        () -> new FinalizedTable(table()).isFinalizedByItsFacts(),
        () -> new FinalizedTable(table()).watermark());
    Map<Long, Long> shownAgain = GoldenWrites.ordersFrom(GoldenWrites.CUSTOMERS);
    await(
        job,
        "orders from before are shown again",
        () -> GoldenWrites.orders(doris, GoldenWrites.UPSERTS).equals(shownAgain),
        () -> GoldenWrites.orders(doris, GoldenWrites.UPSERTS));
    Map<Long, Long> latest = GoldenWrites.ordersFrom(GoldenWrites.HELD);
    await(
        job,
        "the latest orders are loaded in two phases",
        () -> GoldenWrites.orders(doris, GoldenWrites.TWO_PHASES).equals(latest),
        () -> GoldenWrites.orders(doris, GoldenWrites.TWO_PHASES));
    for (String name : new String[] {GoldenWrites.UPSERTS, GoldenWrites.TWO_PHASES}) {
      assertThat(GoldenWrites.labels(doris, name), is(not(empty())));
    }
  }

  private static void assertTableIsWhole() throws Exception {
    FinalizedTable table = new FinalizedTable(table());
    assertThat(
        new TreeMap<>(table.ids()),
        is(
            new TreeMap<>(
                LongStream.range(0, GoldenWrites.ALL)
                    .boxed()
                    .collect(Collectors.toMap(Function.identity(), id -> 1)))));
    assertThat(table.watermark(), is(table.watermarkOfFacts()));
    assertThat(table.watermark(), is(greaterThanOrEqualTo(IdSource.START.getMillis())));
    long accumulated = 0;
    for (Snapshot snapshot : table().snapshots()) {
      accumulated +=
          Long.parseLong(snapshot.summary().getOrDefault("tidemark.acc.rows.count", "0"));
    }
    assertThat("accumulated rows", accumulated, is((long) GoldenWrites.ALL));
  }

  @Test
  public void writesOfTheSavepointGoOn() throws Exception {
    assertRestores(1);
  }

  @Test
  public void writesOfTheSavepointGoOnWithAnotherParallelism() throws Exception {
    assertRestores(2);
  }

  @Test
  public void savepointIsSmall() throws Exception {
    long bytes = 0;
    try (Stream<Path> files = Files.list(SAVEPOINT)) {
      for (Path file : files.toList()) {
        bytes += Files.size(file);
      }
    }
    assertThat(bytes, is(lessThan(600_000L)));
  }
}
