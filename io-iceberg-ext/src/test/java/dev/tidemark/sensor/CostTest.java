package dev.tidemark.sensor;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.iterableWithSize;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.matchesPattern;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.catalog.CatalogConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotParser;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** What a question costs on a table with a long history, and with many who ask. */
@RunWith(JUnit4.class)
public final class CostTest {
  private static final int SNAPSHOTS = 10_000;
  private static final EventTimeRange HOUR =
      EventTimeRange.of(
          Instant.parse("2026-01-01T10:00:00Z"), Instant.parse("2026-01-01T11:00:00Z"));

  @Rule public final SensorTable table = new SensorTable(SensorTable.Kind.HADOOP);

  /** The same catalog, with files that are counted. */
  private CatalogConfig counted() {
    Map<String, String> properties = new HashMap<>(table.config().properties());
    properties.put("io-impl", CountingFileIO.class.getName());
    return CatalogConfig.of(SensorTable.CATALOG, properties);
  }

  /**
   * Puts snapshots like the head on top of it until there are enough, in one metadata version, and
   * lets the watermark rest on the oldest of them.
   */
  private void grow() throws Exception {
    TableOperations operations = ((HasTableOperations) table.table()).operations();
    TableMetadata base = operations.current();
    Snapshot head = base.currentSnapshot();
    ObjectMapper mapper = new ObjectMapper();
    TableMetadata.Builder grown = TableMetadata.buildFrom(base);
    long parent = head.snapshotId();
    for (int i = base.snapshots().size(); i < SNAPSHOTS; i++) {
      ObjectNode json = (ObjectNode) mapper.readTree(SnapshotParser.toJson(head));
      json.put("snapshot-id", 1_000_000L + i).put("parent-snapshot-id", parent);
      json.put("sequence-number", base.lastSequenceNumber() + i);
      json.put("timestamp-ms", head.timestampMillis() + i);
      Snapshot next = SnapshotParser.fromJson(json.toString());
      grown.addSnapshot(next);
      parent = next.snapshotId();
    }
    grown.setBranchSnapshot(parent, "main");
    operations.commit(base, grown.build());
  }

  @Test
  public void checkReadsNoMoreThanTheMetadata() throws Exception {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    table.commitAndAdvance("eu", "2026-01-01T12:05:00Z");
    grow();
    Finalization finalization = Finalization.of(counted(), SensorTable.TABLE);
    CountingFileIO.reset();

    FinalizationStatus status = finalization.status(HOUR);

    assertThat(status.isFinalized(), is(true));
    assertThat(status.verified(), is(true));
    assertThat(table.table().snapshots(), iterableWithSize(SNAPSHOTS));
    List<String> read = CountingFileIO.read();
    assertThat(read, everyItem(matchesPattern(".*\\.metadata\\.json")));
    assertThat(read.toString(), read.size(), lessThanOrEqualTo(3));
  }

  @Test
  public void everyQuestionOfAWaitCostsTheSame() throws Exception {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    int[] pauses = {0};
    Finalization finalization =
        Finalization.of(counted(), SensorTable.TABLE)
            .withClock(table.clock())
            .withSleeper(
                table.sleeper(
                    () -> {
                      if (++pauses[0] == 4) {
                        table.commitAndAdvance("eu", "2026-01-01T11:05:00Z");
                      }
                    }));
    CountingFileIO.reset();

    finalization.await(HOUR, Duration.ofHours(1), Duration.ofMinutes(1));

    // Five questions.
    assertThat(CountingFileIO.read(), everyItem(matchesPattern(".*\\.metadata\\.json")));
    assertThat(CountingFileIO.read().size(), lessThanOrEqualTo(15));
  }

  /** Fifty that wait for one table, all of which have asked in vain before it is finalized. */
  @Test
  public void fiftyWaitersAreAllAnswered() throws Exception {
    int waiters = 50;
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    CyclicBarrier pause =
        new CyclicBarrier(waiters, () -> table.commitAndAdvance("eu", "2026-01-01T11:05:00Z"));
    ExecutorService threads = Executors.newFixedThreadPool(waiters);
    try {
      List<Future<FinalizationStatus>> waits = new ArrayList<>();
      for (int i = 0; i < waiters; i++) {
        Finalization finalization =
            Finalization.of(table.config(), SensorTable.TABLE)
                .withSleeper(
                    millis -> {
                      try {
                        pause.await(60, TimeUnit.SECONDS);
                      } catch (BrokenBarrierException | TimeoutException e) {
                        throw new IllegalStateException(e);
                      }
                    });
        waits.add(
            threads.submit(
                () -> finalization.await(HOUR, Duration.ofHours(1), Duration.ofSeconds(30))));
      }
      List<FinalizationStatus> statuses = new ArrayList<>();
      for (Future<FinalizationStatus> wait : waits) {
        statuses.add(wait.get(120, TimeUnit.SECONDS));
      }

      long head = table.table().currentSnapshot().snapshotId();
      assertThat(statuses, hasSize(waiters));
      assertThat(
          statuses.stream().filter(s -> s.isFinalized() && s.snapshotId() == head).count(),
          is((long) waiters));
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  public void pausesDifferByATenth() throws InterruptedException {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    List<Long> pauses = new ArrayList<>();
    double[] chances = {0, 0.5, 0.999_999};
    int[] drawn = {0};

    Finalization.of(table.config(), SensorTable.TABLE)
        .withClock(table.clock())
        .withRandom(() -> chances[drawn[0]++ % 3])
        .withSleeper(
            millis -> {
              pauses.add(millis);
              table.sleeper(() -> {}).sleep(millis);
            })
        .await(HOUR, Duration.ofMinutes(3), Duration.ofMinutes(1));

    assertThat(pauses, is(List.of(54_000L, 60_000L, 66_000L)));
  }
}
