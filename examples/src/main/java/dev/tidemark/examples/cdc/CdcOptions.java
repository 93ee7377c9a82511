package dev.tidemark.examples.cdc;

import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.Validation;
import org.apache.beam.sdk.options.ValueProvider;

/** All options of {@link CdcPipeline}, by concern, and those that concern all of it. */
public interface CdcOptions
    extends KafkaOptions,
        FileOptions,
        DeadLetterOptions,
        IcebergOptions,
        FinalizationOptions,
        UpsertOptions,
        DorisOptions,
        FlinkOptions {
  /** Kinds of sources. */
  enum Source {
    /** Topics of Kafka, read for ever. */
    KAFKA,
    /** Files, read to their end. */
    FILES
  }

  /** See the description. */
  @Description(
      "Where the change events come from: KAFKA or FILES. Default: KAFKA. Example: --source=FILES")
  @Default.Enum("KAFKA")
  @Parameter(label = "Source")
  Source getSource();

  /** Sets {@link #getSource()}. */
  void setSource(Source value);

  /** See the description. */
  @Description(
      "File that declares the tables: topics, columns, keys, partitions; see"
          + " docs/reference-cdc-pipeline.md. Read when the pipeline is launched. Required."
          + " Example: --tables=/etc/tidemark/shop-tables.json")
  @Validation.Required
  @Parameter(label = "Declaration of the tables", regex = "\\S.*", expects = "a file")
  String getTables();

  /** Sets {@link #getTables()}. */
  void setTables(String value);

  /** See the description. */
  @Description(
      "Seconds by which events may come out of the order of their timestamps (of the record in Kafka, of"
          + " the source's commit in files): the input watermark stays so far behind. Default: 60."
          + " Example: --watermarkDelaySeconds=300")
  @Default.Integer(60)
  @Parameter(label = "Delay of the input watermark in seconds", min = 0, max = 2_678_400)
  ValueProvider<Integer> getWatermarkDelaySeconds();

  /** Sets {@link #getWatermarkDelaySeconds()}. */
  void setWatermarkDelaySeconds(ValueProvider<Integer> value);

  /** See the description. */
  @Description(
      "Whether catalog and Doris are looked at when the pipeline is launched, and what does not fit is"
          + " refused. Default: true; false for launchers that do not reach them."
          + " Example: --launchCheck=false")
  @Default.Boolean(true)
  @Parameter(label = "Look at tables when launched")
  boolean getLaunchCheck();

  /** Sets {@link #getLaunchCheck()}. */
  void setLaunchCheck(boolean value);
}
