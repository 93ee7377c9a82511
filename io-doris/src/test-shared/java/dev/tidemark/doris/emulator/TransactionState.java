package dev.tidemark.doris.emulator;

/** The states of a transaction, which are those of its label. */
public enum TransactionState {
  /** Begun, rows are coming. */
  PREPARE,
  /** All rows are there, and wait for a commit. */
  PRECOMMITTED,
  /** Decided, but not visible yet. */
  COMMITTED,
  /** Visible. */
  VISIBLE,
  /** Rolled back; its label is free again. */
  ABORTED;

  /** Whether it is over, apart from becoming visible. */
  public boolean decided() {
    return compareTo(COMMITTED) >= 0;
  }
}
