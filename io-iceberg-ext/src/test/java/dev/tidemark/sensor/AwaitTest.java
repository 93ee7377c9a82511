package dev.tidemark.sensor;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.exceptions.ServiceUnavailableException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public final class AwaitTest {
  private static final EventTimeRange HOUR =
      EventTimeRange.of(
          Instant.parse("2026-01-01T10:00:00Z"), Instant.parse("2026-01-01T11:00:00Z"));
  private static final Duration POLL = Duration.ofMinutes(1);
  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  @Rule public final SensorTable table = new SensorTable(SensorTable.Kind.HADOOP);

  /** Notes what a wait says. */
  private static final class Notes implements AwaitListener {
    private final List<Duration> left = new ArrayList<>();
    private final List<Integer> failures = new ArrayList<>();

    @Override
    public void waiting(FinalizationStatus status, Duration remaining) {
      left.add(remaining);
    }

    @Override
    public void unreadable(FinalizationException failure, int count, Duration remaining) {
      failures.add(count);
    }
  }

  /** A table whose catalog is away for as many refreshes as it is told. */
  private static final class Flaky implements TableOperations {
    private final TableOperations delegate;
    private int failuresLeft;

    Flaky(TableOperations delegate) {
      this.delegate = delegate;
    }

    @Override
    public TableMetadata current() {
      return delegate.current();
    }

    @Override
    public TableMetadata refresh() {
      if (failuresLeft > 0) {
        failuresLeft--;
        throw new ServiceUnavailableException("Maintenance");
      }
      return delegate.refresh();
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileIO io() {
      return delegate.io();
    }

    @Override
    public String metadataFileLocation(String fileName) {
      return delegate.metadataFileLocation(fileName);
    }

    @Override
    public LocationProvider locationProvider() {
      return delegate.locationProvider();
    }
  }

  private Flaky flaky() {
    return new Flaky(((HasTableOperations) table.table()).operations());
  }

  private Finalization on(Flaky operations, Runnable meanwhile) {
    return Finalization.of(new BaseTable(operations, "db.events"))
        .withClock(table.clock())
        .withRandom(() -> 0.5)
        .withSleeper(table.sleeper(meanwhile));
  }

  @Test
  public void waitEndsWhenTheWatermarkPassesTheRange() throws InterruptedException {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    Instant began = table.now();
    int[] pauses = {0};
    Finalization finalization =
        table
            .finalization()
            .withSleeper(
                table.sleeper(
                    () -> {
                      if (++pauses[0] == 3) {
                        table.commitAndAdvance("eu", "2026-01-01T11:05:00Z");
                      }
                    }));
    Notes notes = new Notes();

    FinalizationStatus status = finalization.await(HOUR, TIMEOUT, POLL, notes);

    assertThat(status.state(), is(FinalizationStatus.State.FINALIZED));
    assertThat(status.snapshotId(), is(table.table().currentSnapshot().snapshotId()));
    assertThat(Duration.between(began, table.now()), is(POLL.multipliedBy(3)));
    assertThat(
        notes.left, contains(TIMEOUT, TIMEOUT.minus(POLL), TIMEOUT.minus(POLL.multipliedBy(2))));
  }

  @Test
  public void tableObjectIsRefreshedWhileWaiting() throws InterruptedException {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    Finalization finalization =
        Finalization.of(table.table())
            .withClock(table.clock())
            .withSleeper(table.sleeper(() -> table.commitAndAdvance("eu", "2026-01-01T11:05:00Z")));

    assertThat(finalization.await(HOUR, TIMEOUT, POLL).isFinalized(), is(true));
  }

  @Test
  public void lastAnswerIsReturnedWhenTheTimeIsUp() throws InterruptedException {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    Instant began = table.now();
    Duration timeout = Duration.ofSeconds(150);
    Notes notes = new Notes();

    FinalizationStatus status = table.finalization().await(HOUR, timeout, POLL, notes);

    assertThat(status.state(), is(FinalizationStatus.State.NOT_YET));
    assertThat(status.isSettled(), is(false));
    // The last pause is cut to what is left.
    assertThat(Duration.between(began, table.now()), is(timeout));
    assertThat(notes.left, hasSize(3));
  }

  @Test
  public void noTimeoutAsksOnce() throws InterruptedException {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    Instant began = table.now();

    FinalizationStatus status = table.finalization().await(HOUR, Duration.ZERO, POLL);

    assertThat(status.state(), is(FinalizationStatus.State.NOT_YET));
    assertThat(table.now(), is(began));
  }

  @Test
  public void waitThatCannotHelpEndsAtOnce() throws InterruptedException {
    table.commitAndAdvance("eu", "2026-01-01T12:05:00Z");
    Instant began = table.now();

    FinalizationStatus status = table.finalization().await(HOUR, TIMEOUT, POLL);

    assertThat(status.state(), is(FinalizationStatus.State.NOT_COVERED));
    assertThat(table.now(), is(began));
  }

  @Test
  public void invalidatedWatermarkIsWaitedFor() throws InterruptedException {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    long before = table.table().currentSnapshot().snapshotId();
    table.commitAndAdvance("eu", "2026-01-01T12:05:00Z");
    table.rollbackTo(before);
    Finalization finalization =
        table
            .finalization()
            .withSleeper(table.sleeper(() -> table.commitAndAdvance("us", "2026-01-01T13:05:00Z")));

    assertThat(table.finalization().status(HOUR).state(), is(FinalizationStatus.State.INVALIDATED));
    assertThat(finalization.await(HOUR, TIMEOUT, POLL).isFinalized(), is(true));
  }

  @Test
  public void catalogThatIsAwayForAWhileIsWaitedFor() throws InterruptedException {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    Flaky operations = flaky();
    int[] pauses = {0};
    Finalization finalization =
        on(
            operations,
            () -> {
              if (++pauses[0] == 1) {
                operations.failuresLeft = 5;
                table.commitAndAdvance("eu", "2026-01-01T11:05:00Z");
              }
            });
    Notes notes = new Notes();

    FinalizationStatus status = finalization.await(HOUR, TIMEOUT, POLL, notes);

    assertThat(status.isFinalized(), is(true));
    assertThat(notes.failures, contains(1, 2, 3, 4, 5));
  }

  @Test
  public void catalogThatIsAwayForAnHourIsBorneIfAskedFor() throws InterruptedException {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    Flaky operations = flaky();
    int[] pauses = {0};
    Finalization finalization =
        on(
                operations,
                () -> {
                  if (++pauses[0] == 1) {
                    operations.failuresLeft = 60;
                    table.commitAndAdvance("eu", "2026-01-01T11:05:00Z");
                  }
                })
            .withOutage(Duration.ofHours(1));

    FinalizationStatus status = finalization.await(HOUR, Duration.ofHours(2), POLL);

    assertThat(status.isFinalized(), is(true));
    assertThat(pauses[0], is(61));
  }

  @Test
  public void catalogThatStaysAwayEndsTheWait() {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    Flaky operations = flaky();
    Instant began = table.now();
    // Every pause is followed by a failure.
    Finalization finalization = on(operations, () -> operations.failuresLeft = 1);

    FinalizationException failure =
        assertThrows(
            FinalizationException.class, () -> finalization.await(HOUR, Duration.ofHours(2), POLL));

    assertThat(failure.kind(), is(FinalizationException.Kind.UNAVAILABLE));
    // The first failure comes a pause after the beginning, the last one ten minutes later.
    assertThat(Duration.between(began, table.now()), is(Duration.ofMinutes(11)));
  }

  @Test
  public void fiveFailuresAreBorneHoweverShort() throws InterruptedException {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    Flaky operations = flaky();
    int[] pauses = {0};
    Finalization finalization =
        on(
                operations,
                () -> {
                  if (++pauses[0] == 1) {
                    operations.failuresLeft = 5;
                    table.commitAndAdvance("eu", "2026-01-01T11:05:00Z");
                  }
                })
            .withOutage(Duration.ZERO);

    assertThat(finalization.await(HOUR, TIMEOUT, POLL).isFinalized(), is(true));
    assertThrows(
        IllegalArgumentException.class, () -> finalization.withOutage(Duration.ofMillis(-1)));
  }

  @Test
  public void catalogThatIsAwayAtTheBeginningIsAnErrorAtOnce() {
    Flaky operations = flaky();
    operations.failuresLeft = 1;
    Instant began = table.now();

    FinalizationException failure =
        assertThrows(
            FinalizationException.class, () -> on(operations, () -> {}).await(HOUR, TIMEOUT, POLL));
    assertThat(failure.isTransient(), is(true));
    assertThat(table.now(), is(began));
  }

  @Test
  public void tableCreatedAgainEndsTheWait() {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    Finalization finalization =
        table
            .finalization()
            .withSleeper(
                table.sleeper(
                    () -> {
                      table.drop();
                      table.create(SensorTable.TABLE, PartitionSpec.unpartitioned(), Map.of());
                    }));

    FinalizationException failure =
        assertThrows(FinalizationException.class, () -> finalization.await(HOUR, TIMEOUT, POLL));
    assertThat(failure.kind(), is(FinalizationException.Kind.TABLE_RECREATED));
  }

  @Test
  public void interruptedPauseEndsTheWait() {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    Finalization finalization =
        table
            .finalization()
            .withSleeper(
                millis -> {
                  throw new InterruptedException("stop");
                });

    assertThrows(InterruptedException.class, () -> finalization.await(HOUR, TIMEOUT, POLL));
  }

  @Test
  public void timesOutOfRangeAreRefused() {
    Finalization finalization = table.finalization();

    for (Duration poll :
        List.of(Duration.ZERO, Duration.ofNanos(999_999), Duration.ofDays(1).plusNanos(1))) {
      assertThrows(IllegalArgumentException.class, () -> finalization.await(HOUR, TIMEOUT, poll));
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> finalization.await(HOUR, Duration.ofMillis(-1), POLL));
  }

  @Test
  public void hugeTimeoutDoesNotOverflow() throws InterruptedException {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    Finalization finalization =
        table
            .finalization()
            .withSleeper(table.sleeper(() -> table.commitAndAdvance("eu", "2026-01-01T11:05:00Z")));

    assertThat(
        finalization.await(HOUR, Duration.ofSeconds(Long.MAX_VALUE), POLL).isFinalized(), is(true));
  }
}
