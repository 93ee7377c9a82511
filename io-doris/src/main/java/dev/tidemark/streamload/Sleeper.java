package dev.tidemark.streamload;

/** How the protocols wait between attempts. */
@FunctionalInterface
public interface Sleeper {
  /** Returns after about this many milliseconds. */
  void sleep(long millis) throws InterruptedException;

  /** Sleeps on the calling thread. */
  static Sleeper threads() {
    return Thread::sleep;
  }
}
