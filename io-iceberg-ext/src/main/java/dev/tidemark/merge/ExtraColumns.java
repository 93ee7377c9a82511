package dev.tidemark.merge;

/** What to do with columns that change tables have and the base table does not. */
public enum ExtraColumns {
  /** Refuse to merge. The default. */
  REFUSE,
  /** Leave them out. */
  IGNORE,
  /** Add them to the base table as optional columns, before anything is merged. */
  EVOLVE
}
