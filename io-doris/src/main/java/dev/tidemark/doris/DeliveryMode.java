package dev.tidemark.doris;

/** How a write sees to it that each row is in the table once. */
public enum DeliveryMode {
  /**
   * What a completed checkpoint holds is loaded under a label that names the load and its content.
   * A repetition has the same label, which Doris takes once. State holds all rows that came since
   * the last completed checkpoint.
   */
  LABELS,

  /**
   * Rows are sent as they come, in transactions that are committed when a checkpoint has completed.
   * State holds the numbers of transactions only. Needs a streaming pipeline, and tables on which
   * Doris offers two-phase commit.
   */
  TWO_PHASE_COMMIT
}
