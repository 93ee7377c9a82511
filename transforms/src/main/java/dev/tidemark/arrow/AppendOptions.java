package dev.tidemark.arrow;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import java.io.Serializable;
import java.time.ZoneOffset;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;

/** How rows are written where a target column could be meant in more than one way. */
@AutoValue
public abstract class AppendOptions implements Serializable {
  private static final Duration MAX_SHIFT = Duration.standardDays(1);

  AppendOptions() {}

  abstract @Nullable ZoneOffset instantOffset();

  abstract long localShiftMillis();

  /** Instants are refused where the target has no zone; local times are written as they are. */
  public static AppendOptions defaults() {
    return new AutoValue_AppendOptions(null, 0);
  }

  /**
   * Lets instants be written to timestamps without zone, as the date and time at this offset from
   * UTC. Default: none, they are refused.
   */
  public AppendOptions withInstantsAt(ZoneOffset offset) {
    return new AutoValue_AppendOptions(offset, localShiftMillis());
  }

  /**
   * Adds this to all timestamps without zone, for receivers that subtract it. Default zero; from
   * minus one day to one day.
   */
  public AppendOptions withLocalShift(Duration shift) {
    checkArgument(
        !shift.isLongerThan(MAX_SHIFT) && !shift.isShorterThan(MAX_SHIFT.negated()),
        "Invalid shift of timestamps: %s (must be >= %s and <= %s)",
        shift,
        MAX_SHIFT.negated(),
        MAX_SHIFT);
    return new AutoValue_AppendOptions(instantOffset(), shift.getMillis());
  }
}
