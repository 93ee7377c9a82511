package dev.tidemark.iceberg;

import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.values.TupleTag;

/** Splits what the commit stage reports, where no watermark is kept. */
final class ReportFn extends DoFn<TableEvent, TableCommit> {
  private final TupleTag<TableCommit> commits;
  private final TupleTag<BadRecord> failed;
  private final Reporting reporting = new Reporting(new IcebergWriteMetrics());

  ReportFn(TupleTag<TableCommit> commits, TupleTag<BadRecord> failed) {
    this.commits = commits;
    this.failed = failed;
  }

  @ProcessElement
  public void process(@Element TableEvent event, MultiOutputReceiver out) {
    reporting.report(event, out.get(commits), out.get(failed));
  }
}
