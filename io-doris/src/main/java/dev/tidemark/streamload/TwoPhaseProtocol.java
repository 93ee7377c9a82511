package dev.tidemark.streamload;

import java.time.Clock;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads in two phases: pre-commit, then, when a checkpoint holds that, commit.
 *
 * <p>Labels name a load's place ({@link Labels#forSequence}), so a repetition of a load finds what
 * an earlier attempt or run left open under its label, aborts it, and loads again. Only a commit
 * that was asked for by transaction makes rows visible. One pipeline at a time uses a label prefix:
 * two abort each other's transactions. Thread-safe.
 */
public final class TwoPhaseProtocol {
  private static final Logger LOG = LoggerFactory.getLogger(TwoPhaseProtocol.class);

  private final StreamLoadClient client;
  private final RetryPolicy policy;
  private final LoadListener listener;
  private final Clock clock;
  private final Sleeper sleeper;
  private final LeftOvers leftOvers;

  private TwoPhaseProtocol(
      StreamLoadClient client,
      Labels labels,
      RetryPolicy policy,
      LoadListener listener,
      Clock clock,
      Sleeper sleeper) {
    this.client = client;
    this.policy = policy;
    this.listener = listener;
    this.clock = clock;
    this.sleeper = sleeper;
    leftOvers =
        new LeftOvers(client, labels, new LabelClearing(client, listener), clock, this::attempts);
  }

  /** A protocol with labels of this kind that waits as this policy says. */
  public static TwoPhaseProtocol of(
      StreamLoadClient client,
      Labels labels,
      RetryPolicy policy,
      LoadListener listener,
      Clock clock,
      Sleeper sleeper) {
    return new TwoPhaseProtocol(client, labels, policy, listener, clock, sleeper);
  }

  private Attempts attempts(String action) {
    return new Attempts(policy, listener, clock, sleeper, action);
  }

  /**
   * Loads a body into a transaction that waits for its commit. What an earlier attempt or run left
   * open under the label is aborted first.
   *
   * @throws RewoundException if the label is committed
   * @throws RejectedException if rows were filtered
   * @throws LoadException otherwise; its kind says whether to make the same request again
   */
  public PreCommitted preCommit(LoadRequest request) {
    LoadRequest waiting = request.withTwoPhase();
    Attempts attempts =
        attempts(
            "pre-commit into table %s.%s with label %s"
                .formatted(request.database(), request.table(), request.label()));
    while (true) {
      attempts.begin();
      PreCommitted transaction = attempt(waiting, attempts);
      if (transaction != null) {
        return transaction;
      }
    }
  }

  /** Null if another attempt is to be made; it has waited for that. */
  private @Nullable PreCommitted attempt(LoadRequest request, Attempts attempts) {
    LoadAnswer answer;
    try {
      answer = client.load(request);
    } catch (LoadException e) {
      return again(request, attempts, Failures.verdict(e), e, null);
    }
    return switch (answer.status()) {
      case SUCCESS, PUBLISH_TIMEOUT -> {
        Failures.checkObeyed(client, request, answer);
        yield PreCommitted.of(
            request.database(),
            request.table(),
            request.label(),
            answer.transactionId(),
            answer.loadedRows(),
            request.bodyBytes());
      }
      case LABEL_ALREADY_EXISTS -> {
        if (answer.existingJobStatus().equals("FINISHED")) {
          throw LabelClearing.rewound(request.database(), request.table(), request.label());
        }
        LoadException taken =
            new LoadException(
                LoadException.Kind.UNAVAILABLE,
                "Label %s of database %s is in use: %s"
                    .formatted(request.label(), request.database(), answer.message()));
        Long holder = Messages.transactionOfLabel(answer.message());
        yield again(request, attempts, Verdict.SETTLE, taken, holder);
      }
      case FAIL -> {
        Verdict verdict = Failures.verdict(request, answer);
        yield again(
            request, attempts, verdict, Failures.failed(client, request, answer, verdict), null);
      }
    };
  }

  private @Nullable PreCommitted again(
      LoadRequest request,
      Attempts attempts,
      Verdict verdict,
      LoadException failure,
      @Nullable Long holder) {
    if (failure.permanent() || verdict == Verdict.FATAL) {
      throw failure;
    }
    LOG.warn("Attempt {} failed ({}): {}", attempts.made(), verdict, failure.getMessage());
    if (verdict == Verdict.SETTLE) {
      leftOvers.clear(request.database(), request.table(), request.label(), holder, attempts);
    }
    attempts.pause(verdict, failure);
    return null;
  }

