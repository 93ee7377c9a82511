package dev.tidemark.cli;

import dev.tidemark.commit.Sleeper;
import java.time.Clock;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * What the command takes from its surroundings.
 *
 * @param random spreads the questions of many waiters; 0 inclusive to 1 exclusive
 * @param terminal whether standard error is looked at by a person
 */
record Environment(Clock clock, Sleeper sleeper, DoubleSupplier random, boolean terminal) {
  private static final double MIDDLE = 0.5;

  /** Without chance and without a terminal. */
  Environment(Clock clock, Sleeper sleeper) {
    this(clock, sleeper, () -> MIDDLE, false);
  }

  static Environment system() {
    return new Environment(
        Clock.systemUTC(),
        Sleeper.threads(),
        () -> ThreadLocalRandom.current().nextDouble(),
        Terminal.isStandardError());
  }
}
