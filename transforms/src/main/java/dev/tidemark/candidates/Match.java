package dev.tidemark.candidates;

/** Where in its list the candidate was that matched. */
enum Match {
  /** No candidate matched. */
  NONE,
  /** Before the last. */
  OLDER,
  /** At the end of a list of several. */
  LAST,
  /** It was the only candidate. */
  ONLY
}
