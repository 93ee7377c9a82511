package dev.tidemark.doris;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.io.Serializable;

/**
 * A table of Doris and the columns of its key.
 *
 * <p>Doris does not tell which columns are the key, so it is named here. A table without a key is
 * only appended to.
 *
 * <pre>{@code
 * DorisTable.of("shop", "orders").withKey("region", "order_id")
 * }</pre>
 */
@AutoValue
public abstract class DorisTable implements Serializable {
  DorisTable() {}

  /** The database. */
  public abstract String database();

  /** The table. */
  public abstract String table();

  /** The columns of the unique key; empty if the table is appended to. */
  public abstract ImmutableList<String> key();

  /**
   * A table without a key.
   *
   * @throws IllegalArgumentException if a name is empty or contains a slash or a question mark
   */
  public static DorisTable of(String database, String table) {
    return new AutoValue_DorisTable(
        checkName("database", database), checkName("table", table), ImmutableList.of());
  }

  /**
   * This table with the columns of its unique key, in any order. Needed for tables of the model
   * UNIQUE KEY. Default: none.
   *
   * @throws IllegalArgumentException if there is no column, or one twice
   */
  public DorisTable withKey(String... columns) {
    ImmutableList<String> key = ImmutableList.copyOf(columns);
    checkArgument(!key.isEmpty(), "Invalid key of table %s: it must have a column", this);
    checkArgument(
        ImmutableSet.copyOf(key).size() == key.size(),
        "Invalid key of table %s: %s (each column must be named once)",
        this,
        key);
    return withKey(key);
  }

  DorisTable withKey(ImmutableList<String> key) {
    return new AutoValue_DorisTable(database(), table(), key);
  }

  /** The database and the table with a dot in between. */
  @Override
  public final String toString() {
    return database() + "." + table();
  }

  private static String checkName(String what, String name) {
    checkArgument(
        !name.isEmpty() && name.indexOf('/') < 0 && name.indexOf('?') < 0,
        "Invalid name of a %s: '%s' (must not be empty, nor contain / or ?)",
        what,
        name);
    return name;
  }
}
