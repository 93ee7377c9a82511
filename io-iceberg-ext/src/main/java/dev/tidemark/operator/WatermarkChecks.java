package dev.tidemark.operator;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.tidemark.commit.StoredEvidence.Standing;
import dev.tidemark.commit.WatermarkState;
import java.time.Instant;
import org.apache.iceberg.types.Types;

/** Whether the watermark counts, and may move. */
final class WatermarkChecks {
  private static final String CHECK = "watermark";
  private static final ImmutableSet<String> TIME_TRANSFORMS =
      ImmutableSet.of("hour", "day", "month", "year");

  private WatermarkChecks() {}

  static ImmutableList<Finding> of(Base base, Instant now) {
    ImmutableList.Builder<Finding> findings = ImmutableList.builder();
    findings.add(standing(base, now));
    WatermarkState watermark = base.watermark();
    if (watermark.disabledReason() != null) {
      findings.add(Finding.info(CHECK, "The table is disabled: " + watermark.disabledReason()));
    }
    if (watermark.pausedReason() != null) {
      findings.add(
          Finding.warning(
              CHECK,
              "The watermark is paused: " + watermark.pausedReason(),
              "Resume the table once that is over."));
    }
    findings.add(column(base));
    return findings.build();
  }

  private static Finding standing(Base base, Instant now) {
    WatermarkState watermark = base.watermark();
    Instant until = base.until();
    Standing standing = base.evidence().standing();
    if (standing == Standing.CLONE) {
      return Finding.error(
          CHECK,
          "The watermark was copied from another table (UUID %s), and does not count"
              .formatted(watermark.tableUuid()),
          "Let a writer of this table move it, reset it, or disable the table.");
    }
    if (until == null) {
      return Finding.info(CHECK, "There is no watermark yet");
    }
    if (until.isAfter(now)) {
      return Finding.error(
          CHECK,
          "The watermark %s is in the future".formatted(until),
          "Mend the clock of the writers, and reset the watermark.");
    }
    return switch (standing) {
      case ROLLED_BACK ->
          Finding.error(
              CHECK,
              "The watermark %s rests on snapshot %d, which the branch does not hold any more: it was rolled back"
                  .formatted(until, watermark.snapshotId()),
              "Let the pipeline commit again, or reset the watermark to what the branch holds.");
      case UNVERIFIED ->
          Finding.info(
              CHECK,
              "The watermark %s counts; the snapshot that moved it expired".formatted(until));
      default -> Finding.ok(CHECK, "The watermark %s counts".formatted(until));
    };
  }

  private static Finding column(Base base) {
    String check = "event-time-column";
    String path = base.properties().get(base.keys().eventTimeColumn());
    if (path == null) {
      return Finding.info(check, "No event-time column is recorded");
    }
    Types.NestedField column = base.metadata().schema().findField(path);
    if (column == null) {
      return Finding.error(
          check,
          "The table has no event-time column %s any more".formatted(path),
          "Undo the change of the schema, or set the column of the pipeline anew.");
    }
    boolean byTime =
        base.metadata().spec().fields().stream()
            .anyMatch(
                field ->
                    field.sourceId() == column.fieldId()
                        && TIME_TRANSFORMS.contains(field.transform().toString()));
    return byTime
        ? Finding.ok(check, "Partitions by %s can be asked for by name".formatted(path))
        : Finding.info(
            check,
            "The table is not partitioned by hour, day, month or year of %s: ask by start and end"
                .formatted(path));
  }
}
