package dev.tidemark.sensor;

import java.time.Instant;
import java.time.ZoneId;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.util.SnapshotUtil;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What tells until when a table is complete. Tidemark's own watermark is one; the others are those
 * of other writers, read as they are. Each has a caveat, which every answer repeats: none of them
 * knows from where on the table is covered, none notices a rollback or a clone, and none tells of
 * late data.
 */
public abstract class Signal {
  Signal() {}

  /** Tidemark's own watermark. */
  public static Signal tidemark() {
    return TidemarkSignal.INSTANCE;
  }

  /**
   * The time through which Iceberg's sink for Kafka Connect says that the table is valid ({@code
   * kafka.connect.valid-through-ts} in the newest summary that has it, or {@code
   * kafka.connect.vtts} of older releases).
   */
  public static Signal kafkaConnect() {
    return new KafkaConnectSignal();
  }

  /** Gobblin's completeness watermark ({@code completionWatermark} in the table's properties). */
  public static Signal gobblin() {
    return new GobblinSignal();
  }

  /**
   * Marker files such as {@code _SUCCESS}, one per hour, day, month or year of a zone.
   *
   * @param template the path of a marker, with {@code {yyyy}}, and {@code {MM}}, {@code {dd}} and
   *     {@code {HH}} as far as markers go; one without a scheme or a leading slash is in the
   *     table's folder
   * @throws IllegalArgumentException if the template names no time, or skips a part of it
   */
  public static Signal markerFiles(String template, ZoneId zone) {
    return new MarkerSignal(template, zone);
  }

  /**
   * The signal of a text: {@code tidemark}, {@code kafka-connect}, {@code gobblin} or {@code
   * marker:<template>}.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Signal parse(String text, ZoneId zone) {
    if (text.startsWith(MarkerSignal.NAME + ":")) {
      return markerFiles(text.substring(MarkerSignal.NAME.length() + 1), zone);
    }
    return switch (text) {
      case TidemarkSignal.NAME -> tidemark();
      case KafkaConnectSignal.NAME -> kafkaConnect();
      case GobblinSignal.NAME -> gobblin();
      default ->
          throw new IllegalArgumentException(
              "Invalid signal: %s (must be tidemark, kafka-connect, gobblin or marker:PATH)"
                  .formatted(text));
    };
  }

  /** Its name, as in {@link #parse}. */
  public abstract String name();

  /** What it does not promise; null for Tidemark's own. */
  public abstract @Nullable String caveat();

  final boolean isOwn() {
    return this == TidemarkSignal.INSTANCE;
  }

  /** Until when it says that a branch is complete, exclusive; null if it does not say. */
  abstract @Nullable Instant until(TableSource.Version version, String branch);

  /** The state of a range. */
  FinalizationStatus judge(
      String table, TableSource.Version version, String branch, EventTimeRange range) {
    Instant until = until(version, branch);
    boolean isFinal = until != null && !range.end().isAfter(until);
    String reason =
        until == null
            ? "Signal %s does not say until when the table is complete".formatted(name())
            : isFinal
                ? "Complete until %s by signal %s".formatted(until, name())
                : "Complete until %s only by signal %s, before %s"
                    .formatted(until, name(), range.end());
    return status(table, version, branch, range, isFinal, reason).setFinalizedUntil(until).build();
  }

  final FinalizationStatus.Builder status(
      String table,
      TableSource.Version version,
      String branch,
      EventTimeRange range,
      boolean isFinal,
      String reason) {
    Snapshot head = head(table, version.metadata(), branch);
    return FinalizationStatus.builder()
        .setTable(table)
        .setSignal(name())
        .setCaveat(caveat())
        .setState(isFinal ? FinalizationStatus.State.FINALIZED : FinalizationStatus.State.NOT_YET)
        .setReason(reason)
        .setRange(range)
        .setSnapshotId(head == null ? null : head.snapshotId())
        .setSnapshotCommittedAt(head == null ? null : Instant.ofEpochMilli(head.timestampMillis()))
        .setTableUuid(version.metadata().uuid())
        .setVerified(false);
  }

  static @Nullable Snapshot head(String table, TableMetadata metadata, String branch) {
    SnapshotRef ref = metadata.ref(branch);
    if (ref == null && !branch.equals(SnapshotRef.MAIN_BRANCH)) {
      throw new FinalizationException(
          FinalizationException.Kind.BRANCH_MISSING,
          "Cannot read branch %s of table %s: there is no such branch. Check its name."
              .formatted(branch, table));
    }
    return SnapshotUtil.latestSnapshot(metadata, branch);
  }
}
