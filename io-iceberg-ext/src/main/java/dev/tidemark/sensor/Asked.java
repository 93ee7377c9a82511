package dev.tidemark.sensor;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.checkerframework.checker.nullness.qual.Nullable;

/** One question of a wait: its last answer, and how it went since. */
final class Asked {
  /** So many failures in a row are borne, however short the time they take. */
  private static final int MIN_FAILURES = 5;

  private final String table;
  private final Supplier<FinalizationStatus> question;
  private final Waiting waiting;
  private @Nullable FinalizationStatus status;
  private @Nullable FinalizationException failure;
  private Instant failingSince = Instant.MIN;
  private int failures;
  private int round;

  Asked(String table, Supplier<FinalizationStatus> question, Waiting waiting) {
    this.table = table;
    this.question = question;
    this.waiting = waiting;
  }

  /**
   * Asks.
   *
   * @throws FinalizationException if asking again does not help, or was tried long enough
   */
  void ask(int now) {
    try {
      FinalizationStatus answer = question.get();
      refuseOtherTable(answer);
      status = answer;
      failure = null;
      failures = 0;
      round = now;
    } catch (FinalizationException e) {
      survive(e);
    }
  }

  /** The last answer; null before the first one. */
  @Nullable FinalizationStatus status() {
    return status;
  }

  /** Why there was no answer the last time; null if there was one. */
  @Nullable FinalizationException failure() {
    return failure;
  }

  int failures() {
    return failures;
  }

  /** Whether it is finalized, as far as the last answer goes. */
  boolean isFinalized() {
    return status != null && failure == null && status.isFinalized();
  }

  /** Whether it is finalized by an answer of this round. */
  boolean isFinalizedIn(int now) {
    return isFinalized() && round == now;
  }

  /** Whether waiting does not help. */
  boolean isHopeless() {
    return status != null && failure == null && status.isSettled() && !status.isFinalized();
  }

  private void survive(FinalizationException e) {
    failure = e;
    failures++;
    Instant now = waiting.clock().instant();
    if (failures == 1) {
      failingSince = now;
    }
    boolean tried =
        failures > MIN_FAILURES
            && Duration.between(failingSince, now).compareTo(waiting.outage()) >= 0;
    if (!e.isTransient() || status == null || tried) {
      throw e;
    }
  }

  private void refuseOtherTable(FinalizationStatus answer) {
    if (status != null && !status.tableUuid().equals(answer.tableUuid())) {
      throw new FinalizationException(
          FinalizationException.Kind.TABLE_RECREATED,
          "Cannot wait for table %s any longer: it was dropped and created again (UUID %s, was %s). Wait anew if the new table is meant."
              .formatted(table, answer.tableUuid(), status.tableUuid()));
    }
  }
}
