package dev.tidemark.finalization;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import com.google.auto.value.AutoValue;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What a policy makes of the evidence of one writer: a candidate for the watermark, or to wait. */
@AutoValue
public abstract class Decision {

  abstract @Nullable Long candidate();

  /** Why to wait; null where there is a candidate. */
  public abstract @Nullable WaitCode waitCode();

  /**
   * The width that the candidate has to be rounded down to at least, because of what it was read
   * from; 1 if exact.
   */
  public abstract long widthMillis();

  /** One sentence for people. */
  public abstract String reason();

  /** No record before {@code candidateMillis} is expected. */
  public static Decision candidate(long candidateMillis, String reason) {
    return candidate(candidateMillis, 1, reason);
  }

  /**
   * No record before {@code candidateMillis}, rounded down to {@code widthMillis}, is expected.
   *
   * @throws IllegalArgumentException unless the width is 1 or one that sketches have, see {@link
   *     CommitFacts#widthMillis}
   */
  public static Decision candidate(long candidateMillis, long widthMillis, String reason) {
    checkArgument(
        widthMillis == 1 || Boundaries.isSketchWidth(widthMillis),
        "Invalid width: %s ms (must be 1 or a width of sketches)",
        widthMillis);
    return new AutoValue_Decision(candidateMillis, null, widthMillis, reason);
  }

  /** The evidence is not enough for an answer. */
  public static Decision waitFor(WaitCode code, String reason) {
    return new AutoValue_Decision(null, code, 1, reason);
  }

  /** Whether the evidence is not enough. */
  public final boolean isWait() {
    return candidate() == null;
  }

  /**
   * The candidate, milliseconds since 1970, not yet rounded.
   *
   * @throws IllegalStateException where {@link #isWait()}
   */
  public final long candidateMillis() {
    Long candidate = candidate();
    checkState(candidate != null, "Cannot read a candidate: the decision is to wait");
    return candidate;
  }

  /** The candidate rounded down to its own width and to {@code granularityMillis}. */
  final long roundedMillis(long granularityMillis) {
    return Boundaries.floor(candidateMillis(), Boundaries.common(granularityMillis, widthMillis()));
  }

  final Decision because(String more) {
    return new AutoValue_Decision(candidate(), waitCode(), widthMillis(), reason() + "; " + more);
  }
}
