package dev.tidemark.sensor;

import com.google.common.collect.ImmutableList;
import java.time.Duration;

/**
 * Questions about several tables, for a job that reads them together.
 *
 * <pre>{@code
 * ImmutableList<FinalizationStatus> statuses =
 *     Finalizations.of(Finalization.of(catalog, orders), hour)
 *         .and(Finalization.of(catalog, customers), hour)
 *         .await(Duration.ofHours(2), Duration.ofSeconds(30));
 * if (Finalizations.worst(statuses) == FinalizationStatus.State.FINALIZED) {
 *   statuses.forEach(status -> read(status.table(), status.snapshotId()));
 * }
 * }</pre>
 *
 * <p>Immutable. The first one's clock, pauses and patience are those of the wait.
 */
public final class Finalizations {
  private record Question(Finalization finalization, EventTimeRange range) {}

  private final ImmutableList<Question> questions;

  private Finalizations(ImmutableList<Question> questions) {
    this.questions = questions;
  }

  /** The question whether a range of a table is finalized. */
  public static Finalizations of(Finalization finalization, EventTimeRange range) {
    return new Finalizations(ImmutableList.of(new Question(finalization, range)));
  }

  /** These questions and one more, whose range may be another one. */
  public Finalizations and(Finalization finalization, EventTimeRange range) {
    return new Finalizations(
        ImmutableList.<Question>builder()
            .addAll(questions)
            .add(new Question(finalization, range))
            .build());
  }

  /**
   * Asks each once.
   *
   * @return the answers in the order of the questions
   * @throws FinalizationException if one has no answer
   */
  public ImmutableList<FinalizationStatus> statuses() {
    return questions.stream()
        .map(question -> question.finalization().status(question.range()))
        .collect(ImmutableList.toImmutableList());
  }

  /** Waits without a listener; see {@link #await(Duration, Duration, AwaitListener)}. */
  public ImmutableList<FinalizationStatus> await(Duration timeout, Duration poll)
      throws InterruptedException {
    return await(timeout, poll, AwaitListener.NONE);
  }

  /**
   * Waits until all are finalized, or waiting does not help any more for one of them, or the time
   * is up. All are finalized only if one round of questions says so of each: a table that was
   * finalized first is asked again once the last one is.
   *
   * @return the last answers, in the order of the questions
   * @throws InterruptedException if the thread is interrupted
   * @throws FinalizationException if one has no answer, or was dropped and created again
   * @throws IllegalArgumentException if timeout or poll are out of range
   */
  public ImmutableList<FinalizationStatus> await(
      Duration timeout, Duration poll, AwaitListener listener) throws InterruptedException {
    Waiting waiting = questions.get(0).finalization().waiting();
    ImmutableList<Asked> asked =
        questions.stream()
            .map(
                question ->
                    new Asked(
                        question.finalization().name(),
                        () -> question.finalization().newest(question.range()),
                        waiting))
            .collect(ImmutableList.toImmutableList());
    return new Await(asked, waiting, listener).await(timeout, poll);
  }

  /**
   * The worst of several answers: {@code NOT_COVERED}, then {@code INVALIDATED}, then {@code
   * NOT_YET}, then {@code FINALIZED}.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static FinalizationStatus.State worst(Iterable<FinalizationStatus> statuses) {
    FinalizationStatus.State worst = null;
    for (FinalizationStatus status : statuses) {
      if (worst == null || severity(status.state()) > severity(worst)) {
        worst = status.state();
      }
    }
    if (worst == null) {
      throw new IllegalArgumentException("Cannot rank answers: there are none. Ask first.");
    }
    return worst;
  }

  private static int severity(FinalizationStatus.State state) {
    return switch (state) {
      case FINALIZED -> 0;
      case NOT_YET -> 1;
      case INVALIDATED -> 2;
      case NOT_COVERED -> 3;
    };
  }
}
