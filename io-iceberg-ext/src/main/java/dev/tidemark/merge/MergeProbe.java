package dev.tidemark.merge;

/** Told how far a run has come; for tests that make it end there. */
@FunctionalInterface
interface MergeProbe {
  MergeProbe NONE = step -> {};

  /** The points of a run. */
  enum Step {
    BASE_LOADED,
    SOURCES_PINNED,
    TAGS_PLACED,
    CHANGES_READ,
    FOLDED,
    LOOKED_UP,
    ROWS_WRITTEN,
    DELETES_WRITTEN,
    PLANNED,
    COMMITTING,
    COMMITTED,
    TAGS_MOVED
  }

  void reached(Step step);
}
