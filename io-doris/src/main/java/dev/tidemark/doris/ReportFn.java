package dev.tidemark.doris;

import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.values.TupleTag;

/** Counts what the load stage reports, where metrics can be, and tells loads from failures. */
final class ReportFn extends DoFn<LoadEvent, DorisLoad> {
  private final TupleTag<BadRecord> failed;
  private final DorisWriteMetrics metrics = new DorisWriteMetrics();

  ReportFn(TupleTag<BadRecord> failed) {
    this.failed = failed;
  }

  @ProcessElement
  public void process(
      @Element LoadEvent event, MultiOutputReceiver out, OutputReceiver<DorisLoad> loads) {
    metrics.count(event.attempts());
    DorisLoad load = event.load();
    if (load == null) {
      metrics.refusedRows.inc();
      out.get(failed).output(event.failure());
    } else {
      metrics.count(load);
      loads.output(load);
    }
  }
}
