package dev.tidemark.finalization;

import com.google.auto.value.AutoValue;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Late records of one hour of one table that somebody should know of. */
@AutoValue
public abstract class LateAlert {

  /** The table, as its owner calls it. */
  public abstract String table();

  /**
   * The start of the hour; null for records before the sane range and others whose hour is not
   * known.
   */
  public abstract @Nullable Long hourMillis();

  /** The late records of the hour since the alerting window of it opened. */
  public abstract long records();

  /** Whether {@link #records()} is exact rather than an upper bound. */
  public abstract boolean exact();

  /** The report that gave rise to the alert. */
  public abstract LatenessReport report();

  static LateAlert of(
      String table, @Nullable Long hourMillis, long records, boolean exact, LatenessReport report) {
    return new AutoValue_LateAlert(table, hourMillis, records, exact, report);
  }

  /** One sentence for people. */
  public final String toText() {
    Long hour = hourMillis();
    return String.format(
        "Table %s received %s%d late records %s. %s",
        table(),
        exact() ? "" : "at most ",
        records(),
        hour == null ? "of no known hour" : "of the hour from " + Boundaries.iso(hour),
        report().toText());
  }
}
