package dev.tidemark.streamload;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Counts the attempts at one thing, and waits between them. */
final class Attempts {
  private final RetryPolicy policy;
  private final LoadListener listener;
  private final Clock clock;
  private final Sleeper sleeper;
  private final String action;
  private final long startMillis;
  private int made;
  private boolean unknown;

  Attempts(RetryPolicy policy, LoadListener listener, Clock clock, Sleeper sleeper, String action) {
    this.policy = policy;
    this.listener = listener;
    this.clock = clock;
    this.sleeper = sleeper;
    this.action = action;
    startMillis = clock.millis();
  }

  /** Begins an attempt. */
  void begin() {
    made++;
  }

  int made() {
    return made;
  }

  long elapsedMillis() {
    return clock.millis() - startMillis;
  }

  /** Notes that an attempt may have succeeded. */
  void outcomeUnknown() {
    unknown = true;
  }

  /** Notes that it is known of all attempts that they did not succeed. */
  void outcomeKnown() {
    unknown = false;
  }

  /** Waits before the next attempt, or throws what the last one came to if there is none. */
  void pause(Verdict reason, LoadException failure) {
    if (made >= policy.maxAttempts() || elapsedMillis() >= policy.totalTime().toMillis()) {
      throw exhausted(reason, failure);
    }
    listener.retried(reason);
    Duration first = reason == Verdict.SLOW ? policy.firstSlowWait() : policy.firstWait();
    sleep(doubled(first, made - 1));
  }

  private LoadException exhausted(Verdict reason, LoadException failure) {
    String effort = "after %d attempts within %d ms".formatted(made, elapsedMillis());
    if (unknown) {
      return new LoadException(
          LoadException.Kind.UNKNOWN_OUTCOME,
          "Cannot tell whether it came to %s, %s. Do the same again; the label tells. Last: %s"
              .formatted(action, effort, failure.getMessage()),
          failure);
    }
    LoadException.Kind kind =
        reason == Verdict.SLOW ? LoadException.Kind.OVERLOADED : failure.kind();
    String remedy =
        reason == Verdict.SLOW
            ? " Load larger batches less often, or raise the limit that the message names."
            : "";
    return new LoadException(
        kind,
        "Cannot %s, %s: %s%s".formatted(action, effort, failure.getMessage(), remedy),
        failure);
  }

  /** Waits for another look at something that goes on; the first look is number 0. */
  void waitForLook(int look) {
    sleep(doubled(policy.firstWait(), look));
  }

  boolean settleTimeIsOver(long sinceMillis) {
    return clock.millis() - sinceMillis >= policy.settleTime().toMillis();
  }

  long now() {
    return clock.millis();
  }

  private long doubled(Duration first, int times) {
    long wait = Math.min(policy.longestWait().toMillis(), first.toMillis() << Math.min(times, 20));
    return Math.round(wait * (0.5 + ThreadLocalRandom.current().nextDouble() / 2));
  }

  private void sleep(long millis) {
    try {
      sleeper.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LoadException(
          LoadException.Kind.INTERRUPTED,
          "Cannot %s: interrupted between attempts%s. Do the same again."
              .formatted(action, unknown ? "; an earlier one may have succeeded" : ""),
          e);
    }
  }
}
