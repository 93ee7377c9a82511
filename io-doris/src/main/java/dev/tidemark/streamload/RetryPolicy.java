package dev.tidemark.streamload;

import com.google.auto.value.AutoValue;
import java.io.Serializable;
import java.time.Duration;

/**
 * How often and how long the protocols try. Waits double from the first to the longest, and a
 * random half of each is cut.
 */
@AutoValue
public abstract class RetryPolicy implements Serializable {
  private static final long serialVersionUID = 1L;

  RetryPolicy() {}

  /** How often a request is made before the protocol gives up. */
  public abstract int maxAttempts();

  /** The wait after the first failure. */
  public abstract Duration firstWait();

  /** The wait after the first answer that the server is overloaded. */
  public abstract Duration firstSlowWait();

  /** No wait is longer. */
  public abstract Duration longestWait();

  /** How long a running load under the same label is waited for. */
  public abstract Duration settleTime();

  /** No attempt begins later than this after the first one. */
  public abstract Duration totalTime();

  abstract Builder toBuilder();

  /**
   * Ten attempts within 10 minutes, waiting 200 ms to 30 s, 5 s to 30 s if the server is
   * overloaded; a running load is waited for 2 minutes.
   */
  public static RetryPolicy defaults() {
    return new AutoValue_RetryPolicy.Builder()
        .setMaxAttempts(10)
        .setFirstWait(Duration.ofMillis(200))
        .setFirstSlowWait(Duration.ofSeconds(5))
        .setLongestWait(Duration.ofSeconds(30))
        .setSettleTime(Duration.ofMinutes(2))
        .setTotalTime(Duration.ofMinutes(10))
        .build();
  }

  /** Makes a request at most this often. Default 10, at least 1. */
  public RetryPolicy withMaxAttempts(int attempts) {
    if (attempts < 1) {
      throw new IllegalArgumentException(
          "Invalid attempts: %s (must be at least 1)".formatted(attempts));
    }
    return toBuilder().setMaxAttempts(attempts).build();
  }

  /** Waits this long after the first failure. Default 200 ms. */
  public RetryPolicy withFirstWait(Duration wait) {
    return toBuilder().setFirstWait(positive("first wait", wait)).build();
  }

  /** Waits this long after the first answer that the server is overloaded. Default 5 s. */
  public RetryPolicy withFirstSlowWait(Duration wait) {
    return toBuilder().setFirstSlowWait(positive("first slow wait", wait)).build();
  }

  /** Never waits longer than this. Default 30 s. */
  public RetryPolicy withLongestWait(Duration wait) {
    return toBuilder().setLongestWait(positive("longest wait", wait)).build();
  }

  /**
   * Waits this long for a load that runs under the same label, by an earlier attempt whose answer
   * was lost. Default 2 minutes.
   */
  public RetryPolicy withSettleTime(Duration time) {
    return toBuilder().setSettleTime(positive("settle time", time)).build();
  }

  /** Begins no attempt later than this after the first one. Default 10 minutes. */
  public RetryPolicy withTotalTime(Duration time) {
    return toBuilder().setTotalTime(positive("total time", time)).build();
  }

  private static Duration positive(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(
          "Invalid %s: %s (must be positive)".formatted(name, value));
    }
    return value;
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setMaxAttempts(int attempts);

    abstract Builder setFirstWait(Duration wait);

    abstract Builder setFirstSlowWait(Duration wait);

    abstract Builder setLongestWait(Duration wait);

    abstract Builder setSettleTime(Duration time);

    abstract Builder setTotalTime(Duration time);

    abstract RetryPolicy build();
  }
}
