package dev.tidemark.action;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Pauses between attempts: doubling, with jitter, up to a longest one; and when to give up. */
record RetryDelays(Duration first, Duration longest, Duration giveUpAfter) {
  static final RetryDelays STANDARD =
      new RetryDelays(Duration.ofSeconds(1), Duration.ofMinutes(5), Duration.ofHours(1));

  /** The pause after so many failed attempts, in milliseconds. */
  long afterMillis(int failedAttempts) {
    int doublings = Math.min(failedAttempts - 1, 20);
    long pause = Math.min(longest.toMillis(), first.toMillis() << doublings);
    return Math.max(1, (long) (pause * ThreadLocalRandom.current().nextDouble(0.5, 1)));
  }

  boolean isOver(long ageNanos) {
    return ageNanos >= giveUpAfter.toNanos();
  }
}
