package dev.tidemark.datafile;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** Matches the fields of rows with the columns of a table by name, and notes what does not fit. */
final class SchemaBinder {
  private final List<String> problems = new ArrayList<>();

  private SchemaBinder() {}

  /** The plan for a table's rows; fails with everything that is wrong, not the first thing only. */
  static ColumnPlan.Struct bind(Schema from, org.apache.iceberg.Schema to) {
    SchemaBinder binder = new SchemaBinder();
    ColumnPlan.Struct plan =
        binder.struct("", Types.NestedField.required(0, "row", to.asStruct()), from);
    if (!binder.problems.isEmpty()) {
      throw new IllegalArgumentException(
          "Cannot write these rows to the table: " + String.join("; ", binder.problems) + ".");
    }
    return plan;
  }

  private ColumnPlan.Struct struct(String path, Types.NestedField field, Schema from) {
    List<Types.NestedField> columns = field.type().asStructType().fields();
    ImmutableList.Builder<ColumnPlan> children = ImmutableList.builder();
    ImmutableIntArray.Builder sources = ImmutableIntArray.builder();
    for (Types.NestedField column : columns) {
      String columnPath = join(path, column.name());
      int source = from.hasField(column.name()) ? from.indexOf(column.name()) : -1;
      sources.add(source);
      children.add(
          source < 0
              ? absent(columnPath, column)
              : column(columnPath, column, from.getField(source).getType()));
    }
    for (Schema.Field extra : from.getFields()) {
      if (columns.stream().noneMatch(column -> column.name().equals(extra.getName()))) {
        problems.add(unknown(path, extra, columns));
      }
    }
    return new ColumnPlan.Struct(path, field, from, children.build(), sources.build());
  }

  private ColumnPlan column(String path, Types.NestedField column, FieldType from) {
    Type type = column.type();
    if (type.isStructType() && from.getTypeName() == Schema.TypeName.ROW) {
      return struct(path, column, from.getRowSchema());
    } else if (type.isListType() && from.getTypeName().isCollectionType()) {
      Types.NestedField element = type.asListType().fields().get(0);
      return new ColumnPlan.Sequence(
          path, column, column(join(path, "element"), element, from.getCollectionElementType()));
    } else if (type.isMapType() && from.getTypeName().isMapType()) {
      List<Types.NestedField> parts = type.asMapType().fields();
      return new ColumnPlan.Entries(
          path,
          column,
          column(join(path, "key"), parts.get(0), from.getMapKeyType()),
          column(join(path, "value"), parts.get(1), from.getMapValueType()));
    }
    ValueKind kind = ValueTypes.kind(from, type);
    if (kind == null) {
      problems.add(isWritable(type) ? mismatch(path, type, from) : refused(path, type));
      return new ColumnPlan.Absent(path, column);
    }
    return new ColumnPlan.Leaf(path, column, kind, from);
  }

  private ColumnPlan absent(String path, Types.NestedField column) {
    if (!isWritable(column.type())) {
      problems.add(refused(path, column.type()));
    } else if (column.writeDefault() != null && column.type().isPrimitiveType()) {
      return new ColumnPlan.Constant(path, column, column.writeDefault());
    } else if (column.isRequired()) {
      problems.add(
          String.format(
              "rows lack the required column %s (%s): add the field to the rows or make the column"
                  + " optional",
              path, column.type()));
    }
    return new ColumnPlan.Absent(path, column);
  }

  private static boolean isWritable(Type type) {
    return type.isNestedType()
        ? type.asNestedType().fields().stream().allMatch(part -> isWritable(part.type()))
        : ValueTypes.toBeam(type) != null;
  }

  private static String refused(String path, Type type) {
    return String.format(
        "column %s has type %s, which cannot be written: drop the column or write to another table",
        path, type);
  }

  private static String mismatch(String path, Type type, FieldType from) {
    return String.format(
        "column %s is %s and takes %s, but rows have %s: convert the field or change the column's"
            + " type",
        path, type, ValueTypes.accepted(type), ValueTypes.describe(from));
  }

  private static String unknown(String path, Schema.Field extra, List<Types.NestedField> columns) {
    for (Types.NestedField column : columns) {
      if (column.name().equalsIgnoreCase(extra.getName())) {
        return String.format(
            "the table has no column %s but one spelled %s: rename the field",
            join(path, extra.getName()), join(path, column.name()));
      }
    }
    return String.format(
        "the table has no column %s, only %s: rename or drop the field, or add the column to the"
            + " table",
        join(path, extra.getName()), columns.stream().map(Types.NestedField::name).toList());
  }

  static String join(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }
}
