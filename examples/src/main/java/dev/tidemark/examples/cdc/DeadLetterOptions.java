package dev.tidemark.examples.cdc;

import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.ValueProvider;

/** Where records go that could not be parsed or written. */
public interface DeadLetterOptions extends PipelineOptions {
  /** Kinds of places for dead letters. */
  enum DeadLetters {
    /** Files in a folder, one for each worker and checkpoint that has any. */
    FILES,
    /** A topic of the Kafka cluster that the events come from. */
    KAFKA
  }

  /** See the description. */
  @Description(
      "Where records go that could not be parsed or written: FILES or KAFKA. They are written at least"
          + " once, as JSON with the reason and the record itself. Default: FILES."
          + " Example: --deadLetters=KAFKA")
  @Default.Enum("FILES")
  @Parameter(label = "Kind of place for dead letters")
  DeadLetters getDeadLetters();

  /** Sets {@link #getDeadLetters()}. */
  void setDeadLetters(DeadLetters value);

  /** See the description. */
  @Description(
      "Folder for dead letters, which all workers share. Required with --deadLetters=FILES."
          + " Example: --deadLetterFolder=/data/dead-letters")
  @Parameter(label = "Folder for dead letters", regex = "\\S.*", expects = "a folder")
  ValueProvider<String> getDeadLetterFolder();

  /** Sets {@link #getDeadLetterFolder()}. */
  void setDeadLetterFolder(ValueProvider<String> value);

  /** See the description. */
  @Description(
      "Topic for dead letters. Required with --deadLetters=KAFKA."
          + " Example: --deadLetterTopic=shop.dead-letters")
  @Parameter(
      label = "Topic for dead letters",
      regex = "[a-zA-Z0-9._-]{1,249}",
      expects = "the name of a topic")
  ValueProvider<String> getDeadLetterTopic();

  /** Sets {@link #getDeadLetterTopic()}. */
  void setDeadLetterTopic(ValueProvider<String> value);
}
