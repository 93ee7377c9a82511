package dev.tidemark.examples.cdc;

import dev.tidemark.finalization.IdlePolicy;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.ValueProvider;

/**
 * By which rule the finalization watermark of the change tables moves, and who hears of late data.
 */
public interface FinalizationOptions extends PipelineOptions {

  /** See the description. */
  @Description(
      "Finalization policy, as in docs/reference-policies.md."
          + " Default: allOf(minOfMins(), inputWatermark(PT5M))."
          + " Example: --finalizationPolicy='allOf(minOfMins(6, PT30M), inputWatermark(PT10M))'")
  @Default.String("allOf(minOfMins(), inputWatermark(PT5M))")
  @Parameter(label = "Finalization policy")
  String getFinalizationPolicy();

  /** Sets {@link #getFinalizationPolicy()}. */
  void setFinalizationPolicy(String value);

  /** See the description. */
  @Description(
      "What the watermark is rounded down to, in minutes: a divisor of a day of at least 15, or whole"
          + " days. Default: 60. Example: --finalizationGranularityMinutes=15")
  @Default.Integer(60)
  @Parameter(label = "Granularity in minutes", min = 15, max = 44_640)
  int getFinalizationGranularityMinutes();

  /** Sets {@link #getFinalizationGranularityMinutes()}. */
  void setFinalizationGranularityMinutes(int value);

  /** See the description. */
  @Description(
      "Writers whose evidence the watermark needs, separated by commas, where several pipelines write to"
          + " the tables. Default: this pipeline alone. Example: --requiredWriters=shop-eu,shop-us")
  @Default.String("")
  @Parameter(
      label = "Required writers",
      regex = "|[A-Za-z0-9_-]{1,64}(,[A-Za-z0-9_-]{1,64})*",
      expects = "names of writers separated by commas")
  String getRequiredWriters();

  /** Sets {@link #getRequiredWriters()}. */
  void setRequiredWriters(String value);

  /** See the description. */
  @Description(
      "What to do while a writer commits nothing: WAIT, INPUT_WATERMARK (advance to the input watermark"
          + " it attests) or WALL_CLOCK. Default: WAIT. Example: --idleTables=INPUT_WATERMARK")
  @Default.Enum("WAIT")
  @Parameter(label = "Idle tables")
  IdlePolicy getIdleTables();

  /** Sets {@link #getIdleTables()}. */
  void setIdleTables(IdlePolicy value);

  /** See the description. */
  @Description(
      "After how many minutes without rows a writer is idle. Default: 30. No meaning with"
          + " --idleTables=WAIT. Example: --idleAfterMinutes=15")
  @Default.Integer(30)
  @Parameter(label = "Minutes until idle", min = 1, max = 44_640)
  int getIdleAfterMinutes();

  /** Sets {@link #getIdleAfterMinutes()}. */
  void setIdleAfterMinutes(int value);

  /** See the description. */
  @Description(
      "Late records of an hour, in records, that alert nobody. Default: 0."
          + " Example: --lateThreshold=100")
  @Default.Long(0)
  @Parameter(label = "Tolerated late records", min = 0)
  long getLateThreshold();

  /** Sets {@link #getLateThreshold()}. */
  void setLateThreshold(long value);

  /** See the description. */
  @Description(
      "Whether late records are expected for now and alert nobody; reports are made all the same."
          + " Default: false. Example: --backfill=true")
  @Default.Boolean(false)
  @Parameter(label = "Backfill")
  boolean getBackfill();

  /** Sets {@link #getBackfill()}. */
  void setBackfill(boolean value);

  /** See the description. */
  @Description(
      "Address that alerts of late data are posted to, beside the log. An address that is a secret is given"
          + " as a reference, ${env:NAME} or ${file:/path}, which workers resolve. Default: none."
          + " Example: --lateWebhook='${file:/run/secrets/webhook}'")
  @Parameter(
      label = "Webhook for late data",
      regex = "|https?://\\S+|\\$\\{.+\\}\\S*",
      expects = "an http or https address, or a reference to one",
      quoted = false)
  ValueProvider<String> getLateWebhook();

  /** Sets {@link #getLateWebhook()}. */
  void setLateWebhook(ValueProvider<String> value);

  /** See the description. */
  @Description(
      "Folder for reports of late data, which all workers share: a JSON object for each commit below the"
          + " watermark, with its hours, at least once, so that readers know a report by its table and"
          + " snapshotId. Default: none. Example: --lateDataFolder=/data/late")
  @Parameter(label = "Folder for reports of late data", regex = "|\\S.*", expects = "a folder")
  ValueProvider<String> getLateDataFolder();

  /** Sets {@link #getLateDataFolder()}. */
  void setLateDataFolder(ValueProvider<String> value);
}
