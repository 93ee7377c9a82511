package dev.tidemark.iceberg;

import dev.tidemark.eventtime.CollectEventTimeFn;
import dev.tidemark.eventtime.EventTimeExtractor;
import dev.tidemark.once.PerformOnce;
import java.time.Clock;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.RowCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.options.StreamingOptions;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.GroupIntoBatches;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Values;
import org.apache.beam.sdk.transforms.WithKeys;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.transforms.windowing.DefaultTrigger;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TupleTagList;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.joda.time.Duration;

/** Puts the stages of a write together. */
final class WriteExpansion {
  private static final Duration HOUR = Duration.standardHours(1);
  private static final Duration QUARTER = Duration.standardMinutes(15);
  private static final int GROUPING_SHARDS = 4;

  private final WriteRows write;
  private final PCollection<Row> rows;
  private final Schema schema;
  private final Coder<BadRecord> failureCoder;
  private final WriteOutputs outputs = WriteOutputs.create();

  private WriteExpansion(WriteRows write, PCollection<Row> rows) {
    this.write = write;
    this.rows = rows;
    this.schema = rows.getSchema();
    this.failureCoder = BadRecord.getCoder(rows.getPipeline());
  }

  static WriteExpansion of(WriteRows write, PCollection<Row> rows) {
    return new WriteExpansion(write, rows);
  }

  IcebergWriteResult expand() {
    Accumulating accumulating =
        Accumulating.of(write.accumulators(), schema, rows.getPipeline().getCoderRegistry());
    TupleTag<KV<String, BundleResult>> results = new TupleTag<>("results");
    PCollectionTuple written = writeFiles(accumulating, results);
    written.get(outputs.failed()).setCoder(failureCoder);
    PCollection<KV<String, BundleResult>> files =
        written.get(results).setCoder(KvCoder.of(StringUtf8Coder.of(), new BundleResultCoder()));
    PCollection<TableEvent> events = commit(files, new TableCommitter(write, accumulating));
    return finish(events, written.get(outputs.failed()));
  }

  private boolean isStreaming() {
    return isStreaming(rows);
  }

  static boolean isStreaming(PCollection<?> input) {
    return input.isBounded() == PCollection.IsBounded.UNBOUNDED
        || input.getPipeline().getOptions().as(StreamingOptions.class).isStreaming();
  }

  private PCollectionTuple writeFiles(
      Accumulating accumulating, TupleTag<KV<String, BundleResult>> results) {
    EventTimeExtractor extractor = write.eventTime();
    Coder<Row> rowCoder = RowCoder.of(schema);
    WriteDataFilesFn fn =
        new WriteDataFilesFn(
            write,
            write.setup(schema),
            rowCoder,
            extractor == null ? null : collectEventTime(extractor),
            extractor == null ? null : extractor.bind(schema),
            accumulating,
            outputs.failed());
    return grouped(isStreaming() ? inOneWindow() : inOnePanePerWindow())
        .apply(
            "WriteDataFiles",
            ParDo.of(fn).withOutputTags(results, TupleTagList.of(outputs.failed())));
  }

  private PCollection<Row> inOneWindow() {
    return rows.apply("Global", Window.into(new GlobalWindows()));
  }

  /** Early panes would be commits of their own, and accumulating ones would hold files twice. */
  private PCollection<Row> inOnePanePerWindow() {
    WindowingStrategy<?, ?> windows = rows.getWindowingStrategy();
    if (windows.equals(WindowingStrategy.globalDefault())) {
      return rows;
    }
    return rows.apply(
        "OnePanePerWindow",
        Window.<Row>configure()
            .triggering(DefaultTrigger.of())
            .withAllowedLateness(windows.getAllowedLateness())
            .discardingFiredPanes());
  }

  private CollectEventTimeFn collectEventTime(EventTimeExtractor extractor) {
    CollectEventTimeFn fn = CollectEventTimeFn.of(extractor, schema);
    FinalizationOptions options = write.finalization();
    return options != null && options.granularity().isShorterThan(HOUR)
        ? fn.withBoundary(QUARTER)
        : fn;
  }

  /**
   * A batch of rows leaves the grouping within one bundle, and so within one file per partition.
   */
  private PCollection<Row> grouped(PCollection<Row> ungrouped) {
    Integer size = write.rowGrouping();
    if (size == null) {
      return ungrouped;
    }
    return ungrouped
        .apply(
            "Shard",
            WithKeys.<Integer, Row>of(row -> ThreadLocalRandom.current().nextInt(GROUPING_SHARDS))
                .withKeyType(TypeDescriptors.integers()))
        .apply(
            "Group",
            GroupIntoBatches.<Integer, Row>ofSize(size)
                .withMaxBufferingDuration(Duration.standardMinutes(1)))
        .apply("Values", Values.create())
        .apply("Ungroup", Flatten.iterables())
        .setRowSchema(schema);
  }

  private PCollection<TableEvent> commit(
      PCollection<KV<String, BundleResult>> files, TableCommitter committer) {
    TableEventCoder coder = new TableEventCoder(failureCoder);
    if (isStreaming()) {
      PerformOnce<String, BundleResult, TableEvent> commits =
          PerformOnce.of(new CommitEffect(committer, write.parkedRetry()))
              .withReportCoder(coder)
              .withConcurrency(write.commitConcurrency())
              .withHeartbeatInterval(write.heartbeatInterval());
      Clock clock = write.clock();
      return files.apply("Commit", clock == null ? commits : commits.withClock(clock));
    }
    String runId = UUID.randomUUID().toString();
    return files
        .apply("GroupByTable", GroupByKey.create())
        .apply("Commit", ParDo.of(new CommitBatchFn(committer, runId, !write.isOneTable())))
        .setCoder(coder);
  }

  private IcebergWriteResult finish(
      PCollection<TableEvent> events, PCollection<BadRecord> rejected) {
    FinalizationOptions options = write.finalization();
    PCollectionTuple reported =
        options == null
            ? events.apply(
                "Report",
                ParDo.of(new ReportFn(outputs)).withOutputTags(outputs.commits(), outputs.others()))
            : events.apply(
                "AdvanceWatermark",
                ParDo.of(new AdvanceWatermarkFn(write, options, outputs))
                    .withOutputTags(outputs.commits(), outputs.others()));
    PCollection<BadRecord> failed =
        PCollectionList.of(reported.get(outputs.failed()).setCoder(failureCoder))
            .and(rejected)
            .apply("Failed", Flatten.pCollections());
    return new IcebergWriteResult(
        rows.getPipeline(),
        outputs,
        reported.get(outputs.commits()).setCoder(new TableCommitCoder()),
        reported.get(outputs.advances()).setCoder(new TableAdvanceCoder()),
        reported.get(outputs.late()).setCoder(new LateDataCoder()),
        failed);
  }
}
