package dev.tidemark.doris;

import dev.tidemark.streamload.LabelState;
import dev.tidemark.streamload.LoadListener;
import dev.tidemark.streamload.Verdict;
import java.util.concurrent.atomic.AtomicLong;

/** Counts until somebody takes the counts, from any thread. */
final class AttemptListener implements LoadListener {
  private final AtomicLong retried = new AtomicLong();
  private final AtomicLong slowed = new AtomicLong();
  private final AtomicLong settled = new AtomicLong();
  private final AtomicLong aborted = new AtomicLong();

  @Override
  public void retried(Verdict reason) {
    retried.incrementAndGet();
    if (reason == Verdict.SLOW) {
      slowed.incrementAndGet();
    }
  }

  @Override
  public void settled(LabelState state) {
    settled.incrementAndGet();
  }

  @Override
  public void aborted() {
    aborted.incrementAndGet();
  }

  /** The counts since the last call. */
  AttemptCounts take() {
    return AttemptCounts.of(
        retried.getAndSet(0), slowed.getAndSet(0), settled.getAndSet(0), aborted.getAndSet(0));
  }
}
