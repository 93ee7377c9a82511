package dev.tidemark.peers;

import dev.tidemark.candidates.CandidateStoreStatistics;
import dev.tidemark.candidates.MaterializerStatistics;

/** How often the changelogs led to what is rare. */
final class Coverage {
  private long rollbacks;
  private long olderSlots;
  private long unmatched;
  private long migrations;
  private long expiries;
  private long rebuilds;

  void add(MaterializerStatistics materializer, CandidateStoreStatistics store) {
    rollbacks += materializer.rollbacks;
    olderSlots += materializer.olderSlotReplacements;
    unmatched += materializer.unmatchedKeyKnown + materializer.unmatchedKeyAbsent;
    migrations += materializer.migrations;
    expiries += materializer.expiries;
    rebuilds += store.rebuilds;
  }

  /** The smallest of the counts. */
  long least() {
    return Math.min(
        Math.min(rollbacks, olderSlots),
        Math.min(Math.min(unmatched, migrations), Math.min(expiries, rebuilds)));
  }

  @Override
  public String toString() {
    return String.format(
        "%d rollbacks, %d older slots replaced, %d retractions unmatched, %d lists moved to another"
            + " layout, %d keys expired, %d shards rebuilt",
        rollbacks, olderSlots, unmatched, migrations, expiries, rebuilds);
  }
}
