package dev.tidemark.commit;

/**
 * What to do with results that lie behind, or do not follow, what the table holds of their writer.
 */
public enum RewindPolicy {
  /** Throw, so that the pipeline stops and somebody decides. The default. */
  FAIL,
  /**
   * Throw an exception whose {@link CommitException#park()} is true: set this table's results
   * aside.
   */
  PARK,
  /** Commit them: rows may be doubled or missing, and the snapshot says so in its summary. */
  ACCEPT
}
