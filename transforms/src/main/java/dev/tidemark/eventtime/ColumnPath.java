package dev.tidemark.eventtime;

import com.google.common.base.Splitter;
import java.io.Serializable;
import java.util.List;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.Schema.TypeName;
import org.apache.beam.sdk.schemas.logicaltypes.PassThroughLogicalType;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/** A dotted path to a column of possibly nested rows, resolved to positions. */
final class ColumnPath implements Serializable {
  private final String path;
  private final int[] positions;
  private final FieldType type;

  private ColumnPath(String path, int[] positions, FieldType type) {
    this.path = path;
    this.positions = positions;
    this.type = type;
  }

  /** Checks a path before there is a schema. */
  static String checkPath(String path) {
    if (path.isEmpty() || Splitter.on('.').splitToList(path).contains("")) {
      throw new IllegalArgumentException(
          String.format(
              "Invalid column path: \"%s\" (must be names separated by single dots)", path));
    }
    return path;
  }

  /**
   * Resolves a path.
   *
   * @throws IllegalArgumentException if a name is missing (lists those there are) or leads through
   *     something other than a row
   */
  static ColumnPath resolve(String path, Schema schema) {
    List<String> names = Splitter.on('.').splitToList(checkPath(path));
    int[] positions = new int[names.size()];
    Schema within = schema;
    FieldType type = null;
    for (int i = 0; i < positions.length; i++) {
      String name = names.get(i);
      if (type != null) {
        within = rowSchema(path, names.get(i - 1), type);
      }
      if (!within.hasField(name)) {
        throw new IllegalArgumentException(
            String.format(
                "Cannot find column %s: there is no \"%s\" among %s. Name one of these.",
                path, name, within.getFieldNames()));
      }
      positions[i] = within.indexOf(name);
      type = within.getField(name).getType();
    }
    return new ColumnPath(path, positions, type);
  }

  private static Schema rowSchema(String path, String name, FieldType type) {
    if (type.getTypeName() != TypeName.ROW) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot find column %s: \"%s\" is %s, not a row. Name a column, or a path of rows.",
              path, name, typeName(type)));
    }
    return type.getRowSchema();
  }

  /** The value in this row; null if it, or a row on the way, is null. Never copies nor boxes. */
  @Nullable Object valueIn(Row row) {
    Object value = row.getValue(positions[0]);
    for (int i = 1; i < positions.length && value != null; i++) {
      value = ((Row) value).getValue(positions[i]);
    }
    return value;
  }

  /** The type of the column, without those logical types that only restrict their base. */
  FieldType type() {
    FieldType plain = type;
    while (plain.getTypeName().isLogicalType()
        && plain.getLogicalType() instanceof PassThroughLogicalType) {
      plain = plain.getLogicalType().getBaseType();
    }
    return plain;
  }

  static String typeName(FieldType type) {
    return type.getTypeName().isLogicalType()
        ? type.getLogicalType().getIdentifier()
        : type.getTypeName().toString();
  }

  @Override
  public String toString() {
    return path;
  }
}
