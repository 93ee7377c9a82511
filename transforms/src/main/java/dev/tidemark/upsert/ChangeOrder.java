package dev.tidemark.upsert;

import com.google.auto.value.AutoValue;
import java.io.Serializable;
import org.checkerframework.checker.nullness.qual.Nullable;

/** In which order the changes of a shard are processed. */
@AutoValue
abstract class ChangeOrder implements Serializable {
  /** What decides. */
  enum By {
    /** The order of arrival. */
    ARRIVAL,
    /** A sequence column. */
    COLUMN,
    /** The position in the source's log. */
    POSITION
  }

  static final ChangeOrder ARRIVAL = new AutoValue_ChangeOrder(By.ARRIVAL, null);
  static final ChangeOrder POSITION = new AutoValue_ChangeOrder(By.POSITION, null);

  ChangeOrder() {}

  abstract By by();

  /** The sequence column; null if none decides. */
  abstract @Nullable String column();

  static ChangeOrder column(String column) {
    return new AutoValue_ChangeOrder(By.COLUMN, column);
  }

  boolean sorts() {
    return by() != By.ARRIVAL;
  }

  @Override
  public final String toString() {
    return switch (by()) {
      case ARRIVAL -> "arrival";
      case COLUMN -> "column " + column();
      case POSITION -> "log position";
    };
  }
}
