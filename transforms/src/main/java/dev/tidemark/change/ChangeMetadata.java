package dev.tidemark.change;

import com.google.common.collect.ImmutableList;
import java.time.Instant;
import java.util.Collection;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What {@link ParseDebezium#withMetadata(ChangeMetadata...)} can add to rows as columns, after the
 * table's own. Never null where not said otherwise.
 */
public enum ChangeMetadata {
  /** {@code _lsn}, INT64: the log sequence number. */
  LSN("_lsn", FieldType.INT64),
  /**
   * {@code _position}, INT64: {@link LogPosition#packed()}; the changes of one key in this order
   * are those of the log.
   */
  POSITION("_position", FieldType.INT64),
  /**
   * {@code _ts}, TIMESTAMP in microseconds: when the source committed the change ({@code
   * source.ts_us}; milliseconds from connectors that tell no more). Of a snapshot read it is the
   * time of the snapshot. Never an order of changes.
   */
  SOURCE_TIME("_ts", FieldType.logicalType(SqlTypes.TIMESTAMP)),
  /** {@code _kind}, STRING: {@link ChangeKind#symbol()}. */
  KIND("_kind", FieldType.STRING),
  /** {@code _op}, STRING: Debezium's operation, one of r, c, u, d. */
  OPERATION("_op", FieldType.STRING),
  /** {@code _tx}, INT64: the source's transaction id; null if the record does not tell it. */
  TRANSACTION("_tx", FieldType.INT64.withNullable(true)),
  /**
   * {@code _tx_order}, INT64: number within the transaction, from 1; 0 without transaction
   * metadata.
   */
  TRANSACTION_ORDER("_tx_order", FieldType.INT64),
  /** {@code _unknown}, array of STRING: {@link Change#unknownColumns()}. */
  UNKNOWN_COLUMNS("_unknown", FieldType.array(FieldType.STRING));

  private final String defaultName;

  @SuppressWarnings("ImmutableEnumChecker") // FieldType is immutable, but not annotated so
  private final FieldType type;

  ChangeMetadata(String defaultName, FieldType type) {
    this.defaultName = defaultName;
    this.type = type;
  }

  /** The column's name unless another one is given. */
  public String defaultName() {
    return defaultName;
  }

  /** The column's type. */
  public FieldType type() {
    return type;
  }

  @Nullable Object read(
      DebeziumEvent event, ChangeKind kind, LogPosition position, Collection<String> unknown)
      throws UnparsableChangeException {
    return switch (this) {
      case LSN -> position.lsn();
      case POSITION -> packed(position);
      case SOURCE_TIME -> sourceTime(event);
      case KIND -> kind.symbol();
      case OPERATION -> event.operation().code();
      case TRANSACTION -> event.transaction();
      case TRANSACTION_ORDER -> position.order();
      case UNKNOWN_COLUMNS -> ImmutableList.copyOf(unknown);
    };
  }

  static Instant sourceTime(DebeziumEvent event) throws UnparsableChangeException {
    Long micros = event.sourceTimeMicros();
    if (micros == null) {
      throw new UnparsableChangeException(
          "the record does not tell its source time. Add source.ts_us or source.ts_ms to add.fields");
    }
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1000);
  }

  private static long packed(LogPosition position) throws UnparsableChangeException {
    try {
      return position.packed();
    } catch (ArithmeticException e) {
      throw new UnparsableChangeException("the LSN is too large for a packed position");
    }
  }
}
