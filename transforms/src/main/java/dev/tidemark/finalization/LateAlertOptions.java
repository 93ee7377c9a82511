package dev.tidemark.finalization;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import java.io.Serializable;
import org.joda.time.Duration;

/** When late records give rise to an alert. */
@AutoValue
public abstract class LateAlertOptions implements Serializable {

  /** An hour alerts once its late records are more than this. */
  public abstract long threshold();

  /** For how long an hour of a table alerts at most once. */
  public abstract long windowMillis();

  /** Whether a backfill is going on: late records are expected and give rise to no alert. */
  public abstract boolean backfill();

  /** Every late record counts, one alert per table and hour in six hours, no backfill. */
  public static LateAlertOptions standard() {
    return of(0, Duration.standardHours(6).getMillis(), false);
  }

  /**
   * With the number of late records of an hour that is still tolerated; 0 by default.
   *
   * @throws IllegalArgumentException where it is negative
   */
  public final LateAlertOptions withThreshold(long threshold) {
    checkArgument(threshold >= 0, "Invalid threshold: %s records (must be >= 0)", threshold);
    return of(threshold, windowMillis(), backfill());
  }

  /**
   * With the time in which an hour of a table alerts at most once and in which its late records add
   * up; six hours by default.
   *
   * @throws IllegalArgumentException unless it is positive and at most 31 days
   */
  public final LateAlertOptions withWindow(Duration window) {
    checkArgument(
        window.getMillis() > 0 && !window.isLongerThan(Lookback.MAX_DURATION),
        "Invalid alerting window: %s ms (must be positive and at most 31 days)",
        window.getMillis());
    return of(threshold(), window.getMillis(), backfill());
  }

  /** With alerts muted while a backfill goes on; lateness reports are made all the same. */
  public final LateAlertOptions withBackfill(boolean backfill) {
    return of(threshold(), windowMillis(), backfill);
  }

  private static LateAlertOptions of(long threshold, long windowMillis, boolean backfill) {
    return new AutoValue_LateAlertOptions(threshold, windowMillis, backfill);
  }
}
