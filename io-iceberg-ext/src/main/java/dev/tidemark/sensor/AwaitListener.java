package dev.tidemark.sensor;

import java.time.Duration;

/** Hears of a wait before each pause, on the waiting thread. */
public interface AwaitListener {
  /** A listener that does nothing. */
  AwaitListener NONE = new AwaitListener() {};

  /** The range is not finalized yet, and the wait goes on for at most {@code left}. */
  default void waiting(FinalizationStatus status, Duration left) {}

  /**
   * The table could not be read for the {@code failures}th time in a row; the wait goes on for at
   * most {@code left}.
   */
  default void unreadable(FinalizationException failure, int failures, Duration left) {}
}
