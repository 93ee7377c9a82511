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
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.values.KV;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits the results of a bounded input, one commit per table and window. Where the runner repeats
 * the work, the first commit of the run wins and later files are reported as orphans.
 *
 * <p>Of several tables, one that fails for good gives up its files to the failed output and does
 * not stop the others. Where there is one table alone, the pipeline fails.
 */
final class CommitBatchFn extends DoFn<KV<String, Iterable<BundleResult>>, TableEvent> {
  private static final Logger LOG = LoggerFactory.getLogger(CommitBatchFn.class);

  private final TableCommitter committer;
  private final String runId;
  private final boolean severalTables;

  private transient CommitProtocol protocol;

  CommitBatchFn(TableCommitter committer, String runId, boolean severalTables) {
    this.committer = committer;
    this.runId = runId;
    this.severalTables = severalTables;
  }

  @Setup
  public void setup() {
    protocol = committer.protocol();
  }

  @ProcessElement
  public void process(
      @Element KV<String, Iterable<BundleResult>> element,
      BoundedWindow window,
      PaneInfo pane,
      OutputReceiver<TableEvent> out) {
    String table = element.getKey();
    List<BundleResult> results = new ArrayList<>();
    element.getValue().forEach(results::add);
    results.sort(Comparator.comparing(CommitBatchFn::firstFile));
    try {
      List<WriterResult> decoded = TableCommitter.decode(committer.load(table), results, 1);
      CommitRequest request = committer.request(table, decoded, null);
      CommitOutcome outcome =
          protocol.commitBatch(request, runId, windowId(window, pane), committer.hooks());
      TableCommitter.events(request, outcome, null).forEach(out::output);
    } catch (RuntimeException e) {
      if (!severalTables || !TableCommitter.isForGood(e)) {
        throw e;
      }
      LOG.warn("Gave up table {}: {} results are left over", table, results.size(), e);
      out.output(leftOver(table, results, e.getMessage()));
    }
  }

  private static TableEvent leftOver(String table, List<BundleResult> results, String reason) {
    List<String> files =
        results.stream()
            .flatMap(result -> result.files().stream())
            .map(DataFileCodec::location)
            .toList();
    return TableEvent.failure(
        table,
        FailedRecords.table(table, "1 to " + results.size(), files, reason),
        Tallies.parked(results.size()));
  }

  private static String firstFile(BundleResult result) {
    return DataFileCodec.location(result.files().get(0));
  }

  /** Panes after the first are late ones; each is work of its own. */
  private static String windowId(BoundedWindow window, PaneInfo pane) {
    return pane.getIndex() == 0 ? windowId(window) : windowId(window) + "/" + pane.getIndex();
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
