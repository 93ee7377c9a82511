package dev.tidemark.doris;

import static com.google.common.base.Preconditions.checkArgument;

import dev.tidemark.arrow.ChangeBatchCoder;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.once.PerformOnce;
import dev.tidemark.runner.Runners;
import dev.tidemark.streamload.KeysType;
import dev.tidemark.streamload.StreamLoadClient;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.RowCoder;
import org.apache.beam.sdk.options.StreamingOptions;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.ParDo;
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
import org.apache.beam.sdk.values.WindowingStrategy;
import org.joda.time.Duration;

/** Puts the stages of a write together. */
final class WriteExpansion {
  private enum Kind {
    ROWS,
    CHANGES,
    BATCHES
  }

  private final DorisWrite write;
  private final PCollection<?> input;
  private final Kind kind;
  private final WriteSettings settings;
  private final Coder<BadRecord> failureCoder;
  private final TupleTag<BadRecord> failed = new TupleTag<>("failed");
  private final TupleTag<DorisLoad> loads = new TupleTag<>("loads");

  private WriteExpansion(DorisWrite write, PCollection<?> input) {
    this.write = write;
    this.input = input;
    this.kind = kindOf(input);
    this.failureCoder = BadRecord.getCoder(input.getPipeline());
    this.settings =
        new WriteSettings(
            write.cluster(),
            write.rules().toBuilder()
                .changes(kind != Kind.ROWS)
                .forwarded(kind == Kind.BATCHES)
                .build(),
            LoadLimits.of(write.maxRows(), write.maxBytes(), write.maxAge().getMillis()),
            new Shards(write.shards(), isStreaming() ? Runners.keyGroups(input) : null),
            write.requiredLabelPrefix(),
            write.headers(),
            write.refusedRowsInFailed(),
            write.clock());
    checkArgument(
        kind != Kind.BATCHES || write.destinations() instanceof OneTable,
        "Cannot write batches of changes to several tables. Name one with to(DorisTable), or split"
            + " the batches by table before");
    checkArgument(
        isStreaming() || write.delivery() != DeliveryMode.TWO_PHASE_COMMIT,
        "Cannot write a bounded input with two-phase commit: there are no checkpoints to commit"
            + " with. Use DeliveryMode.LABELS, or run the pipeline with --streaming");
  }

  static WriteExpansion of(DorisWrite write, PCollection<?> input) {
    return new WriteExpansion(write, input);
  }

  private static Kind kindOf(PCollection<?> input) {
    Coder<?> coder = input.getCoder();
    if (coder instanceof ChangeCoder) {
      return Kind.CHANGES;
    }
    if (coder instanceof ChangeBatchCoder) {
      return Kind.BATCHES;
    }
    if (input.hasSchema() && Row.class.equals(coder.getEncodedTypeDescriptor().getRawType())) {
      return Kind.ROWS;
    }
    throw new IllegalArgumentException(
        String.format(
            "Cannot write elements with the coder %s to Doris: they have to be rows with a schema,"
                + " changes with a ChangeCoder, or batches with a ChangeBatchCoder. Set it on the input",
            coder));
  }

  private boolean isStreaming() {
    return input.isBounded() == PCollection.IsBounded.UNBOUNDED
        || input.getPipeline().getOptions().as(StreamingOptions.class).isStreaming();
  }

  private Schema schema() {
    return input.getCoder() instanceof ChangeCoder coder ? coder.schema() : input.getSchema();
  }

  /** Looks at the table, and refuses what does not go together with it. */
  void check(DorisTable table) {
    try (StreamLoadClient client = settings.cluster().open()) {
      if (kind != Kind.BATCHES) {
        LivePlans.ofRows(client, table, schema(), settings.rules());
      }
      KeysType keys = client.schema(table.database(), table.table()).keysType();
      if (!isStreaming() && keys != KeysType.UNIQUE_KEYS) {
        throw BoundedAppends.refusal(table, keys.name());
      }
    }
  }

