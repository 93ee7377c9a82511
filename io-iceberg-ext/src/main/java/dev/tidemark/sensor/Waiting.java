package dev.tidemark.sensor;

import dev.tidemark.commit.Sleeper;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * How a wait passes its time.
 *
 * @param outage for how long a table may be unreadable
 */
record Waiting(Clock clock, Sleeper sleeper, DoubleSupplier random, Duration outage) {
  private static final double JITTER = 0.1;

  static Waiting standard() {
    return new Waiting(
        Clock.systemUTC(),
        Sleeper.threads(),
        () -> ThreadLocalRandom.current().nextDouble(),
        Duration.ofMinutes(10));
  }

  Waiting withClock(Clock other) {
    return new Waiting(other, sleeper, random, outage);
  }

  Waiting withSleeper(Sleeper other) {
    return new Waiting(clock, other, random, outage);
  }

  Waiting withRandom(DoubleSupplier other) {
    return new Waiting(clock, sleeper, other, outage);
  }

  Waiting withOutage(Duration other) {
    if (other.isNegative()) {
      throw new IllegalArgumentException("Invalid outage: %s (must be >= 0)".formatted(other));
    }
    return new Waiting(clock, sleeper, random, other);
  }

  /** A pause around {@code poll}, but not beyond what is left. */
  long pauseMillis(Duration poll, Duration left) {
    double factor = 1 - JITTER + 2 * JITTER * random.getAsDouble();
    Duration pause = Duration.ofMillis(Math.round(poll.toMillis() * factor));
    return Math.max(1, (pause.compareTo(left) < 0 ? pause : left).toMillis());
  }
}
