package dev.tidemark.doris.emulator;

import java.util.List;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What a statement says of a table.
 *
 * @param columns the key columns first
 * @param mergeOnWrite of a UNIQUE table, whether the table allows partial updates
 * @param sequenceColumn the column of the table that decides which of two rows is the later, or
 *     null
 * @param sequenceType the type of a hidden sequence column, or null
 */
record TableDefinition(
    String database,
    String name,
    KeysType keysType,
    List<Column> columns,
    boolean mergeOnWrite,
    @Nullable String sequenceColumn,
    @Nullable ColumnType sequenceType) {

  static final String DELETE_SIGN = "__DORIS_DELETE_SIGN__";
  static final String SEQUENCE = "__DORIS_SEQUENCE_COL__";

  /** What becomes of rows with equal keys. */
  enum KeysType {
    UNIQUE_KEYS,
    DUP_KEYS
  }

  boolean unique() {
    return keysType == KeysType.UNIQUE_KEYS;
  }

  boolean hasSequence() {
    return sequenceColumn != null || sequenceType != null;
  }

  String fullName() {
    return database + "." + name;
  }

  /** The place of a column, or -1. */
  int indexOf(String columnName) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(columnName)) {
        return i;
      }
    }
    return -1;
  }

  /** The place of a column whose name is equal but for its case, or -1. */
  int indexOfAnyCase(String columnName) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equalsIgnoreCase(columnName)) {
        return i;
      }
    }
    return -1;
  }

  ColumnType typeOfSequence() {
    if (sequenceType != null) {
      return sequenceType;
    }
    if (sequenceColumn == null) {
      throw new IllegalStateException("Table " + fullName() + " has no sequence column");
    }
    return columns.get(indexOf(sequenceColumn)).type();
  }
}
