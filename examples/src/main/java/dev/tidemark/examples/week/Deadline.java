package dev.tidemark.examples.week;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Bounds how long something outside is waited for. */
final class Deadline {
  private static final long POLL_MILLIS = 50;

  private final long endNanos;
  private final String what;

  private Deadline(long endNanos, String what) {
    this.endNanos = endNanos;
    this.what = what;
  }

  static Deadline in(int seconds, String what) {
    return new Deadline(System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds), what);
  }

  /** Waits a little before something is looked at again. */
  void pause() throws InterruptedException, TimeoutException {
    if (System.nanoTime() - endNanos > 0) {
      throw new TimeoutException("Cannot " + what + " in time. See the log for what its job does");
    }
    TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
  }
}
