package dev.tidemark.commit;

import static dev.tidemark.commit.CommitFixture.HOUR;
import static dev.tidemark.commit.CommitFixture.START;
import static dev.tidemark.commit.CommitFixture.TABLE;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;

import dev.tidemark.finalization.Lookback;
import dev.tidemark.finalization.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.iceberg.ExpireSnapshots;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.joda.time.Duration;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Four writers commit, expire and advance at once, with requests and answers lost at random. */
@RunWith(Parameterized.class)
public final class ConcurrencyTest {
  private static final int ROUNDS = Boolean.getBoolean("tidemark.long") ? 500 : 40;
  private static final List<String> WRITERS = List.of("a", "b", "c", "d");
  private static final Lookback TWO = Lookback.of(2, Duration.ZERO);

  @Parameters(name = "{0}")
  public static Object[] catalogs() {
    return CatalogKind.values();
  }

  @Rule public final CommitFixture fixture;

  public ConcurrencyTest(CatalogKind kind) {
    this.fixture = new CommitFixture(kind);
  }

  @Test
  public void watermarkOnlyRisesAndNothingIsCommittedTwice() throws Exception {
    fixture
        .table()
        .updateProperties()
        .set("commit.retry.num-retries", "1000")
        .set("commit.manifest.min-count-to-merge", "20")
        .commit();
    fixture.setNow(START + 100_000 * HOUR);
    AtomicInteger round = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS.size());
    List<String> handedOver = new ArrayList<>();
    try {
      List<Future<List<String>>> running = new ArrayList<>();
      for (String writer : WRITERS) {
        running.add(threads.submit(new WriterLoop(writer, round)));
      }
      for (Future<List<String>> each : running) {
        handedOver.addAll(each.get());
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(fixture.livePaths(), containsInAnyOrder(handedOver.toArray()));
    assertThat(handedOver.size(), greaterThanOrEqualTo(ROUNDS));
    Rising rising = new Rising();
    fixture.forEachVersion(rising);
    assertThat(rising.moves, greaterThan(1));
  }

  /** Checks one metadata version after the other. */
  private static final class Rising implements Consumer<TableMetadata> {
    private Long last;
    private int moves;

    @Override
    public void accept(TableMetadata version) {
      Long now =
          WatermarkState.of(version.properties(), TidemarkKeys.main()).finalizedUntilMillis();
      if (last != null) {
        assertThat(version.metadataFileLocation(), now, greaterThanOrEqualTo(last));
      }
      moves += now != null && !now.equals(last) ? 1 : 0;
      last = now;
    }
  }

  /** One writer: commits, repeats commits, and advances by a policy of its own pace. */
  private final class WriterLoop implements Callable<List<String>> {
    private final String writer;
    private final AtomicInteger round;
    private final Random random;
    private final CommitProtocol protocol;
    private final AdvanceProtocol advances;

    WriterLoop(String writer, AtomicInteger round) {
      this.writer = writer;
      this.round = round;
      this.random = new Random(writer.hashCode());
      TableAccess access = new LossyAccess(TableAccess.of(fixture.catalog()), random);
      // Sleeps are real but short here: contention is what is tested.
      this.protocol = new CommitProtocol(access, fixture.clock(), Thread::sleep);
      this.advances = new AdvanceProtocol(access, fixture.clock(), Thread::sleep);
    }

    @Override
    public List<String> call() {
      List<String> paths = new ArrayList<>();
      List<WriterResult> recent = new ArrayList<>();
      String uuid = fixture.uuid();
      long sequence = 0;
      for (int now = round.getAndIncrement(); now < ROUNDS; now = round.getAndIncrement()) {
        sequence++;
        WriterResult result =
            WriterResult.of(sequence, uuid, List.of(fixture.file(1)))
                .withEventTime(CommitFixture.stats(START + now * HOUR, START + (now + 1) * HOUR));
        paths.add(result.files().get(0).location());
        recent.add(result);
        if (recent.size() > 3) {
          recent.remove(0);
        }
        commit(recent);
        if (random.nextBoolean()) {
          commit(recent);
        }
        if (random.nextInt(10) == 0) {
          expire();
        }
        advances.advance(
            TABLE,
            AdvanceRequest.of(writer, Policies.minOfMins(TWO))
                .withRequiredWriters(
                    random.nextInt(4) == 0 ? Set.of(writer) : Set.copyOf(WRITERS)));
      }
      return paths;
    }

    private void expire() {
      fixture
          .table()
          .expireSnapshots()
          .expireOlderThan(Long.MAX_VALUE)
          .retainLast(1 + random.nextInt(20))
          .cleanupLevel(ExpireSnapshots.CleanupLevel.NONE)
          .commit();
    }

    private void commit(List<WriterResult> results) {
      protocol.commit(
          CommitRequest.of(TABLE, writer, List.copyOf(results)).withLookback(TWO), List.of());
    }
  }

  /** Loses one request in ten and one answer in ten. */
  private static final class LossyAccess implements TableAccess {
    private final TableAccess real;
    private final Random random;

    LossyAccess(TableAccess real, Random random) {
      this.real = real;
      this.random = random;
    }

    @Override
    public TableOperations operations(TableIdentifier table) {
      return new FaultyAccess.Operations(
          real.operations(table),
          () -> {
            RuntimeException lost =
                new CommitStateUnknownException(new IllegalStateException("lost"));
            return switch (random.nextInt(10)) {
              case 0 -> FaultyAccess.failBefore(lost);
              case 1 -> FaultyAccess.failAfter(lost);
              default -> null;
            };
          });
    }

    @Override
    public boolean comparesWholeMetadata(TableOperations operations) {
      return real.comparesWholeMetadata(((FaultyAccess.Operations) operations).delegate());
    }
  }
}
