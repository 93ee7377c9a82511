package dev.tidemark.eventtime;

/** What becomes of a row whose event time is null. */
public enum NullPolicy {
  /** The row is written, and counted in {@link EventTimeStats#nullCount()}. The default. */
  COUNT,
  /** Reading the row's event time throws {@link MissingEventTimeException}. */
  REJECT
}
