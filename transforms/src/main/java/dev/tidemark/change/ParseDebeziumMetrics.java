package dev.tidemark.change;

import dev.tidemark.change.DebeziumEvent.Operation;
import java.io.Serializable;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;

/** The counters of {@link ParseDebezium}; the package documents what each means. */
final class ParseDebeziumMetrics implements Serializable {
  private final Counter reads = counter("reads");
  private final Counter creates = counter("creates");
  private final Counter updates = counter("updates");
  private final Counter deletes = counter("deletes");
  private final Counter keyOnlyDeletes = counter("keyOnlyDeletes");
  private final Counter keyChanges = counter("keyChanges");
  private final Counter truncates = counter("truncates");
  private final Counter tombstones = counter("tombstones");
  private final Counter transactionMarkers = counter("transactionMarkers");
  private final Counter logicalMessages = counter("logicalMessages");
  private final Counter heartbeats = counter("heartbeats");
  private final Counter otherTopics = counter("otherTopics");
  private final Counter defaultedColumns = counter("defaultedColumns");
  private final Counter unavailableValues = counter("unavailableValues");
  private final Counter failedRecords = counter("failedRecords");

  private static Counter counter(String name) {
    return Metrics.counter(ParseDebezium.class, name);
  }

  void event(Operation operation) {
    switch (operation) {
      case READ -> reads.inc();
      case CREATE -> creates.inc();
      case UPDATE -> updates.inc();
      case DELETE -> deletes.inc();
      case TRUNCATE -> truncates.inc();
      case MESSAGE -> logicalMessages.inc();
      case TRANSACTION -> transactionMarkers.inc();
      case TOMBSTONE -> tombstones.inc();
    }
  }

  void keyOnlyDelete() {
    keyOnlyDeletes.inc();
  }

  void keyChange() {
    keyChanges.inc();
  }

  void heartbeat() {
    heartbeats.inc();
  }

  void otherTopic() {
    otherTopics.inc();
  }

  void defaultedColumn() {
    defaultedColumns.inc();
  }

  void unavailableValue() {
    unavailableValues.inc();
  }

  void failedRecord() {
    failedRecords.inc();
  }
}
