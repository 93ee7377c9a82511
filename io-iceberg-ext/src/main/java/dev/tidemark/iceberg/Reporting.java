package dev.tidemark.iceberg;

import java.io.Serializable;
import org.apache.beam.sdk.transforms.DoFn.OutputReceiver;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;

/** Passes on and counts what the commit stage reports. */
final class Reporting implements Serializable {
  private final IcebergWriteMetrics metrics;

  Reporting(IcebergWriteMetrics metrics) {
    this.metrics = metrics;
  }

  void report(
      TableEvent event, OutputReceiver<TableCommit> commits, OutputReceiver<BadRecord> failures) {
    event.tallies().countIn(metrics);
    BadRecord failure = event.failure();
    if (failure != null) {
      failures.output(failure);
    }
    TableCommit commit = event.commit();
    if (commit != null) {
      if (commit.replayed()) {
        metrics.replayedCommits.inc();
      } else {
        metrics.commits.inc();
        metrics.committedRows.inc(commit.rows());
        metrics.committedFiles.inc(commit.files());
      }
      commits.output(commit);
    }
  }
}
