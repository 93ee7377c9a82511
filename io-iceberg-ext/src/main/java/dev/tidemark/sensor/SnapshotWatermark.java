package dev.tidemark.sensor;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What was finalized while a table held the rows up to a snapshot, and no others. */
@AutoValue
public abstract class SnapshotWatermark {
  /** Whether it is known. */
  public enum State {
    /** It is known, be it that there was no watermark. */
    KNOWN,
    /** No metadata file that is left tells it. */
    NOT_KNOWN,
    /** The branch does not hold the snapshot: it expired, or was rolled back. */
    NOT_IN_BRANCH
  }

  /** Whether it is known. */
  public abstract State state();

  /** The UUID of the table. */
  public abstract String tableUuid();

  /** The watermark, exclusive; null if there was none, or if it is not known. */
  public abstract @Nullable Instant finalizedUntil();

  /** From where on the table's facts cover it; null if that is not recorded. */
  public abstract @Nullable Instant finalizedSince();

  static SnapshotWatermark of(State state, String tableUuid) {
    return new AutoValue_SnapshotWatermark(state, tableUuid, null, null);
  }

  final SnapshotWatermark with(@Nullable Instant until, @Nullable Instant since) {
    return new AutoValue_SnapshotWatermark(state(), tableUuid(), until, since);
  }
}
