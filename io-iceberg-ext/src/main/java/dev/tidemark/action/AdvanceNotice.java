package dev.tidemark.action;

import com.google.auto.value.AutoValue;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Instant;

/**
 * That the finalization watermark of a table is where it is. Watermarks are cumulative: a notice
 * says all that earlier ones said, so that whoever misses some needs the newest only.
 */
@AutoValue
public abstract class AdvanceNotice {
  AdvanceNotice() {}

  /** The table's name. */
  public abstract String table();

  /** The table's UUID, which a table made anew under the same name does not share. */
  public abstract String tableUuid();

  /** The branch that the watermark is about. */
  public abstract String branch();

  /**
   * Where the watermark was when the listener was last told, as far as this process knows; null if
   * there was none, or the notice is one of {@link #afterStart}.
   */
  public abstract @Nullable Instant before();

  /** Where the watermark is: no record with an earlier event time is expected any more. */
  public abstract Instant finalizedUntil();

  /** From when on event time is covered; null where nothing says it. */
  public abstract @Nullable Instant finalizedSince();

  /** The snapshot that the watermark was declared of; null where none is known. */
  public abstract @Nullable Long snapshotId();

  /** Why it moved, for people. */
  public abstract String reason();

  /**
   * Whether the watermark was there already when the process began to look at the table. Such a
   * notice makes up for one that an earlier process may not have delivered.
   */
  public abstract boolean afterStart();

  /** The same for all notices of one declaration, whoever sends them and however often. */
  public final String id() {
    return String.join(
        "/",
        tableUuid(),
        branch(),
        finalizedUntil().toString(),
        snapshotId() == null ? "-" : snapshotId().toString());
  }

  /** This notice in place of an older one that was not delivered. */
  final AdvanceNotice inPlaceOf(AdvanceNotice older) {
    return older.tableUuid().equals(tableUuid())
        ? toBuilder().setBefore(older.before()).setAfterStart(older.afterStart()).build()
        : this;
  }

  /** A builder of a notice that is not {@link #afterStart}. */
  public static Builder builder() {
    return new AutoValue_AdvanceNotice.Builder().setAfterStart(false);
  }

  abstract Builder toBuilder();

  /** Makes notices; what is not nullable is required. */
  @AutoValue.Builder
  public abstract static class Builder {
    Builder() {}

    /** Sets {@link AdvanceNotice#table}. */
    public abstract Builder setTable(String table);

    /** Sets {@link AdvanceNotice#tableUuid}. */
    public abstract Builder setTableUuid(String uuid);

    /** Sets {@link AdvanceNotice#branch}. */
    public abstract Builder setBranch(String branch);

    /** Sets {@link AdvanceNotice#before}. */
    public abstract Builder setBefore(@Nullable Instant before);

    /** Sets {@link AdvanceNotice#finalizedUntil}. */
    public abstract Builder setFinalizedUntil(Instant until);

    /** Sets {@link AdvanceNotice#finalizedSince}. */
    public abstract Builder setFinalizedSince(@Nullable Instant since);

    /** Sets {@link AdvanceNotice#snapshotId}. */
    public abstract Builder setSnapshotId(@Nullable Long snapshotId);

    /** Sets {@link AdvanceNotice#reason}. */
    public abstract Builder setReason(String reason);

    /** Sets {@link AdvanceNotice#afterStart}. */
    public abstract Builder setAfterStart(boolean afterStart);

    /** The notice. */
    public abstract AdvanceNotice build();
  }
}
