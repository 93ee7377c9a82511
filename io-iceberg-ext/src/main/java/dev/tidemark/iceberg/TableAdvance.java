package dev.tidemark.iceberg;

import com.google.auto.value.AutoValue;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Instant;

/** A move of a table's finalization watermark. Emitted at least once for each move. */
@AutoValue
public abstract class TableAdvance {
  TableAdvance() {}

  /** The table's name. */
  public abstract String table();

  /** Where the watermark was; null if there was none. */
  public abstract @Nullable Instant before();

  /** Where it is: no record with an earlier event time is expected any more. */
  public abstract Instant finalizedUntil();

  /** Why it moved, for people. */
  public abstract String reason();

  static TableAdvance of(
      String table, @Nullable Instant before, Instant finalizedUntil, String reason) {
    return new AutoValue_TableAdvance(table, before, finalizedUntil, reason);
  }
}
