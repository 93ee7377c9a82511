package dev.tidemark.iceberg;

/** What to do with columns that rows have and their table does not. */
public enum AddedColumns {
  /** Refuse to write. The default. */
  REFUSE,
  /** Add them to the table as optional columns. */
  EVOLVE
}
