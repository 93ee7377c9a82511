package dev.tidemark.sensor;

import dev.tidemark.commit.Sleeper;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Asks again and again until an answer is settled or the time is up. */
final class Await {
  private static final Duration MAX_POLL = Duration.ofDays(1);
  private static final int MAX_FAILURES = 5;

  private final Supplier<FinalizationStatus> question;
  private final String table;
  private final Clock clock;
  private final Sleeper sleeper;
  private final AwaitListener listener;
  private @Nullable String tableUuid;
  private int failures;

  Await(
      Supplier<FinalizationStatus> question,
      String table,
      Clock clock,
      Sleeper sleeper,
      AwaitListener listener) {
    this.question = question;
    this.table = table;
    this.clock = clock;
    this.sleeper = sleeper;
    this.listener = listener;
  }

  FinalizationStatus await(Duration timeout, Duration poll) throws InterruptedException {
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("Invalid timeout: %s (must be >= 0)".formatted(timeout));
    }
    if (poll.toMillis() < 1 || poll.compareTo(MAX_POLL) > 0) {
      throw new IllegalArgumentException(
          "Invalid poll interval: %s (must be 1 ms to 1 day)".formatted(poll));
    }
    Instant began = clock.instant();
    while (true) {
      FinalizationException failure = null;
      FinalizationStatus status = null;
      try {
        status = question.get();
        failures = 0;
      } catch (FinalizationException e) {
        failure = e;
      }
      Duration left = timeout.minus(Duration.between(began, clock.instant()));
      boolean timeIsUp = left.isNegative() || left.isZero();
      if (status != null) {
        refuseOtherTable(status);
        if (status.isSettled() || timeIsUp) {
          return status;
        }
        listener.waiting(status, left);
      } else if (failure != null) {
        survive(failure, timeIsUp);
        listener.unreadable(failure, failures, left);
      }
      Duration pause = poll.compareTo(left) < 0 ? poll : left;
      sleeper.sleep(Math.max(1, pause.toMillis()));
    }
  }

  private void survive(FinalizationException failure, boolean timeIsUp) {
    failures++;
    boolean atFirst = tableUuid == null;
    if (!failure.isTransient() || atFirst || timeIsUp || failures > MAX_FAILURES) {
      throw failure;
    }
  }

  private void refuseOtherTable(FinalizationStatus status) {
    if (tableUuid == null) {
      tableUuid = status.tableUuid();
    } else if (!tableUuid.equals(status.tableUuid())) {
      throw new FinalizationException(
          FinalizationException.Kind.TABLE_RECREATED,
          "Cannot wait for table %s any longer: it was dropped and created again (UUID %s, was %s). Wait anew if the new table is meant."
              .formatted(table, status.tableUuid(), tableUuid));
    }
  }
}
