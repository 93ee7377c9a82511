package dev.tidemark.flink;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.junit.Assert.assertThrows;

import com.google.common.base.Throwables;
import dev.tidemark.candidates.UpsertStrategy;
import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.flink.testing.Crashes;
import dev.tidemark.flink.testing.EmbeddedFlink;
import dev.tidemark.upsert.MaterializeUpserts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.joda.time.Duration;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/**
 * Restores a savepoint that was recorded by the released version, with and without its settings.
 */
@RunWith(JUnit4.class)
public class GoldenSavepointTest {
  private static final Path SAVEPOINT =
      Path.of("src", "test", "resources", "dev", "tidemark", "flink", "savepoint-0.1")
          .toAbsolutePath();

  private static EmbeddedFlink flink;

  @BeforeClass
  public static void startFlink() throws Exception {
    flink = EmbeddedFlink.start();
  }

  @AfterClass
  public static void stopFlink() {
    flink.close();
  }

  @Before
  public void reset() {
    Crashes.reset();
    GoldenPipeline.reset(true);
  }

  private static TidemarkFlinkOptions options(int parallelism) {
    TidemarkFlinkOptions options = GoldenPipeline.options(flink, parallelism);
    options.setSavepointPath(SAVEPOINT.toUri().toString());
    return options;
  }

  /** Customers whose last change is not a delete; each delete takes all six orders to come. */
  private static long customersLeft() {
    Map<Long, ChangeKind> last = new HashMap<>();
    GoldenPipeline.performed()
        .values()
        .forEach(change -> last.put(change.row().getInt64("customer"), change.kind()));
    return GoldenPipeline.CUSTOMERS
        - last.values().stream().filter(kind -> kind == ChangeKind.DELETE).count();
  }

  private static void assertRestores(TidemarkFlinkOptions options, MaterializeUpserts upserts)
      throws Exception {
    JobID job = GoldenPipeline.run(flink, options, upserts);
    try {
      flink.awaitCondition(job, () -> customersLeft() == 0, 60);
    } catch (TimeoutException e) {
      throw new AssertionError(
          String.format(
              "%d of %d customers are left, %d changes emitted since the restore, %d performed",
              customersLeft(),
              GoldenPipeline.CUSTOMERS,
              GoldenPipeline.emitted(),
              GoldenPipeline.performed().size()),
          e);
    } finally {
      flink.cancel(job);
    }
    SortedMap<Long, Change> performed = GoldenPipeline.performed();
    assertThat(GoldenPipeline.different(), is(List.of()));
    assertThat(
        "no number is missing",
        new ArrayList<>(performed.keySet()),
        is(LongStream.rangeClosed(1, performed.size()).boxed().collect(Collectors.toList())));
    SortedMap<Long, Change> held = performed.headMap(GoldenPipeline.ORDERS + 1L);
    assertThat(
        "what the savepoint held",
        orders(held, ChangeKind.INSERT, ChangeKind.UPDATE_AFTER),
        is(LongStream.range(0, GoldenPipeline.ORDERS).boxed().collect(Collectors.toList())));
    assertThat(orders(held, ChangeKind.INSERT).size(), is(GoldenPipeline.CUSTOMERS));
    assertThat(
        "deletes", orders(performed, ChangeKind.DELETE).size(), is(GoldenPipeline.CUSTOMERS));
    for (Change change : performed.values()) {
      assertThat(
          change.row().getValues(),
          is(GoldenPipeline.order(change.row().getInt64("order")).getValues()));
    }
  }

  private static List<Long> orders(SortedMap<Long, Change> changes, ChangeKind... kinds) {
    return changes.values().stream()
        .filter(change -> List.of(kinds).contains(change.kind()))
        .map(change -> change.row().getInt64("order"))
        .sorted()
        .collect(Collectors.toList());
  }

  @Test
  public void savepointOfThisVersionRestores() throws Exception {
    assertRestores(options(2), GoldenPipeline.upserts());
  }

  @Test
  public void savepointOfThisVersionRestoresWithAnotherParallelism() throws Exception {
    assertRestores(options(3), GoldenPipeline.upserts());
  }

  @Test
  @SuppressWarnings("deprecation") // the only option that takes an incremental backend
  public void savepointOfThisVersionRestoresIntoRocksDb() throws Exception {
    TidemarkFlinkOptions options = options(1);
    options.setStateBackendFactory(IncrementalRocksDb.class);
    assertRestores(options, GoldenPipeline.upserts());
  }

  @Test
  public void settingsThatStateIsNotBoundToCanBeChanged() throws Exception {
    assertRestores(
        options(2),
        GoldenPipeline.upserts()
            .withStrategy(UpsertStrategy.LEGACY)
            .withThresholds(5, 2)
            .withSoftBound(1)
            .withBatchRows(7)
            .withStoreMemory(2 << 20)
            .withTimeToLive(Duration.standardDays(1)));
  }

  @Test
  public void anotherNumberOfShardsIsRefusedBeforeAnythingRuns() {
    for (int shards : new int[] {15, 32}) {
      Throwable e =
          assertThrows(
              Exception.class,
              () ->
                  GoldenPipeline.run(
                      flink, options(2), GoldenPipeline.upserts().withShards(shards)));
      assertThat(
          Throwables.getStackTraceAsString(e),
          containsString("Cannot map checkpoint/savepoint state for operator"));
    }
  }

  @Test
  public void anotherMaxParallelismIsNamed() throws Exception {
    TidemarkFlinkOptions options = options(2);
    options.setMaxParallelism(128);
    Throwable e =
        assertThrows(
            Exception.class, () -> GoldenPipeline.run(flink, options, GoldenPipeline.upserts()));
    assertThat(Throwables.getStackTraceAsString(e), containsString("Max parallelism mismatch"));
  }

  @Test
  public void savepointIsSmall() throws Exception {
    long bytes = 0;
    try (Stream<Path> files = Files.list(SAVEPOINT)) {
      for (Path file : files.collect(Collectors.toList())) {
        bytes += Files.size(file);
      }
    }
    assertThat(bytes, lessThan(300_000L));
  }
}
