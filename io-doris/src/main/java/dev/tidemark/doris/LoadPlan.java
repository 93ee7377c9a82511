package dev.tidemark.doris;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** How rows of one schema are written to a table: which columns, of which types, in which order. */
final class LoadPlan {
  /** Doris' hidden column: 1 hides the row's key. */
  static final String DELETE_SIGN = "__DORIS_DELETE_SIGN__";

  private static final Field DELETE_SIGN_FIELD =
      new Field(DELETE_SIGN, FieldType.notNullable(new ArrowType.Int(8, true)), null);

  /** A column that is written. */
  record Column(Field field, int source, boolean required, boolean filledInDeletes) {}

  private final DorisTable table;
  private final ImmutableList<Column> columns;
  private final boolean deleteSign;
  private final int[] key;
  private final int sequence;
  private final Schema dataSchema;
  private final Schema loadSchema;

  LoadPlan(DorisTable table, List<Column> columns, boolean deleteSign, int[] key, int sequence) {
    this.table = table;
    this.columns = ImmutableList.copyOf(columns);
    this.deleteSign = deleteSign;
    this.key = key;
    this.sequence = sequence;
    ImmutableList<Field> data =
        columns.stream().map(Column::field).collect(ImmutableList.toImmutableList());
    this.dataSchema = new Schema(data);
    this.loadSchema =
        deleteSign
            ? new Schema(ImmutableList.<Field>builder().addAll(data).add(DELETE_SIGN_FIELD).build())
            : dataSchema;
  }

  DorisTable table() {
    return table;
  }

  /** In the order and spelling of the table. */
  ImmutableList<Column> columns() {
    return columns;
  }

  /** Whether a row says that its key is deleted. */
  boolean deleteSign() {
    return deleteSign;
  }

  /** Whether the last row of a key counts; otherwise rows are appended. */
  boolean keyed() {
    return key.length > 0;
  }

  /** Positions of the key in {@link #columns}. */
  int[] key() {
    return key;
  }

  /** Position of the sequence column in {@link #columns}, or -1. */
  int sequence() {
    return sequence;
  }

  /** The columns without the delete sign. */
  Schema dataSchema() {
    return dataSchema;
  }

  /** What goes over the wire, the delete sign last. */
  Schema loadSchema() {
    return loadSchema;
  }
}
