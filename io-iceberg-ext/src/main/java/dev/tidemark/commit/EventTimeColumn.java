package dev.tidemark.commit;

import com.google.auto.value.AutoValue;
import java.util.concurrent.TimeUnit;

/** The event-time column of a table, and what a whole number in it means. */
@AutoValue
public abstract class EventTimeColumn {
  /** Path of the column, dotted. */
  public abstract String path();

  /** Unit of integer columns; timestamps and dates know theirs. */
  public abstract TimeUnit unit();

  /** A column; integers in it are milliseconds. */
  public static EventTimeColumn of(String path) {
    return of(path, TimeUnit.MILLISECONDS);
  }

  /** A column with the unit of integers in it. */
  public static EventTimeColumn of(String path, TimeUnit unit) {
    return new AutoValue_EventTimeColumn(path, unit);
  }
}
