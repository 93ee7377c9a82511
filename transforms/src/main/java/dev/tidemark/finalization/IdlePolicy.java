package dev.tidemark.finalization;

/** What to do about a required writer that has committed no rows for a while. */
public enum IdlePolicy {
  /** Nothing: the watermark stays where the last rows left it. */
  WAIT,
  /** Trust the input watermark that the writer attests. */
  INPUT_WATERMARK,
  /** Trust the clock: what has not come in the idle time does not come. */
  WALL_CLOCK
}
