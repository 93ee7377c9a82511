package dev.tidemark.peers;

import dev.tidemark.change.ChangeKind;
import java.util.List;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.types.RowKind;

/** Rows as Flink's keyed exchange hands them to an operator. */
final class BinaryRows {
  private final List<ColumnType> columns;
  private final RowType type;
  private final RowDataSerializer serializer;

  BinaryRows(List<ColumnType> columns) {
    this.columns = columns;
    this.type =
        RowType.of(columns.stream().map(BinaryRows::logicalType).toArray(LogicalType[]::new));
    this.serializer = new RowDataSerializer(type);
  }

  RowType type() {
    return type;
  }

  RowDataSerializer serializer() {
    return serializer;
  }

  BinaryRowData binary(ChangeKind kind, Cells row) {
    GenericRowData generic = new GenericRowData(rowKind(kind), row.size());
    for (int i = 0; i < row.size(); i++) {
      Object value = row.get(i);
      generic.setField(i, value instanceof String text ? StringData.fromString(text) : value);
    }
    // The serializer reuses its binary row.
    return serializer.toBinaryRow(generic).copy();
  }

  Outcome outcome(RowData row) {
    Object[] values = new Object[columns.size()];
    for (int i = 0; i < values.length; i++) {
      if (!row.isNullAt(i)) {
        values[i] =
            switch (columns.get(i)) {
              case INT -> (Object) row.getInt(i);
              case BIGINT -> row.getLong(i);
              case DOUBLE -> row.getDouble(i);
              case STRING -> row.getString(i).toString();
            };
      }
    }
    return Outcome.emitted(ChangeKind.ofSymbol(row.getRowKind().shortString()), Cells.of(values));
  }

  private static RowKind rowKind(ChangeKind kind) {
    return switch (kind) {
      case INSERT -> RowKind.INSERT;
      case UPDATE_BEFORE -> RowKind.UPDATE_BEFORE;
      case UPDATE_AFTER -> RowKind.UPDATE_AFTER;
      case DELETE -> RowKind.DELETE;
    };
  }

  private static LogicalType logicalType(ColumnType type) {
    return switch (type) {
      case INT -> new IntType();
      case BIGINT -> new BigIntType();
      case DOUBLE -> new DoubleType();
      case STRING -> new VarCharType(VarCharType.MAX_LENGTH);
    };
  }
}
