package dev.tidemark.commit;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The finalization watermark as a table's properties state it. */
@AutoValue
public abstract class WatermarkState {
  /** The watermark, exclusive, in epoch milliseconds; null if there is none. */
  public abstract @Nullable Long finalizedUntilMillis();

  /** First hour this table's facts cover, in epoch milliseconds; null if nothing was recorded. */
  public abstract @Nullable Long finalizedSinceMillis();

  /** The snapshot whose evidence moved the watermark; null if there is none. */
  public abstract @Nullable Long snapshotId();

  /** The table the watermark is about; null if there is none. */
  public abstract @Nullable String tableUuid();

  /** The policy that moved it; null if there is none. */
  public abstract @Nullable String policy();

  /** Why it must not move; null if it may. */
  public abstract @Nullable String pausedReason();

  /** Why the table has no opinions of Tidemark any more; null if it may have. */
  public abstract @Nullable String disabledReason();

  /** When it was reset last, in epoch milliseconds; null if it never was. */
  public abstract @Nullable Long resetAtMillis();

  /**
   * Reads the state.
   *
   * @throws IllegalArgumentException if a value cannot be read, naming its key
   */
  public static WatermarkState of(Map<String, String> properties, TidemarkKeys keys) {
    return new AutoValue_WatermarkState(
        instant(properties, keys.finalizedUntil()),
        instant(properties, keys.finalizedSince()),
        snapshotId(properties, keys.finalizedUntilSnapshotId()),
        properties.get(keys.finalizedUntilTableUuid()),
        properties.get(keys.policy()),
        properties.get(keys.paused()),
        properties.get(keys.disabled()),
        instant(properties, keys.resetAt()));
  }

  /**
   * The watermark of this very table; null if there is none, or if the properties were copied from
   * another table.
   *
   * @throws CommitException if it cannot be read
   */
  static @Nullable Long inForce(TableMetadata base, TidemarkKeys keys) {
    WatermarkState state = read(base, keys);
    return isClone(state, base) ? null : state.finalizedUntilMillis();
  }

  /** Why it must not move, be it a pause or that the table is disabled; null if it may. */
  public final @Nullable String heldReason() {
    String disabled = disabledReason();
    return disabled == null ? pausedReason() : "the table is disabled: " + disabled;
  }

  /** Whether what was attested at this time counts: not if the watermark was reset since. */
  final boolean counts(long attestedAtMillis) {
    Long reset = resetAtMillis();
    return reset == null || attestedAtMillis >= reset;
  }

  /** The watermark that a snapshot's commit met; null if there was none, or it cannot be read. */
  static @Nullable Long metBy(Snapshot snapshot, TidemarkKeys keys) {
    try {
      return instant(Lineage.summary(snapshot), keys.finalizedUntil());
    } catch (IllegalArgumentException e) {
      // Summaries are anybody's to write; without the watermark there is just no lateness to
      // repeat.
      return null;
    }
  }

  static WatermarkState read(TableMetadata base, TidemarkKeys keys) {
    try {
      return of(base.properties(), keys);
    } catch (IllegalArgumentException e) {
      throw new CommitException(
          CommitException.Kind.RECORD_UNREADABLE,
          "Cannot read the watermark of table %s: %s. Restore the property from an older metadata file."
              .formatted(base.location(), e.getMessage()),
          e);
    }
  }

  static boolean isClone(WatermarkState state, TableMetadata base) {
    return state.tableUuid() != null && !state.tableUuid().equals(base.uuid());
  }

  /** An instant as these properties store it. */
  static String text(long epochMillis) {
    return Instant.ofEpochMilli(epochMillis).toString();
  }

  private static @Nullable Long instant(Map<String, String> properties, String key) {
    String text = properties.get(key);
    if (text == null) {
      return null;
    }
    try {
      return Instant.parse(text).toEpochMilli();
    } catch (DateTimeParseException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "Invalid property %s: %s (must be an ISO-8601 instant)".formatted(key, text), e);
    }
  }

  private static @Nullable Long snapshotId(Map<String, String> properties, String key) {
    String text = properties.get(key);
    if (text == null) {
      return null;
    }
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "Invalid property %s: %s (must be a snapshot ID)".formatted(key, text), e);
    }
  }
}
