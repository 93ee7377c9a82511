package dev.tidemark.examples.demo;

import dev.tidemark.flink.TidemarkFlinkOptions;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;

/** Options of the demonstration; each has a default. */
public interface DemoOptions extends TidemarkFlinkOptions {

  /** See the description. */
  @Description(
      "Local folder of the warehouse, which is emptied first. Example: --warehouse=/tmp/warehouse")
  @Default.String("examples/target/demo-warehouse")
  String getWarehouse();

  /** Sets {@link #getWarehouse()}. */
  void setWarehouse(String value);
}
