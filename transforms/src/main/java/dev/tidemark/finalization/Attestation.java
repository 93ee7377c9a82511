package dev.tidemark.finalization;

import com.google.auto.value.AutoValue;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A writer's proof of life: a checkpoint of it completed, everything it had received before is
 * committed, and its input watermark stood at {@link #inputWatermarkMillis()}.
 *
 * <p>Whoever makes one vouches for all three. A watermark guessed from the clock, or one of a
 * checkpoint that was not completed, must not be attested: nothing behind it would notice.
 */
@AutoValue
public abstract class Attestation {

  /** The input watermark, milliseconds since 1970; null where the writer has none. */
  public abstract @Nullable Long inputWatermarkMillis();

  /** When the checkpoint was known to be completed, by the clock of the writer. */
  public abstract long atMillis();

  /** An attestation made at {@code atMillis}. */
  public static Attestation of(@Nullable Long inputWatermarkMillis, long atMillis) {
    return new AutoValue_Attestation(inputWatermarkMillis, atMillis);
  }
}
