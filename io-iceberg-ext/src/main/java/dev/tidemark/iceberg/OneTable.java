package dev.tidemark.iceberg;

import org.apache.beam.sdk.options.ValueProvider;
import org.apache.beam.sdk.values.Row;

/** All rows go to one table, so that nothing is looked up for each row. */
record OneTable(ValueProvider<String> name) implements TableDestinations {
  @Override
  public String tableOf(Row row) {
    return name.get();
  }
}
