package dev.tidemark.report;

import java.time.Instant;

/**
 * An hour of event time.
 *
 * @param start its start
 * @param state whether it is final
 * @param records records in it, of commits that count them by the hour
 * @param late those of them that came below the watermark, exactly
 * @param mayBeLate whether there were late records whose hour is not stored and may be this one
 * @param finalAt when it became final
 */
public record ReportedHour(
    Instant start, State state, long records, long late, boolean mayBeLate, FinalTime finalAt) {
  /** Whether an hour is final. */
  public enum State {
    /** No record of it is expected any more. */
    FINAL,
    /** It may still get records. */
    OPEN,
    /** It is older than the table's facts. */
    NOT_COVERED
  }
}
