package dev.tidemark.iceberg;

import java.io.Serializable;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Which table a row goes to.
 *
 * <p>Tables are named {@code namespace.table}, with more levels of namespace separated by dots. A
 * level cannot contain a dot.
 */
@FunctionalInterface
public interface TableDestinations extends Serializable {
  /**
   * The table of a row. Called for each row; must depend on the row only.
   *
   * @return the table's name, or null if there is none, which sends the row to the failed output
   */
  @Nullable String tableOf(Row row);
}
