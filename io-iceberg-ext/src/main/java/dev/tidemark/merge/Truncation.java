package dev.tidemark.merge;

/** What a truncate among the changes does. */
public enum Truncation {
  /** Nothing is merged: the run fails. The default. */
  REFUSE,
  /** All rows of the base table go, and all changes ordered before the truncate. */
  APPLY
}
