package dev.tidemark.doris;

import com.google.auto.value.AutoValue;

/** How often the protocol had to do more than send a load and read its answer. */
@AutoValue
abstract class AttemptCounts {
  static final AttemptCounts NONE = of(0, 0, 0, 0);

  abstract long retried();

  /** Retries after longer, as the server was overloaded. */
  abstract long slowed();

  /** Outcomes that were unknown, and found by the label. */
  abstract long settled();

  /** Transactions of earlier runs that were aborted. */
  abstract long aborted();

  static AttemptCounts of(long retried, long slowed, long settled, long aborted) {
    return new AutoValue_AttemptCounts(retried, slowed, settled, aborted);
  }
}
