package dev.tidemark.sensor;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.util.SnapshotUtil;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What the coordinator of Iceberg's Kafka Connect sink writes into summaries: the smallest of the
 * newest timestamps of all source partitions, only if every partition had one in that commit
 * interval. The newest summary counts, be it below an older one.
 */
final class KafkaConnectSignal extends Signal {
  static final String NAME = "kafka-connect";
  private static final String VALID_THROUGH = "kafka.connect.valid-through-ts";
  private static final String VALID_THROUGH_MILLIS = "kafka.connect.vtts";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String caveat() {
    return "it speaks of the timestamps of Kafka records, which need not be the event time, assumes"
        + " that they rise within each partition, can move back, and stands still while a partition"
        + " is idle";
  }

  @Override
  @Nullable Instant until(TableSource.Version version, String branch) {
    TableMetadata metadata = version.metadata();
    Snapshot head = head(metadata.location(), metadata, branch);
    if (head == null) {
      return null;
    }
    for (Snapshot snapshot : SnapshotUtil.ancestorsOf(head.snapshotId(), metadata::snapshot)) {
      Map<String, String> summary = snapshot.summary();
      String text = summary == null ? null : summary.get(VALID_THROUGH);
      String millis = summary == null ? null : summary.get(VALID_THROUGH_MILLIS);
      if (text != null || millis != null) {
        return text != null
            ? time(snapshot, VALID_THROUGH, text)
            : millis(snapshot, String.valueOf(millis));
      }
    }
    return null;
  }

  private static Instant time(Snapshot snapshot, String key, String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw unreadable(snapshot, key, text, e);
    }
  }

  private static Instant millis(Snapshot snapshot, String text) {
    try {
      return Instant.ofEpochMilli(Long.parseLong(text));
    } catch (NumberFormatException e) {
      throw unreadable(snapshot, VALID_THROUGH_MILLIS, text, e);
    }
  }

  private static FinalizationException unreadable(
      Snapshot snapshot, String key, String text, Exception cause) {
    return new FinalizationException(
        FinalizationException.Kind.UNREADABLE,
        "Cannot read %s of snapshot %d: %s is no time. Ask by another signal."
            .formatted(key, snapshot.snapshotId(), text),
        cause);
  }
}
