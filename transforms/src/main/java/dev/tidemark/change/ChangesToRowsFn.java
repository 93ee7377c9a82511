package dev.tidemark.change;

import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.Row;

/** Changes as rows. */
final class ChangesToRowsFn extends DoFn<Change, Row> {
  private static final long serialVersionUID = 1L;

  private final ChangeToRow function;

  ChangesToRowsFn(ChangeToRow function) {
    this.function = function;
  }

  @ProcessElement
  public void process(@Element Change change, OutputReceiver<Row> out) {
    out.output(function.apply(change));
  }
}
