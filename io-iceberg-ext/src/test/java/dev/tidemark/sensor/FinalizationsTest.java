package dev.tidemark.sensor;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableList;
import dev.tidemark.sensor.FinalizationStatus.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Several tables at once. */
@RunWith(JUnit4.class)
public final class FinalizationsTest {
  private static final EventTimeRange HOUR =
      EventTimeRange.of(
          Instant.parse("2026-01-01T10:00:00Z"), Instant.parse("2026-01-01T11:00:00Z"));
  private static final Duration POLL = Duration.ofMinutes(1);
  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  @Rule public final SensorTable first = new SensorTable(SensorTable.Kind.HADOOP);
  @Rule public final SensorTable second = new SensorTable(SensorTable.Kind.JDBC);

  private Finalizations both(Runnable meanwhile) {
    return Finalizations.of(first.finalization().withSleeper(first.sleeper(meanwhile)), HOUR)
        .and(second.finalization(), HOUR);
  }

  private static List<State> states(ImmutableList<FinalizationStatus> statuses) {
    return statuses.stream().map(FinalizationStatus::state).toList();
  }

  private static void finalizeHour(SensorTable table) {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    table.commitAndAdvance("eu", "2026-01-01T11:05:00Z");
  }

  @Test
  public void worstStateCounts() {
    finalizeHour(first);
    second.commitAndAdvance("eu", "2026-01-01T10:05:00Z");

    ImmutableList<FinalizationStatus> statuses = both(() -> {}).statuses();

    assertThat(states(statuses), contains(State.FINALIZED, State.NOT_YET));
    assertThat(Finalizations.worst(statuses), is(State.NOT_YET));
    assertThat(statuses.get(0).snapshotId(), is(first.table().currentSnapshot().snapshotId()));
    assertThrows(IllegalArgumentException.class, () -> Finalizations.worst(List.of()));
  }

  @Test
  public void waitEndsWhenTheLastOneIsFinalized() throws InterruptedException {
    finalizeHour(first);
    second.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    int[] pauses = {0};

    ImmutableList<FinalizationStatus> statuses =
        both(() -> {
              if (++pauses[0] == 3) {
                second.commitAndAdvance("eu", "2026-01-01T11:05:00Z");
              }
            })
            .await(TIMEOUT, POLL);

    assertThat(states(statuses), contains(State.FINALIZED, State.FINALIZED));
    assertThat(pauses[0], is(3));
  }

  /** The first one is rolled back while the second one is waited for. */
  @Test
  public void finalizedTablesAreAskedAgainAtTheEnd() throws InterruptedException {
    first.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    long before = first.table().currentSnapshot().snapshotId();
    first.commitAndAdvance("eu", "2026-01-01T11:05:00Z");
    second.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    int[] pauses = {0};

    ImmutableList<FinalizationStatus> statuses =
        both(() -> {
              pauses[0]++;
              if (pauses[0] == 1) {
                first.rollbackTo(before);
                second.commitAndAdvance("eu", "2026-01-01T11:05:00Z");
              } else if (pauses[0] == 2) {
                first.commitAndAdvance("us", "2026-01-01T13:05:00Z");
              }
            })
            .await(TIMEOUT, POLL);

    assertThat(states(statuses), contains(State.FINALIZED, State.FINALIZED));
    assertThat(pauses[0], is(2));
    assertThat(statuses.get(0).finalizedUntil(), is(Instant.parse("2026-01-01T13:00:00Z")));
  }

  @Test
  public void oneThatCannotHelpEndsTheWait() throws InterruptedException {
    second.commitAndAdvance("eu", "2026-01-01T13:05:00Z");
    Instant began = first.now();

    ImmutableList<FinalizationStatus> statuses = both(() -> {}).await(TIMEOUT, POLL);

    assertThat(states(statuses), contains(State.NOT_YET, State.NOT_COVERED));
    assertThat(Finalizations.worst(statuses), is(State.NOT_COVERED));
    assertThat(first.now(), is(began));
  }

  @Test
  public void waitThatTimesOutHasAnAnswerOfEach() throws InterruptedException {
    finalizeHour(first);
    Instant began = first.now();

    ImmutableList<FinalizationStatus> statuses = both(() -> {}).await(TIMEOUT, POLL);

    assertThat(states(statuses), contains(State.FINALIZED, State.NOT_YET));
    assertThat(Duration.between(began, first.now()), is(TIMEOUT));
  }
}
