package dev.tidemark.cli;

import dev.tidemark.sensor.AwaitListener;
import dev.tidemark.sensor.FinalizationException;
import dev.tidemark.sensor.FinalizationStatus;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Says what a wait waits for: whenever that changes, and every five minutes. */
final class Progress implements AwaitListener {
  private static final Duration REPEAT = Duration.ofMinutes(5);

  private final PrintWriter err;
  private final TableOptions table;
  private final Clock clock;
  private @Nullable String last;
  private Instant saidAt = Instant.MIN;

  Progress(PrintWriter err, TableOptions table, Clock clock) {
    this.err = err;
    this.table = table;
    this.clock = clock;
  }

  @Override
  public void waiting(FinalizationStatus status, Duration left) {
    say(status.reason(), left);
  }

  @Override
  public void unreadable(FinalizationException failure, int failures, Duration left) {
    say(table.scrub("Failure %d in a row: %s".formatted(failures, failure.getMessage())), left);
  }

  private void say(String what, Duration left) {
    Instant now = clock.instant();
    if (what.equals(last) && now.isBefore(saidAt.plus(REPEAT))) {
      return;
    }
    last = what;
    saidAt = now;
    err.printf("Waiting for %s: %s (%s left)%n", table.name(), Errors.line(what), Times.text(left));
    err.flush();
  }
}
