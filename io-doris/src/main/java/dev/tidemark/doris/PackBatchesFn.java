package dev.tidemark.doris;

import dev.tidemark.arrow.ArrowAllocators;
import dev.tidemark.arrow.ChangeBatch;
import dev.tidemark.arrow.OpenChangeBatch;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.streamload.StreamLoadClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.TupleTag;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Cuts batches of changes into parts of loads. Rows are never decoded: buffers are forwarded where
 * a batch goes one way, and copied by column where it does not.
 */
final class PackBatchesFn extends DoFn<ChangeBatch, KV<ShardKey, Part>> {
  private record Target(LoadPlan plan, BatchSplitter splitter) {}

  private final WriteSettings settings;
  private final OneTable destination;
  private final TupleTag<KV<ShardKey, Part>> parts;
  private final TupleTag<BadRecord> failed;
  private final DorisWriteMetrics metrics = new DorisWriteMetrics();

  private transient @Nullable StreamLoadClient client;
  private transient @Nullable BufferAllocator allocator;
  private transient @Nullable Map<Schema, Target> targets;

  PackBatchesFn(
      WriteSettings settings,
      OneTable destination,
      TupleTag<KV<ShardKey, Part>> parts,
      TupleTag<BadRecord> failed) {
    this.settings = settings;
    this.destination = destination;
    this.parts = parts;
    this.failed = failed;
  }

  @Setup
  public void setup() {
    allocator = ArrowAllocators.child("PackBatches");
    client = settings.cluster().open();
    targets = new HashMap<>();
  }

  @ProcessElement
  public void process(@Element ChangeBatch batch, MultiOutputReceiver out) {
    if (batch.rows() == 0) {
      return;
    }
    DorisTable table = destination.table().get();
    Target target = targets.computeIfAbsent(batch.schema(), schema -> target(table, schema));
    byte[] kinds = batch.kindCodes();
    try (OpenChangeBatch open = batch.open(allocator)) {
      List<FieldVector> columns = open.root().getFieldVectors();
      RowFilter.Rejections rejections =
          (row, reason) -> {
            metrics.rejectedRows.inc();
            out.get(failed).output(FailedRows.row(table, columns, row, reason));
          };
      rejectIncomplete(table, batch, kinds, rejections);
      List<FieldVector> chosen = new ArrayList<>();
      target.plan().columns().forEach(column -> chosen.add(columns.get(column.source())));
      target
          .splitter()
          .split(
              chosen,
              false,
              kinds,
              batch.rows(),
              rejections,
              (shard, part) -> {
                metrics.packedRows.inc(part.rows());
                out.get(parts).output(KV.of(shard, part));
              });
    }
    metrics.outdoneRows.inc(target.splitter().takeOutdone());
  }

  private Target target(DorisTable table, Schema schema) {
    LoadPlan plan = LivePlans.ofBatches(client, table, schema, settings.rules());
    return new Target(plan, new BatchSplitter(plan, settings, allocator));
  }

  /** Rows that do not tell what they have to are left out like updates-before. */
  private void rejectIncomplete(
      DorisTable table, ChangeBatch batch, byte[] kinds, RowFilter.Rejections rejections) {
    if (batch.imagesComplete()) {
      return;
    }
    for (int row = 0; row < kinds.length; row++) {
      if (kinds[row] != ChangeKind.UPDATE_BEFORE.code() && !batch.imageComplete(row)) {
        Set<String> unknown = batch.unknownColumns(row);
        String problem = IncompleteRows.problem(table, settings, batch.kind(row), unknown);
        if (problem != null) {
          rejections.reject(row, problem);
          kinds[row] = (byte) ChangeKind.UPDATE_BEFORE.code();
        }
      }
    }
  }

  @Teardown
  public void teardown() {
    if (client != null) {
      client.close();
      client = null;
    }
    if (allocator != null) {
      allocator.close();
      allocator = null;
    }
  }
}
