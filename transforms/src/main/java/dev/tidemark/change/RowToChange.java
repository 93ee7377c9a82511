package dev.tidemark.change;

import static com.google.common.base.Preconditions.checkArgument;

import java.io.Serializable;
import java.util.Collection;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Makes changes of rows of {@link ChangeRows}, whose columns may be in any order. */
final class RowToChange implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final int NONE = -1;

  private final Schema input;
  private final Schema schema;
  private final int[] columns;
  private final int kind;
  private final int position;
  private final int unknown;

  RowToChange(Schema input) {
    this.input = input;
    this.schema = ChangeRows.rowSchema(input);
    this.columns = schema.getFields().stream().mapToInt(f -> input.indexOf(f.getName())).toArray();
    this.kind = input.indexOf(ChangeRows.KIND);
    this.position = indexOf(ChangeRows.POSITION);
    this.unknown = indexOf(ChangeRows.UNKNOWN_COLUMNS);
  }

  private int indexOf(String column) {
    return input.hasField(column) ? input.indexOf(column) : NONE;
  }

  /** The schema of the rows that come in. */
  Schema input() {
    return input;
  }

  /** The schema of the changes' rows. */
  Schema schema() {
    return schema;
  }

  /**
   * The change that a row tells.
   *
   * @throws IllegalArgumentException if it tells none; the message holds no value of its columns
   */
  Change apply(Row row) {
    String symbol = row.getString(kind);
    checkArgument(symbol != null, "Invalid change kind: null (must be one of +I, -U, +U, -D)");
    Object[] values = new Object[columns.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = row.getValue(columns[i]);
    }
    Change change =
        Change.of(ChangeKind.ofSymbol(symbol), Row.withSchema(schema).attachValues(values))
            .withPosition(position == NONE ? null : position(row.getRow(position)));
    Collection<String> names = unknown == NONE ? null : row.getArray(unknown);
    return names == null ? change : change.withUnknownColumns(names);
  }

  private static @Nullable LogPosition position(@Nullable Row row) {
    return row == null
        ? null
        : LogPosition.of(
            row.getInt64("lsn"),
            LogPosition.Step.valueOf(row.getString("step")),
            row.getInt64("order"));
  }
}
