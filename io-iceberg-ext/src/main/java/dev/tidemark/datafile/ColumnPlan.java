package dev.tidemark.datafile;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.iceberg.types.Types;

/** How a column of the table, or a part of a nested one, is filled from rows. */
sealed interface ColumnPlan {
  /** Dotted path, as in messages. */
  String path();

  /** The column in the table's schema. */
  Types.NestedField field();

  /** A primitive value, converted in the given way. */
  record Leaf(String path, Types.NestedField field, ValueKind kind, FieldType source)
      implements ColumnPlan {}

  /** A column that rows lack and that the table gives a default for. */
  record Constant(String path, Types.NestedField field, Object value) implements ColumnPlan {}

  /** An optional column that rows lack: always null. */
  record Absent(String path, Types.NestedField field) implements ColumnPlan {}

  /** Children in the table's order; {@code sources} has the index of each in rows, or -1. */
  record Struct(
      String path,
      Types.NestedField field,
      Schema source,
      ImmutableList<ColumnPlan> children,
      ImmutableIntArray sources)
      implements ColumnPlan {}

  /** A list. */
  record Sequence(String path, Types.NestedField field, ColumnPlan element) implements ColumnPlan {}

  /** A map. */
  record Entries(String path, Types.NestedField field, ColumnPlan key, ColumnPlan value)
      implements ColumnPlan {}
}
