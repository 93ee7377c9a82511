package dev.tidemark.doris;

import org.apache.beam.sdk.options.ValueProvider;
import org.apache.beam.sdk.values.Row;

/** All rows go to one table. */
record OneTable(ValueProvider<DorisTable> table) implements DorisDestinations {
  private static final long serialVersionUID = 1;

  @Override
  public DorisTable tableOf(Row row) {
    return table.get();
  }
}
