package dev.tidemark.once;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableList;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;

/**
 * What a call of an {@link Effect} came to.
 *
 * @param <R> what is reported downstream
 */
@AutoValue
public abstract class Outcome<R> {
  Outcome() {}

  abstract ImmutableList<R> reports();

  /** Null if the batch is done. */
  abstract @Nullable Duration retryAfter();

  /**
   * All elements of the batch are performed; the reports are emitted and the elements forgotten.
   */
  public static <R> Outcome<R> done(Iterable<? extends R> reports) {
    return new AutoValue_Outcome<>(ImmutableList.copyOf(reports), null);
  }

  /**
   * The batch is kept and tried again after the delay; the reports are emitted now.
   *
   * @param delay at least this long until the next try; later batches of the key wait with it
   */
  public static <R> Outcome<R> later(Duration delay, Iterable<? extends R> reports) {
    if (delay.isShorterThan(Duration.ZERO)) {
      throw new IllegalArgumentException(
          String.format("Invalid delay: %s (must be zero or positive)", delay));
    }
    return new AutoValue_Outcome<>(ImmutableList.copyOf(reports), delay);
  }
}
