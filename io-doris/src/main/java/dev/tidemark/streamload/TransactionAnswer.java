package dev.tidemark.streamload;

import com.google.auto.value.AutoValue;

/** The answer to a commit or abort of a transaction. */
@AutoValue
public abstract class TransactionAnswer {
  TransactionAnswer() {}

  /** What the transaction is now. */
  public enum Outcome {
    /** Committed or aborted, as asked. */
    DONE,
    /** It was committed already; an abort did nothing. */
    ALREADY_COMMITTED,
    /** It was aborted already; a commit did nothing. */
    ALREADY_ABORTED,
    /** The server does not know it (any more). */
    NOT_FOUND,
    /** Its load still runs. */
    NOT_READY,
    /** Nothing of these: the server failed, or refuses. */
    FAILED
  }

  /** What the transaction is now. */
  public abstract Outcome outcome();

  /** The server's message, without credentials. */
  public abstract String message();

  static TransactionAnswer of(Outcome outcome, String message) {
    return new AutoValue_TransactionAnswer(outcome, message);
  }
}
