package dev.tidemark.doris;

import com.google.auto.value.AutoValue;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What the load stage reports: a load, or a row that the server refused. */
@AutoValue
abstract class LoadEvent {
  /** Null if this is of a row. */
  abstract @Nullable DorisLoad load();

  /** Null if this is of a load. */
  abstract @Nullable BadRecord failure();

  /** What the protocol did since the event before; counted where metrics can be. */
  abstract AttemptCounts attempts();

  static LoadEvent of(DorisLoad load, AttemptCounts attempts) {
    return new AutoValue_LoadEvent(load, null, attempts);
  }

  static LoadEvent of(BadRecord failure, AttemptCounts attempts) {
    return new AutoValue_LoadEvent(null, failure, attempts);
  }
}
