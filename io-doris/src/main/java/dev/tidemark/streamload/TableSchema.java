package dev.tidemark.streamload;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableList;
import java.io.Serializable;

/** The visible columns of a table in their order, as the frontend describes them. */
@AutoValue
public abstract class TableSchema implements Serializable {
  private static final long serialVersionUID = 1L;

  TableSchema() {}

  /** The table's database. */
  public abstract String database();

  /** The table. */
  public abstract String table();

  /** What it does with rows of equal keys. */
  public abstract KeysType keysType();

  /** The visible columns in the table's order and spelling. */
  public abstract ImmutableList<TableColumn> columns();

  /** A schema of these columns. */
  public static TableSchema of(
      String database, String table, KeysType keysType, Iterable<TableColumn> columns) {
    return new AutoValue_TableSchema(database, table, keysType, ImmutableList.copyOf(columns));
  }
}
