package dev.tidemark.change;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedSet;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * One change of one row: its kind and the row.
 *
 * <p><b>Incomplete images.</b> A source does not always tell the whole row. A PostgreSQL table with
 * the default replica identity reports a delete with the key alone, and an update leaves out large
 * values it did not touch. Columns whose value the source did not tell are null in {@link #row()}
 * and listed by {@link #unknownColumns()}: null there means "not told", never "no value". A
 * consumer that needs such a column (a partition value, an event time, a retraction of the full
 * row) looks it up by key or refuses the change; one that only needs the key may go ahead.
 *
 * <p>The element order of a {@code PCollection<Change>} means nothing; the order of one key's
 * changes is that of {@link #position()}.
 */
@AutoValue
public abstract class Change {
  /** What the change does to the row. */
  public abstract ChangeKind kind();

  /** The row; columns of {@link #unknownColumns()} are null in it. */
  public abstract Row row();

  /** Where in the source's log the change stands, or null if the source has no log. */
  public abstract @Nullable LogPosition position();

  /** Indexes into the row's schema. */
  abstract ImmutableSortedSet<Integer> unknownFields();

  /** A change with a complete image and no position. */
  public static Change of(ChangeKind kind, Row row) {
    return new AutoValue_Change(kind, row, null, ImmutableSortedSet.of());
  }

  /** This change at another place of the log. Default: null. */
  public Change withPosition(@Nullable LogPosition position) {
    return new AutoValue_Change(kind(), row(), position, unknownFields());
  }

  /**
   * This change with exactly these columns marked as not told by the source. Default: none.
   *
   * @throws IllegalArgumentException if the schema lacks a column, or the row holds a value for it
   */
  public Change withUnknownColumns(Iterable<String> columns) {
    ImmutableSortedSet.Builder<Integer> fields = ImmutableSortedSet.naturalOrder();
    for (String column : columns) {
      checkArgument(row().getSchema().hasField(column), "Cannot find column %s", column);
      int field = row().getSchema().indexOf(column);
      checkArgument(
          row().getValue(field) == null,
          "Invalid unknown column: %s (must be null in the row)",
          column);
      fields.add(field);
    }
    return new AutoValue_Change(kind(), row(), position(), fields.build());
  }

  Change withUnknownFields(ImmutableSortedSet<Integer> fields) {
    return new AutoValue_Change(kind(), row(), position(), fields);
  }

  /** Whether the source told the value of every column. */
  public boolean imageComplete() {
    return unknownFields().isEmpty();
  }

  /**
   * Whether the source told this column's value.
   *
   * @throws IllegalArgumentException if the schema lacks the column
   */
  public boolean isKnown(String column) {
    return imageComplete() || !unknownFields().contains(row().getSchema().indexOf(column));
  }

  /** The columns the source did not tell, in the schema's order; empty for a complete image. */
  public ImmutableSet<String> unknownColumns() {
    ImmutableSet.Builder<String> columns = ImmutableSet.builder();
    for (int field : unknownFields()) {
      columns.add(row().getSchema().getField(field).getName());
    }
    return columns.build();
  }
}
