package dev.tidemark.cli;

import dev.tidemark.commit.Sleeper;
import java.time.Clock;

/** What the command takes from its surroundings. */
record Environment(Clock clock, Sleeper sleeper) {
  static Environment system() {
    return new Environment(Clock.systemUTC(), Sleeper.threads());
  }
}
