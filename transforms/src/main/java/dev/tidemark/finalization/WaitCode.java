package dev.tidemark.finalization;

/** Why a policy waits. The names are stable: reports, metrics and scripts use them. */
public enum WaitCode {
  /** Fewer commits are known than the lookback's minimum. */
  TOO_FEW_COMMITS,
  /** The known commits reach back less far than the lookback's duration. */
  TOO_SHORT_HISTORY,
  /**
   * A commit in the lookback lacks what the policy needs: its extremes, quantiles, counts or
   * sketch.
   */
  MISSING_FACTS,
  /** No input watermark is known, or only the lowest one there is. */
  NO_INPUT_WATERMARK,
  /** The writer's latest proof of life is too old; whether it still runs is not known. */
  STALE_ATTESTATION,
  /** The policy's answer lies before the year 1 and cannot be meant. */
  OUT_OF_RANGE,
  /** A custom policy's own reason. */
  OTHER
}
