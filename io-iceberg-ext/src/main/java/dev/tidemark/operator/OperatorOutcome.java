package dev.tidemark.operator;

import com.google.auto.value.AutoValue;
import dev.tidemark.commit.OperatorAct;
import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What became of an act. */
@AutoValue
public abstract class OperatorOutcome {
  /** Whether anything was written. */
  public abstract boolean changed();

  /** What it means for the table and its watermark, in sentences for people. */
  public abstract String effect();

  /** The watermark before; null if there was none, or if it was another table's. */
  public abstract @Nullable Instant watermarkBefore();

  /** The watermark after; null if there is none. */
  public abstract @Nullable Instant watermarkAfter();

  /** The act as it was recorded; null if nothing was written, or the act is not recorded. */
  public abstract @Nullable OperatorAct act();

  static OperatorOutcome of(
      boolean changed,
      String effect,
      @Nullable Instant before,
      @Nullable Instant after,
      @Nullable OperatorAct act) {
    return new AutoValue_OperatorOutcome(changed, effect, before, after, act);
  }
}
