package dev.tidemark.streamload;

/**
 * A pre-committed transaction that cannot be committed any more: it expired, was aborted, or the
 * server does not know it. Its rows are not in the table.
 */
public final class LostTransactionException extends LoadException {
  private static final long serialVersionUID = 1L;

  private final PreCommitted transaction;

  LostTransactionException(PreCommitted transaction, String message) {
    super(Kind.LOST_TRANSACTION, message);
    this.transaction = transaction;
  }

  /** What was to be committed. */
  public PreCommitted transaction() {
    return transaction;
  }
}