  /**
   * Commits; does nothing if it is committed already.
   *
   * @throws LostTransactionException if the transaction expired, was aborted or is not known
   * @throws LoadException otherwise; it may have been committed, and committing again finds out
   */
  public void commit(PreCommitted transaction) {
    String action = describe("commit", transaction);
    Attempts attempts = attempts(action);
    while (true) {
      attempts.begin();
      LoadException failure;
      Verdict verdict;
      try {
        TransactionAnswer answer =
            client.commit(transaction.database(), transaction.transactionId());
        switch (answer.outcome()) {
          case DONE, ALREADY_COMMITTED -> {
            return;
          }
          case ALREADY_ABORTED, NOT_FOUND -> throw lost(action, transaction, answer);
          case NOT_READY, FAILED -> {
            verdict = Messages.verdict(answer.message());
            failure = refused(action, answer, verdict);
          }
          default -> throw new AssertionError(answer.outcome());
        }
      } catch (LoadException e) {
        failure = e;
        verdict = Failures.verdict(e);
        if (!e.permanent()) {
          attempts.outcomeUnknown();
        }
      }
      if (failure.permanent() || verdict == Verdict.FATAL) {
        throw failure;
      }
      LOG.warn("Attempt {} failed ({}): {}", attempts.made(), verdict, failure.getMessage());
      attempts.pause(verdict, failure);
    }
  }

  private static LoadException refused(String action, TransactionAnswer answer, Verdict verdict) {
    boolean running = answer.outcome() == TransactionAnswer.Outcome.NOT_READY;
    LoadException.Kind kind = LoadException.Kind.UNAVAILABLE;
    if (!running && Messages.denies(answer.message())) {
      kind = LoadException.Kind.UNAUTHORIZED;
    } else if (!running && verdict == Verdict.FATAL) {
      kind = LoadException.Kind.REFUSED;
    }
    return new LoadException(kind, "Cannot %s: %s".formatted(action, answer.message()));
  }

  private LostTransactionException lost(
      String action, PreCommitted transaction, TransactionAnswer answer) {
    return new LostTransactionException(
        transaction,
        "Cannot %s: %s. Its %d rows are not in the table by this transaction (the label is %s now). Restart from the last checkpoint before the one that holds this pre-commit, and keep the time between pre-commit and commit, stops included, below the frontend's stream_load_default_precommit_timeout_second."
            .formatted(action, answer.message(), transaction.rows(), stateNow(transaction)));
  }

  /** For the message only. */
  private String stateNow(PreCommitted transaction) {
    try {
      return client.labelState(transaction.database(), transaction.label()).name();
    } catch (LoadException e) {
      return "in a state that could not be read";
    }
  }

  /**
   * Aborts a transaction that will not be committed; does nothing if it is aborted or gone.
   *
   * @throws RewoundException if it is committed
   */
  public void abort(PreCommitted transaction) {
    leftOvers.clear(
        transaction.database(),
        transaction.table(),
        transaction.label(),
        transaction.transactionId(),
        attempts(describe("abort", transaction)));
  }

  private static String describe(String verb, PreCommitted transaction) {
    return "%s transaction %d of table %s.%s with label %s"
        .formatted(
            verb,
            transaction.transactionId(),
            transaction.database(),
            transaction.table(),
            transaction.label());
  }

  /**
   * Aborts the transactions that an earlier run left open under this and following sequences of a
   * shard. For a run that begins with state: the sequence is the next one by that state.
   *
   * @return how many there were
   * @throws RewoundException if one of these labels is committed, so that the state is older than
   *     what is in the table
   */
  public int abortLeftOvers(
      String database, String table, long epoch, int shard, long fromSequence) {
    return leftOvers.abortFrom(new ShardRun(database, table, shard, epoch), fromSequence);
  }

  /**
   * A number for a run of a shard that begins without state, under which nothing is committed. What
   * runs of the last {@value LeftOvers#HOURS_LOOKED_BACK} hours left open is aborted; of older
   * runs, which the database may not remember by their first label, the server itself aborts it
   * when its time for a pre-commit is over.
   *
   * <p>Epochs are hours since 1970, or a little later ones if several runs begin within an hour; so
   * an epoch is not used again after the database forgot its labels.
   */
  public long startEpoch(String database, String table, int shard) {
    return leftOvers.startEpoch(database, table, shard);
  }
}
