package dev.tidemark.change;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableMap;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A value as Debezium wrote it, whichever of its forms it came in.
 *
 * @param before the row before, or null
 * @param after the row after, or null; of a flattened record the row
 * @param flattened whether the record is a row with metadata columns, so that an update never tells
 *     the row before
 * @param lsn log sequence number, or null if the record lacks it
 * @param order number within the transaction, 0 if not told
 * @param incremental whether a read belongs to an incremental snapshot
 * @param sourceTimeMicros commit time in the source, or null
 * @param transaction the source's transaction id, or null
 * @param encodings how columns are written, if the record says so
 */
record DebeziumEvent(
    Operation operation,
    @Nullable JsonNode before,
    @Nullable JsonNode after,
    boolean flattened,
    @Nullable Long lsn,
    long order,
    boolean incremental,
    @Nullable Long sourceTimeMicros,
    @Nullable Long transaction,
    ImmutableMap<String, Encoding> encodings) {

  /** What a record reports. */
  enum Operation {
    READ("r"),
    CREATE("c"),
    UPDATE("u"),
    DELETE("d"),
    TRUNCATE("t"),
    MESSAGE("m"),
    /** BEGIN or END of a transaction. */
    TRANSACTION(""),
    /** A null value, which follows a delete for Kafka's compaction. */
    TOMBSTONE("");

    private final String code;

    Operation(String code) {
      this.code = code;
    }

    /** Debezium's {@code op}, empty if it has none. */
    String code() {
      return code;
    }

    /** Whether it reports something about a table's rows. */
    boolean isOfTable() {
      return this != MESSAGE && this != TRANSACTION && this != TOMBSTONE;
    }

    static @Nullable Operation ofCode(String code) {
      for (Operation operation : values()) {
        if (!operation.code.isEmpty() && operation.code.equals(code)) {
          return operation;
        }
      }
      return null;
    }
  }

  static DebeziumEvent withoutRow(Operation operation) {
    return new DebeziumEvent(
        operation, null, null, false, null, 0, false, null, null, ImmutableMap.of());
  }
}
