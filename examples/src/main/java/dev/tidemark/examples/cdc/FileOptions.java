package dev.tidemark.examples.cdc;

import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.ValueProvider;

/** Where the change events come from, if it is files. */
public interface FileOptions extends PipelineOptions {

  /** See the description. */
  @Description(
      "Files of change events, a pattern as Beam's file systems know it; *.gz is unpacked. Each line"
          + " is a JSON object with topic, key, value and headers. The pipeline ends after the last"
          + " line. Required with --source=FILES. Example: --inputFiles=/data/events/*.jsonl.gz")
  @Parameter(label = "Files of change events", regex = "\\S.*", expects = "a pattern of files")
  ValueProvider<String> getInputFiles();

  /** Sets {@link #getInputFiles()}. */
  void setInputFiles(ValueProvider<String> value);
}
