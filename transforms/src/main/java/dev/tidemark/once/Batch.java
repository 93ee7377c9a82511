package dev.tidemark.once;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableList;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What one call of an {@link Effect} is about: elements of one key in ascending, contiguous
 * sequence, and the newest heartbeat behind them. A batch without elements carries a heartbeat.
 */
@AutoValue
public abstract class Batch<T> {
  Batch() {}

  /** The elements, ascending by sequence without gaps; empty for a mere heartbeat. */
  public abstract ImmutableList<Numbered<T>> elements();

  /**
   * Elements with a sequence below this one can never be handed in again, unless the runner is
   * taken back to older state by hand: every checkpoint that may still be restored was taken after
   * they were performed.
   */
  public abstract long replayFloor();

  /** The newest heartbeat that a completed checkpoint holds, or null if there is none. */
  public abstract @Nullable Heartbeat heartbeat();

  /**
   * Whether this batch is performed because the input ended and not because a checkpoint holds it.
   * A crash before the last checkpoint completes then makes the replay a rewind.
   */
  public abstract boolean endOfInput();

  static <T> Batch<T> of(
      Iterable<Numbered<T>> elements,
      long replayFloor,
      @Nullable Heartbeat heartbeat,
      boolean endOfInput) {
    return new AutoValue_Batch<>(
        ImmutableList.copyOf(elements), replayFloor, heartbeat, endOfInput);
  }
}