  DorisWriteResult expand() {
    TupleTag<KV<ShardKey, Part>> parts = new TupleTag<>("parts");
    PCollectionTuple packed =
        switch (kind) {
          case ROWS ->
              pack(
                  parts,
                  new PackFn<>(
                      settings,
                      write.requiredDestinations(),
                      schema(),
                      RowCoder.of(schema()),
                      parts,
                      failed));
          case CHANGES ->
              pack(
                  parts,
                  new PackFn<>(
                      settings,
                      write.requiredDestinations(),
                      schema(),
                      ChangeCoder.of(schema()),
                      parts,
                      failed));
          case BATCHES ->
              pack(
                  parts,
                  new PackBatchesFn(
                      settings, (OneTable) write.requiredDestinations(), parts, failed));
        };
    PCollection<KV<ShardKey, Part>> shards =
        packed.get(parts).setCoder(KvCoder.of(new ShardKey.ShardKeyCoder(), new PartCoder()));
    PCollectionList<BadRecord> failures =
        PCollectionList.of(packed.get(failed).setCoder(failureCoder));
    if (!isStreaming()) {
      return finish(loadGroups(shards), failures);
    }
    return write.delivery() == DeliveryMode.LABELS
        ? finish(loadOnce(shards), failures)
        : preCommitAndCommit(shards, failures);
  }

  private <T> PCollectionTuple pack(
      TupleTag<KV<ShardKey, Part>> parts, DoFn<T, KV<ShardKey, Part>> fn) {
    return this.<T>elements()
        .apply("Pack", ParDo.of(fn).withOutputTags(parts, TupleTagList.of(failed)));
  }

  /** Windows mean nothing to a table; of a bounded input, early panes would be loads twice. */
  @SuppressWarnings("unchecked") // the coder was looked at
  private <T> PCollection<T> elements() {
    PCollection<T> elements = (PCollection<T>) input;
    if (elements.getWindowingStrategy().equals(WindowingStrategy.globalDefault())) {
      // It would be one more step for each row.
      return elements;
    }
    return elements.apply(
        "Global",
        Window.<T>into(new GlobalWindows())
            .triggering(DefaultTrigger.of())
            .withAllowedLateness(Duration.ZERO)
            .discardingFiredPanes());
  }

  private PCollection<LoadEvent> loadGroups(PCollection<KV<ShardKey, Part>> shards) {
    return shards
        .apply("GroupByShard", GroupByKey.create())
        .apply("Load", ParDo.of(new LoadGroupFn(settings, AssembleFn.drawEpoch())))
        .setCoder(new LoadEventCoder(failureCoder));
  }

  /**
   * The name of a step whose state is of so many shards: rows of a key that wait in one shard would
   * be overtaken by those that come to another. A runner that finds state by names refuses it.
   */
  private String ofShards(String step) {
    return String.format("%s(%d shards)", step, write.shards());
  }

  private PCollection<LoadEvent> loadOnce(PCollection<KV<ShardKey, Part>> shards) {
    return shards
        .apply(ofShards("Assemble"), ParDo.of(new AssembleFn(settings)))
        .setCoder(KvCoder.of(new ShardKey.ShardKeyCoder(), new LoadBodyCoder()))
        .apply(
            "Load",
            PerformOnce.of(new LoadEffect(settings))
                .withReportCoder(new LoadEventCoder(failureCoder))
                .withConcurrency(write.loadConcurrency())
                .withHeartbeatInterval(write.heartbeatInterval()));
  }

  private DorisWriteResult preCommitAndCommit(
      PCollection<KV<ShardKey, Part>> shards, PCollectionList<BadRecord> failures) {
    TupleTag<KV<ShardKey, PreCommittedLoad>> transactions = new TupleTag<>("transactions");
    PCollectionTuple preCommitted =
        shards.apply(
            ofShards("PreCommit"),
            ParDo.of(new PreCommitFn(settings, transactions, failed))
                .withOutputTags(transactions, TupleTagList.of(failed)));
    PCollection<LoadEvent> events =
        preCommitted
            .get(transactions)
            .setCoder(KvCoder.of(new ShardKey.ShardKeyCoder(), new PreCommittedLoadCoder()))
            .apply(
                "Commit",
                PerformOnce.of(new CommitEffect(settings))
                    .withReportCoder(new LoadEventCoder(failureCoder))
                    .withConcurrency(write.loadConcurrency())
                    .withHeartbeatInterval(write.heartbeatInterval()));
    return finish(events, failures.and(preCommitted.get(failed).setCoder(failureCoder)));
  }

  private DorisWriteResult finish(
      PCollection<LoadEvent> events, PCollectionList<BadRecord> failures) {
    PCollectionTuple reported =
        events.apply(
            "Report",
            ParDo.of(new ReportFn(failed)).withOutputTags(loads, TupleTagList.of(failed)));
    PCollection<BadRecord> all =
        failures
            .and(reported.get(failed).setCoder(failureCoder))
            .apply("Failed", Flatten.pCollections());
    return new DorisWriteResult(
        input.getPipeline(),
        loads,
        failed,
        reported.get(loads).setCoder(new DorisLoadCoder()),
        all);
  }
}
