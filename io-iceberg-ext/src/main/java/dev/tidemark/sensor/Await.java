package dev.tidemark.sensor;

import com.google.common.collect.ImmutableList;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/** Asks again and again until all answers are settled or the time is up. */
final class Await {
  private static final Duration MAX_POLL = Duration.ofDays(1);

  private final ImmutableList<Asked> questions;
  private final Waiting waiting;
  private final AwaitListener listener;

  Await(ImmutableList<Asked> questions, Waiting waiting, AwaitListener listener) {
    this.questions = questions;
    this.waiting = waiting;
    this.listener = listener;
  }

  ImmutableList<FinalizationStatus> await(Duration timeout, Duration poll)
      throws InterruptedException {
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("Invalid timeout: %s (must be >= 0)".formatted(timeout));
    }
    if (poll.toMillis() < 1 || poll.compareTo(MAX_POLL) > 0) {
      throw new IllegalArgumentException(
          "Invalid poll interval: %s (must be 1 ms to 1 day)".formatted(poll));
    }
    Instant began = waiting.clock().instant();
    for (int round = 1; ; round++) {
      boolean settled = ask(round);
      Duration left = timeout.minus(Duration.between(began, waiting.clock().instant()));
      boolean timeIsUp = left.isNegative() || left.isZero();
      if (timeIsUp) {
        throwFailure();
      }
      if (settled || timeIsUp) {
        return statuses();
      }
      tell(left);
      waiting.sleeper().sleep(waiting.pauseMillis(poll, left));
    }
  }

  /** Asks what is open, and then, if nothing is any more, what was not asked in this round. */
  private boolean ask(int round) {
    for (Asked question : questions) {
      if (!question.isFinalized()) {
        question.ask(round);
      }
      if (question.isHopeless()) {
        askTheRest(round);
        return true;
      }
    }
    if (!questions.stream().allMatch(Asked::isFinalized)) {
      return false;
    }
    for (Asked question : questions) {
      if (!question.isFinalizedIn(round)) {
        question.ask(round);
      }
    }
    return questions.stream().allMatch(question -> question.isFinalizedIn(round));
  }

  /** So that each has an answer to return. */
  private void askTheRest(int round) {
    for (Asked question : questions) {
      if (question.status() == null) {
        question.ask(round);
      }
    }
  }

  private void tell(Duration left) {
    for (Asked question : questions) {
      FinalizationException failure = question.failure();
      FinalizationStatus status = question.status();
      if (failure != null) {
        listener.unreadable(failure, question.failures(), left);
      } else if (status != null && !status.isFinalized()) {
        listener.waiting(status, left);
      }
    }
  }

  private void throwFailure() {
    for (Asked question : questions) {
      FinalizationException failure = question.failure();
      if (failure != null) {
        throw failure;
      }
    }
  }

  private ImmutableList<FinalizationStatus> statuses() {
    return questions.stream()
        .map(question -> Objects.requireNonNull(question.status()))
        .collect(ImmutableList.toImmutableList());
  }
}
