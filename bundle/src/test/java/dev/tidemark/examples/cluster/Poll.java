package dev.tidemark.examples.cluster;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits until another process has got somewhere. */
final class Poll {
  private static final Duration PAUSE = Duration.ofMillis(200);

  private Poll() {}

  /** Looks again and again until the condition holds. */
  static void until(String what, Duration patience, Callable<Boolean> condition) throws Exception {
    until(what, patience, condition, () -> "");
  }

  /**
   * Looks again and again until the condition holds. An exception is as good as false, until the
   * last one.
   *
   * @param details what to say beside when patience is over
   */
  static void until(
      String what, Duration patience, Callable<Boolean> condition, Supplier<String> details)
      throws Exception {
    long deadline = System.nanoTime() + patience.toNanos();
    Exception last = null;
    while (System.nanoTime() < deadline) {
      try {
        if (condition.call()) {
          return;
        }
        last = null;
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        last = e;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
    TimeoutException timeout =
        new TimeoutException(
            "Cannot see that " + what + " within " + patience + ". " + details.get());
    timeout.initCause(last);
    throw timeout;
  }
}
