package dev.tidemark.flink;

import org.apache.beam.runners.flink.FlinkPipelineOptions;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;

/** Options of a Tidemark pipeline on Flink, beside those of the runner itself. */
public interface TidemarkFlinkOptions extends FlinkPipelineOptions {

  /** See the description. */
  @Description(
      "Whether TidemarkFlink.configure() sets the runner's options for one bundle per checkpoint."
          + " With false all of them are given by hand; they are checked before launch in any case."
          + " Example: --tidemarkFlinkDefaults=false")
  @Default.Boolean(true)
  boolean getTidemarkFlinkDefaults();

  /** Sets {@link #getTidemarkFlinkDefaults()}. */
  void setTidemarkFlinkDefaults(boolean value);
}
