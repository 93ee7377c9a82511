package dev.tidemark.change;

/** What to do when a source table is truncated: there is no change per row for it. */
public enum Truncates {
  /** The record goes to the error output. */
  FAIL,
  /**
   * The record is counted and dropped: rows from before stay in whatever is built from the changes.
   */
  IGNORE,
  /** The record is reported by {@link ParseDebeziumResult#truncates()}. */
  REPORT
}
