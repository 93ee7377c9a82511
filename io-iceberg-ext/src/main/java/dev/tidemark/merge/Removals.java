package dev.tidemark.merge;

/** How rows are taken out of a base table. */
public enum Removals {
  /**
   * By their place: position deletes in a version 2 table, deletion vectors from version 3 on. Rows
   * are looked up. Every engine reads these. The default.
   */
  POSITIONS,
  /**
   * By their key: equality deletes, without looking rows up. Cheap to write, and paid by every
   * read; some engines do not read them.
   */
  EQUALITY
}
