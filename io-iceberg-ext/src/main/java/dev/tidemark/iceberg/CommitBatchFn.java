package dev.tidemark.iceberg;

import dev.tidemark.commit.CommitOutcome;
import dev.tidemark.commit.CommitProtocol;
import dev.tidemark.commit.CommitRequest;
import dev.tidemark.commit.WriterResult;
import dev.tidemark.datafile.DataFileCodec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.values.KV;

/**
 * Commits the results of a bounded input, one commit per table and window. Where the runner repeats
 * the work, the first commit of the run wins and later files are reported as orphans.
 */
final class CommitBatchFn extends DoFn<KV<String, Iterable<BundleResult>>, TableEvent> {
  private final TableCommitter committer;
  private final String runId;

  private transient CommitProtocol protocol;

  CommitBatchFn(TableCommitter committer, String runId) {
    this.committer = committer;
    this.runId = runId;
  }

  @Setup
  public void setup() {
    protocol = committer.protocol();
  }

  @ProcessElement
  public void process(
      @Element KV<String, Iterable<BundleResult>> element,
      BoundedWindow window,
      OutputReceiver<TableEvent> out) {
    String table = element.getKey();
    List<BundleResult> results = new ArrayList<>();
    element.getValue().forEach(results::add);
    results.sort(Comparator.comparing(CommitBatchFn::firstFile));
    List<WriterResult> decoded = committer.decode(table, results, 1);
    CommitRequest request = committer.request(table, decoded, null);
    CommitOutcome outcome =
        protocol.commitBatch(request, runId, windowId(window), committer.hooks());
    TableCommitter.events(request, outcome, null).forEach(out::output);
  }

  private static String firstFile(BundleResult result) {
    return DataFileCodec.location(result.files().get(0));
  }

  private static String windowId(BoundedWindow window) {
    if (window instanceof GlobalWindow) {
      return "all";
    }
    if (window instanceof IntervalWindow interval) {
      return interval.start().getMillis() + "-" + interval.end().getMillis();
    }
    return "until-" + window.maxTimestamp().getMillis();
  }
}
