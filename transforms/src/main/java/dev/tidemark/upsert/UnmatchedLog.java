package dev.tidemark.upsert;

import dev.tidemark.candidates.KeyedChanges;
import dev.tidemark.candidates.MaterializerStatistics;
import dev.tidemark.candidates.Shards;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says once a minute that retractions found no candidate, and what may be behind it. */
final class UnmatchedLog {
  private static final Logger LOG = LoggerFactory.getLogger(UnmatchedLog.class);
  private static final long INTERVAL_MILLIS = 60_000;

  private long lastMillis;
  private long knownBefore;
  private long absentBefore;
  private boolean reported;

  /** Reports a retraction, unless one was reported within the last minute. */
  void report(
      int shard,
      KeyedChanges changes,
      int index,
      MaterializerStatistics statistics,
      long nowMillis) {
    int keyHash = Shards.hash(changes.data(), changes.keyOffset(index), changes.keyLength(index));
    String message = message(shard, keyHash, statistics, nowMillis);
    if (message != null) {
      LOG.warn("{}", message);
    }
  }

  /** What to say; null within a minute after the last time. */
  @Nullable String message(
      int shard, int keyHash, MaterializerStatistics statistics, long nowMillis) {
    long age = nowMillis - lastMillis;
    if (reported && age >= 0 && age < INTERVAL_MILLIS) {
      return null;
    }
    long known = statistics.unmatchedKeyKnown - knownBefore;
    long absent = statistics.unmatchedKeyAbsent - absentBefore;
    reported = true;
    lastMillis = nowMillis;
    knownBefore = statistics.unmatchedKeyKnown;
    absentBefore = statistics.unmatchedKeyAbsent;
    return String.format(
        "%d retractions found no candidate since the last message: %d of keys that have others, %d of keys"
            + " that have none. One of them: shard %d, hash of the sink key %08x. Possible causes: changes of"
            + " one key that arrive out of order or twice; a column without a stable value and no upsert key;"
            + " an addition that failed before; state that began empty while the input did not; time to live."
            + " The counters unmatchedKeyKnown and unmatchedKeyAbsent have them all",
        known + absent, known, absent, shard, keyHash);
  }
}
