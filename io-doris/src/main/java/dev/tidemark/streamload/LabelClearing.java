package dev.tidemark.streamload;

import org.checkerframework.checker.nullness.qual.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes a label free by aborting what is open under it. */
final class LabelClearing {
  private static final Logger LOG = LoggerFactory.getLogger(LabelClearing.class);

  private final StreamLoadClient client;
  private final LoadListener listener;

  LabelClearing(StreamLoadClient client, LoadListener listener) {
    this.client = client;
    this.listener = listener;
  }

  /**
   * Returns when no transaction is open under the label.
   *
   * @param holder the transaction if it is known; the first look is spared then, and no other one
   *     that may have been opened meanwhile is hit
   * @return whether there was one
   * @throws RewoundException if it is committed
   */
  boolean clear(
      String database, String table, String label, @Nullable Long holder, Attempts attempts) {
    long since = attempts.now();
    for (int look = 0; ; look++) {
      LoadException failure;
      try {
        if (look > 0 || holder == null) {
          LabelState state = client.labelState(database, label);
          listener.settled(state);
          if (state.isCommitted()) {
            throw rewound(database, table, label);
          }
          if (!state.isOpen()) {
            return look > 0;
          }
        }
        TransactionAnswer answer =
            holder == null ? client.abortByLabel(database, label) : client.abort(database, holder);
        switch (answer.outcome()) {
          case DONE -> {
            LOG.info("Aborted what was left open under label {} of {}", label, database);
            listener.aborted();
            return true;
          }
          case ALREADY_COMMITTED -> throw rewound(database, table, label);
          case ALREADY_ABORTED, NOT_FOUND -> {
            if (holder != null) {
              // Another one may be open under the label by now.
              return clear(database, table, label, null, attempts);
            }
            failure = stuck(label, database, answer);
          }
          case NOT_READY, FAILED -> failure = stuck(label, database, answer);
          default -> throw new AssertionError(answer.outcome());
        }
      } catch (LoadException e) {
        failure = e;
      }
      if (failure.permanent() || attempts.settleTimeIsOver(since)) {
        throw failure;
      }
      attempts.waitForLook(look);
    }
  }

  private static LoadException stuck(String label, String database, TransactionAnswer answer) {
    LoadException.Kind kind = LoadException.Kind.UNAVAILABLE;
    if (answer.outcome() == TransactionAnswer.Outcome.FAILED) {
      if (Messages.denies(answer.message())) {
        kind = LoadException.Kind.UNAUTHORIZED;
      } else if (Messages.verdict(answer.message()) == Verdict.FATAL) {
        kind = LoadException.Kind.REFUSED;
      }
    }
    return new LoadException(
        kind,
        "Cannot abort what is open under label %s of database %s: %s. Try again when its load has ended."
            .formatted(label, database, answer.message()));
  }

  static RewoundException rewound(String database, String table, String label) {
    return new RewoundException(
        label,
        "Cannot load into table %s.%s: label %s is committed already. The pipeline was taken back to a state from before that commit, or another one loads under the same prefix. Restart from the newest checkpoint; to load again on purpose, for example into a truncated table, restart without state or with another label prefix."
            .formatted(database, table, label));
  }
}
