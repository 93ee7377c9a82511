package dev.tidemark.streamload;

/** What a database knows of a label. */
public enum LabelState {
  /** Nothing: it was never used, or too long ago to be remembered. */
  UNKNOWN,
  /** A load is running. */
  PREPARE,
  /** A load waits for its commit. */
  PRECOMMITTED,
  /** Committed, and about to become visible. */
  COMMITTED,
  /** Committed, and visible. */
  VISIBLE,
  /** Rolled back; the label is free again. */
  ABORTED;

  /** Whether the rows are, or will certainly be, in the table. */
  public boolean isCommitted() {
    return this == COMMITTED || this == VISIBLE;
  }

  /** Whether a transaction is open under the label. */
  public boolean isOpen() {
    return this == PREPARE || this == PRECOMMITTED;
  }
}
