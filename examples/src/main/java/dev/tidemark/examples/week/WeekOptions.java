package dev.tidemark.examples.week;

import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;

/** Options of the simulated week; each has a default. */
public interface WeekOptions extends PipelineOptions {

  /** See the description. */
  @Description("Simulated days, 2 to 14. Example: --days=7")
  @Default.Integer(7)
  int getDays();

  /** Sets {@link #getDays()}. */
  void setDays(int value);

  /** See the description. */
  @Description(
      "Local folder of the warehouse, which is emptied first. Example: --warehouse=/tmp/warehouse")
  @Default.String("examples/target/week-warehouse")
  String getWarehouse();

  /** Sets {@link #getWarehouse()}. */
  void setWarehouse(String value);

  /** See the description. */
  @Description("File that gets the drawing. Example: --drawing=/tmp/week.svg")
  @Default.String("examples/target/week.svg")
  String getDrawing();

  /** Sets {@link #getDrawing()}. */
  void setDrawing(String value);
}
