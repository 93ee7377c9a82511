package dev.tidemark.commit;

/** How the protocol waits between attempts. */
@FunctionalInterface
public interface Sleeper {
  /** Returns after about this many milliseconds. */
  void sleep(long millis) throws InterruptedException;

  /** Sleeps on the calling thread. */
  static Sleeper threads() {
    return Thread::sleep;
  }
}
