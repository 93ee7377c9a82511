package dev.tidemark.merge;

import com.google.auto.value.AutoValue;
import dev.tidemark.commit.TidemarkKeys;
import java.io.Serializable;
import org.apache.iceberg.catalog.TableIdentifier;

/** A change table that a base table is fed from. */
@AutoValue
public abstract class MergeSource implements Serializable {
  /** What the base table remembers it by: 1 to 64 letters, digits, {@code _} or {@code -}. */
  public abstract String name();

  abstract String tableName();

  /** The branch that is read. Default {@code main}. */
  public abstract String branch();

  /**
   * A change table under a name, read at {@code main}.
   *
   * @throws IllegalArgumentException if the name is invalid
   */
  public static MergeSource of(String name, TableIdentifier table) {
    return new AutoValue_MergeSource(
        TidemarkKeys.checkWriterId(name), table.toString(), TidemarkKeys.MAIN);
  }

  /**
   * Reads another branch.
   *
   * @throws IllegalArgumentException if Tidemark has no keys for a branch of this name
   */
  public MergeSource withBranch(String branch) {
    return new AutoValue_MergeSource(name(), tableName(), TidemarkKeys.forBranch(branch).branch());
  }

  /** The change table. */
  public TableIdentifier table() {
    return TableIdentifier.parse(tableName());
  }

  TidemarkKeys keys() {
    return TidemarkKeys.forBranch(branch());
  }
}
