package dev.tidemark.candidates;

/** Counts of what a materializer did. Not thread-safe; read between batches. */
public final class MaterializerStatistics {
  /** Additions processed. */
  public long additions;

  /** Retractions processed. */
  public long retractions;

  /** Changes that emitted nothing although they changed the list: an older candidate went. */
  public long silent;

  /** Retractions without a candidate, of a key that has some. */
  public long unmatchedKeyKnown;

  /** Retractions without a candidate, of a key that has none. */
  public long unmatchedKeyAbsent;

  /** Last candidates that went, so that the one before came up again. */
  public long rollbacks;

  /** Additions that replaced a candidate other than the last. */
  public long olderSlotReplacements;

  /** Lists that went from one record to linked nodes, or back. */
  public long migrations;

  /** Keys that expired. */
  public long expiries;

  /** Candidates dropped at the hard bound. */
  public long dropped;

  /** Additions to lists beyond the soft bound. */
  public long beyondSoftBound;

  /** The longest list seen. */
  public long longestList;

  /** By how much the number of live keys changed. */
  public long keysDelta;

  /** By how much the number of live candidates changed. */
  public long candidatesDelta;
}
