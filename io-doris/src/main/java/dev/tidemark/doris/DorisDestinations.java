package dev.tidemark.doris;

import java.io.Serializable;
import org.apache.beam.sdk.values.Row;

/** Says which table a row goes to. */
@FunctionalInterface
public interface DorisDestinations extends Serializable {
  /** The table of a row, with its key; the same table has the same key each time. */
  DorisTable tableOf(Row row);
}
