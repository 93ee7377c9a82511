package dev.tidemark.finalization;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What a table claims to be finalized: from where its facts cover it (inclusive) until its
 * watermark (exclusive).
 *
 * <p>A table that existed before its facts did may hold anything in its older hours; the claim
 * leaves them out rather than vouching for rows nobody saw.
 */
@AutoValue
public abstract class Claim {

  /** How a stretch of time relates to a claim. */
  public enum Coverage {
    /** No record of it is expected any more. */
    FINALIZED,
    /** It ends after the watermark. */
    NOT_YET,
    /** It begins before the table's facts do; waiting does not help. */
    NOT_COVERED
  }

  /** First covered time; null where it is not known, which covers nothing. */
  public abstract @Nullable Long sinceMillis();

  /** The watermark; null where there is none. */
  public abstract @Nullable Long untilMillis();

  /** The claim of a table. */
  public static Claim of(@Nullable Long sinceMillis, @Nullable Long untilMillis) {
    return new AutoValue_Claim(sinceMillis, untilMillis);
  }

  /**
   * How {@code [startMillis, endMillis)} relates to this claim.
   *
   * @throws IllegalArgumentException where the end is not after the start
   */
  public final Coverage coverage(long startMillis, long endMillis) {
    checkArgument(
        startMillis < endMillis,
        "Invalid stretch of time: %s to %s (must end after its start)",
        startMillis,
        endMillis);
    Long since = sinceMillis();
    Long until = untilMillis();
    if (until == null) {
      return Coverage.NOT_YET;
    }
    if (since == null || startMillis < since) {
      return Coverage.NOT_COVERED;
    }
    return endMillis <= until ? Coverage.FINALIZED : Coverage.NOT_YET;
  }
}
