package dev.tidemark.change;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.SerializableFunction;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Makes rows of {@link ChangeRows} of changes, with the columns in the order of a schema. */
final class ChangeToRow implements SerializableFunction<Change, Row> {
  private static final long serialVersionUID = 1L;
  private static final int KIND = -1;
  private static final int POSITION = -2;
  private static final int UNKNOWN_COLUMNS = -3;

  private final Schema schema;

  /** Where each column comes from: a column of the change's row, or one of the constants. */
  private final int[] sources;

  ChangeToRow(Schema schema) {
    this.schema = schema;
    Schema rows = ChangeRows.rowSchema(schema);
    this.sources =
        schema.getFieldNames().stream()
            .mapToInt(
                column ->
                    switch (column) {
                      case ChangeRows.KIND -> KIND;
                      case ChangeRows.POSITION -> POSITION;
                      case ChangeRows.UNKNOWN_COLUMNS -> UNKNOWN_COLUMNS;
                      default -> rows.indexOf(column);
                    })
            .toArray();
  }

  Schema schema() {
    return schema;
  }

  @Override
  public Row apply(Change change) {
    Object[] values = new Object[sources.length];
    for (int i = 0; i < values.length; i++) {
      values[i] =
          switch (sources[i]) {
            case KIND -> change.kind().symbol();
            case POSITION -> position(change.position());
            case UNKNOWN_COLUMNS -> unknownColumns(change);
            default -> change.row().getValue(sources[i]);
          };
    }
    return Row.withSchema(schema).attachValues(values);
  }

  private static @Nullable Row position(@Nullable LogPosition position) {
    return position == null
        ? null
        : Row.withSchema(ChangeRows.POSITION_SCHEMA)
            .attachValues(position.lsn(), position.step().name(), position.order());
  }

  private static @Nullable List<String> unknownColumns(Change change) {
    return change.imageComplete() ? null : ImmutableList.copyOf(change.unknownColumns());
  }
}
