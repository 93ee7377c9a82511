package dev.tidemark.doris;

import dev.tidemark.arrow.ArrowAllocators;
import dev.tidemark.streamload.LoadException;
import dev.tidemark.streamload.StreamLoadClient;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Collects rows of each table and cuts them into parts. Belongs to one thread. */
final class RowPacker implements AutoCloseable {
  /** Takes what leaves. */
  interface Output {
    void part(ShardKey shard, Part part, long timestampMillis);

    void failed(BadRecord record);
  }

  /** Reading the clock for each row would cost as much as writing a column of it. */
  private static final int ROWS_PER_CLOCK = 16;

  /** Of more tables than these, none keeps the memory of rows that left. */
  private static final int MOST_KEPT_STAGES = 8;

  private final WriteSettings settings;
  private final Schema schema;
  private final DorisWriteMetrics metrics;
  private final StreamLoadClient client;
  private final BufferAllocator allocator = ArrowAllocators.child("PackRows");
  private final Map<DorisTable, TableStage> stages = new HashMap<>();

  /** Tables with rows under way, in the order in which they began. */
  private final Map<DorisTable, TableStage> open = new LinkedHashMap<>();

  private final Map<DorisTable, TableRefusedException> refusals = new HashMap<>();
  private long bytes;
  private int rowsSinceClock;
  private @Nullable DorisTable lastTable;
  private @Nullable TableStage lastStage;

  RowPacker(WriteSettings settings, Schema schema, DorisWriteMetrics metrics) {
    this.settings = settings;
    this.schema = schema;
    this.metrics = metrics;
    this.client = settings.cluster().open();
  }

  /**
   * Adds a row.
   *
   * @param kind the code of a {@link dev.tidemark.change.ChangeKind}
   * @throws dev.tidemark.arrow.ValueRejectedException if a column cannot hold a value
   * @throws TableRefusedException if the table does not take the rows
   */
  void add(DorisTable table, Row row, int kind, long rowMillis, Output out) {
    TableStage stage = stageOf(table);
    boolean first = stage.rows() == 0;
    long nowMillis = first ? settings.clock().millis() : stage.beganMillis();
    bytes += stage.add(row, kind, nowMillis, rowMillis);
    if (first) {
      open.put(table, stage);
    }
    if (stage.rows() >= settings.limits().partRows()
        || stage.bytes() >= settings.limits().partBytes(settings.shards())) {
      release(table, stage, out);
    }
    while (bytes > settings.limits().openPartBytes() && !open.isEmpty()) {
      releaseFirst(out);
    }
  }

  private TableStage stageOf(DorisTable table) {
    TableStage last = lastStage;
    if (last != null && table.equals(lastTable)) {
      return last;
    }
    TableStage stage = stages.get(table);
    if (stage == null) {
      LoadPlan plan = planOf(table);
      BatchSplitter splitter =
          new BatchSplitter(plan, settings.rules(), settings.shards(), allocator);
      stage = new TableStage(plan, schema, splitter, allocator);
      stages.put(table, stage);
    }
    lastTable = table;
    lastStage = stage;
    return stage;
  }

  private LoadPlan planOf(DorisTable table) {
    TableRefusedException refusal = refusals.get(table);
    if (refusal != null) {
      throw refusal;
    }
    try {
      return LivePlans.ofRows(client, table, schema, settings.rules());
    } catch (IllegalArgumentException e) {
      refusal = new TableRefusedException(e.getMessage(), e);
    } catch (LoadException e) {
      if (e.kind() != LoadException.Kind.REFUSED) {
        throw e;
      }
      refusal = new TableRefusedException(e.getMessage(), e);
    }
    refusals.put(table, refusal);
    throw refusal;
  }

  /** Lets go what has become too old; a clock that was set back makes rows old, too. */
  void releaseOld(Output out) {
    if (++rowsSinceClock < ROWS_PER_CLOCK) {
      return;
    }
    rowsSinceClock = 0;
    while (!open.isEmpty()) {
      long age = settings.clock().millis() - open.values().iterator().next().beganMillis();
      if (age >= 0 && age < settings.limits().ageMillis()) {
        return;
      }
      releaseFirst(out);
    }
  }

  /** Lets go everything; tables that were refused are looked at again after it. */
  void releaseAll(Output out) {
    refusals.clear();
    while (!open.isEmpty()) {
      releaseFirst(out);
    }
  }

  private void releaseFirst(Output out) {
    Map.Entry<DorisTable, TableStage> first = open.entrySet().iterator().next();
    release(first.getKey(), first.getValue(), out);
  }

  private void release(DorisTable table, TableStage stage, Output out) {
    open.remove(table);
    bytes -= stage.bytes();
    long timestampMillis = stage.timestampMillis();
    stage.split(
        stages.size() <= MOST_KEPT_STAGES,
        (row, reason) -> {
          metrics.rejectedRows.inc();
          out.failed(FailedRows.row(table, stage.root().getFieldVectors(), row, reason));
        },
        (shard, part) -> {
          metrics.packedRows.inc(part.rows());
          out.part(ShardKey.of(table, shard), part, timestampMillis);
        });
    metrics.outdoneRows.inc(stage.takeOutdone());
  }

  @Override
  public void close() {
    stages.values().forEach(TableStage::close);
    stages.clear();
    open.clear();
    allocator.close();
    client.close();
  }
}
