package dev.tidemark.iceberg;

import com.google.auto.value.AutoValue;
import dev.tidemark.commit.CommitOutcome;

/** Numbers of one commit for the counters of the stage. */
@AutoValue
abstract class Tallies {
  static final Tallies NONE = of(0, 0, 0, 0, 0, 0, 0, 0);

  abstract int parkedResults();

  abstract int acceptedRewinds();

  abstract int orphanFiles();

  abstract int propertiesRefused();

  abstract int hookFailures();

  abstract int metadataTooLarge();

  abstract int droppedFacts();

  abstract int windowResets();

  static Tallies of(
      int parked,
      int rewinds,
      int orphans,
      int refused,
      int hooks,
      int large,
      int facts,
      int windows) {
    return new AutoValue_Tallies(parked, rewinds, orphans, refused, hooks, large, facts, windows);
  }

  static Tallies parked(int results) {
    return of(results, 0, 0, 0, 0, 0, 0, 0);
  }

  static Tallies of(CommitOutcome outcome) {
    return of(
        0,
        outcome.acceptedRewind() ? 1 : 0,
        outcome.orphanFiles().size() + outcome.refusedFiles().size(),
        outcome.propertiesRefused() ? 1 : 0,
        outcome.hookFailures().size(),
        outcome.metadataTooLarge() ? 1 : 0,
        outcome.droppedFacts(),
        outcome.windowReset() ? 1 : 0);
  }

  boolean isNone() {
    return equals(NONE);
  }

  void countIn(IcebergWriteMetrics metrics) {
    metrics.parkedResults.inc(parkedResults());
    metrics.acceptedRewinds.inc(acceptedRewinds());
    metrics.orphanFiles.inc(orphanFiles());
    metrics.propertiesRefused.inc(propertiesRefused());
    metrics.hookFailures.inc(hookFailures());
    metrics.metadataTooLarge.inc(metadataTooLarge());
    metrics.droppedFacts.inc(droppedFacts());
    metrics.windowResets.inc(windowResets());
  }
}
