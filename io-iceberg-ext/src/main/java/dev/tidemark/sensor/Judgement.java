package dev.tidemark.sensor;

import dev.tidemark.commit.CommitException;
import dev.tidemark.commit.StoredEvidence;
import dev.tidemark.commit.StoredEvidence.Standing;
import dev.tidemark.commit.WatermarkState;
import dev.tidemark.finalization.Claim;
import java.time.Instant;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What one metadata version says about ranges. */
final class Judgement {
  private final String table;
  private final TableMetadata metadata;
  private final StoredEvidence evidence;
  private final WatermarkState watermark;
  private final Standing standing;

  /** Refuses a clone, whose watermark is about another table, and a disabled table. */
  Judgement(String table, TableMetadata metadata, StoredEvidence evidence) {
    this.table = table;
    this.metadata = metadata;
    this.evidence = evidence;
    this.watermark = evidence.watermark();
    this.standing = evidence.standing();
    if (watermark.disabledReason() != null) {
      throw new FinalizationException(
          FinalizationException.Kind.DISABLED,
          "Cannot tell until when table %s is finalized: it was disabled: %s. Do not wait for it; \"tidemark resume\" enables it again."
              .formatted(table, watermark.disabledReason()));
    }
    if (standing == Standing.CLONE) {
      throw new FinalizationException(
          FinalizationException.Kind.CLONED,
          "Cannot tell until when table %s is finalized: its watermark was copied from another table (UUID %s, this is %s). Ask that table, or let a writer of this one move the watermark."
              .formatted(table, watermark.tableUuid(), metadata.uuid()));
    }
  }

  static StoredEvidence evidence(String table, TableMetadata metadata, String branch) {
    try {
      return StoredEvidence.of(metadata, branch);
    } catch (CommitException e) {
      throw new FinalizationException(
          FinalizationException.Kind.UNREADABLE, String.valueOf(e.getMessage()), e);
    } catch (IllegalArgumentException e) {
      throw new FinalizationException(
          FinalizationException.Kind.BRANCH_MISSING,
          "Cannot read table %s: %s".formatted(table, e.getMessage()),
          e);
    }
  }

  @Nullable Instant until() {
    return instant(watermark.finalizedUntilMillis());
  }

  @Nullable Instant since() {
    return instant(watermark.finalizedSinceMillis());
  }

  boolean isInvalidated() {
    return standing == Standing.ROLLED_BACK;
  }

  FinalizationStatus of(EventTimeRange range) {
    FinalizationStatus.State state = state(range);
    Snapshot head = evidence.head();
    return FinalizationStatus.builder()
        .setTable(table)
        .setState(state)
        .setReason(reason(state, range))
        .setRange(range)
        .setFinalizedUntil(until())
        .setFinalizedSince(since())
        .setSnapshotId(head == null ? null : head.snapshotId())
        .setSnapshotCommittedAt(head == null ? null : Instant.ofEpochMilli(head.timestampMillis()))
        .setTableUuid(metadata.uuid())
        .setVerified(standing == Standing.HELD)
        .build();
  }

  private FinalizationStatus.State state(EventTimeRange range) {
    Long until = watermark.finalizedUntilMillis();
    Long since = watermark.finalizedSinceMillis();
    if (until == null) {
      return FinalizationStatus.State.NOT_YET;
    }
    Instant start = range.start();
    // A range without a start holds what is covered; before the first covered time that is nothing.
    Long startMillis = start == null ? since : Long.valueOf(start.toEpochMilli());
    if (since == null || startMillis == null || (start == null && range.endMillis() <= since)) {
      return FinalizationStatus.State.NOT_COVERED;
    }
    Claim.Coverage coverage = Claim.of(since, until).coverage(startMillis, range.endMillis());
    if (coverage == Claim.Coverage.NOT_COVERED) {
      return FinalizationStatus.State.NOT_COVERED;
    } else if (isInvalidated()) {
      return FinalizationStatus.State.INVALIDATED;
    }
    return coverage == Claim.Coverage.FINALIZED
        ? FinalizationStatus.State.FINALIZED
        : FinalizationStatus.State.NOT_YET;
  }

  private String reason(FinalizationStatus.State state, EventTimeRange range) {
    return switch (state) {
      case FINALIZED -> "Finalized until " + until() + unverified();
      case NOT_YET -> notYet(range) + paused();
      case NOT_COVERED -> notCovered();
      case INVALIDATED ->
          "The watermark %s rests on snapshot %d, which branch %s does not hold any more; it counts again once it has moved"
              .formatted(until(), watermark.snapshotId(), evidence.keys().branch());
    };
  }

  private String notYet(EventTimeRange range) {
    return until() == null
        ? "The table has no watermark yet"
        : "Finalized until %s only, before %s".formatted(until(), range.end());
  }

  private String notCovered() {
    return since() == null
        ? "The table does not record from where on its facts cover it"
        : "The table's facts cover it from %s on only; waiting does not help".formatted(since());
  }

  private String unverified() {
    return switch (standing) {
      case UNVERIFIED -> "; unverified, as snapshot %d expired".formatted(watermark.snapshotId());
      case NO_SNAPSHOT -> "; unverified, as no snapshot is recorded with the watermark";
      default -> "";
    };
  }

  private String paused() {
    return watermark.pausedReason() == null ? "" : "; paused: " + watermark.pausedReason();
  }

  static @Nullable Instant instant(@Nullable Long epochMillis) {
    return epochMillis == null ? null : Instant.ofEpochMilli(epochMillis);
  }
}
