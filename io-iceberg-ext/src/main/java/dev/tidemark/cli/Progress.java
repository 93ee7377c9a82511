package dev.tidemark.cli;

import dev.tidemark.sensor.AwaitListener;
import dev.tidemark.sensor.FinalizationException;
import dev.tidemark.sensor.FinalizationStatus;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Says what a wait waits for, a line whenever that changes and every five minutes; on a terminal a
 * bar below shows how far it is.
 */
final class Progress implements AwaitListener {
  private static final Duration REPEAT = Duration.ofMinutes(5);

  private record Said(String state, Instant at) {}

  private final PrintWriter err;
  private final TableOptions table;
  private final Environment environment;
  private final ProgressBar bar;
  private final Map<String, Said> last = new HashMap<>();

  Progress(PrintWriter err, TableOptions table, Environment environment) {
    this.err = err;
    this.table = table;
    this.environment = environment;
    this.bar = new ProgressBar();
  }

  @Override
  public void waiting(FinalizationStatus status, Duration left) {
    say(status.table(), status.reason(), status.reason(), left);
    if (environment.terminal()) {
      err.print(bar.drawn(status, left));
      err.flush();
    }
  }

  @Override
  public void unreadable(FinalizationException failure, int failures, Duration left) {
    String why = table.scrub(String.valueOf(failure.getMessage()));
    say(table.names(), why, "Failure %d in a row: %s".formatted(failures, why), left);
  }

  /** Leaves nothing behind but lines. */
  void end() {
    if (environment.terminal()) {
      err.print(ProgressBar.ERASE);
      err.flush();
    }
  }

  /** Prints a line if the state of what is waited for is another one than before. */
  private void say(String name, String state, String line, Duration left) {
    Instant now = environment.clock().instant();
    Said before = last.get(name);
    if (before != null && state.equals(before.state()) && now.isBefore(before.at().plus(REPEAT))) {
      return;
    }
    last.put(name, new Said(state, now));
    if (environment.terminal()) {
      err.print(ProgressBar.ERASE);
    }
    err.printf("Waiting for %s: %s (%s left)%n", name, Errors.line(line), Times.text(left));
    err.flush();
  }
}
