package dev.tidemark.iceberg;

import org.apache.beam.sdk.transforms.DoFn;

/** Splits what the commit stage reports, where no watermark is kept. */
final class ReportFn extends DoFn<TableEvent, TableCommit> {
  private final WriteOutputs outputs;
  private final Reporting reporting = new Reporting(new IcebergWriteMetrics());

  ReportFn(WriteOutputs outputs) {
    this.outputs = outputs;
  }

  @ProcessElement
  public void process(@Element TableEvent event, MultiOutputReceiver out) {
    reporting.report(event, out.get(outputs.commits()), out.get(outputs.failed()));
  }
}
