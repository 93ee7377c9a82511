package dev.tidemark.doris;

import dev.tidemark.arrow.ArrowAllocators;
import dev.tidemark.streamload.LoadException;
import dev.tidemark.streamload.StreamLoadClient;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
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

    /** A row that was read back from the columns it was written to. */
    void failed(BadRecord record);

    /** An element that could not be written to columns. */
    void rejected(DorisTable table, Object element, long rowMillis, String reason);
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
  private final Set<TableStage> open = new LinkedHashSet<>();

  private final RowBlock block = new RowBlock();

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
   * @param element what it is of, in case the row is rejected
   * @param kind the code of a {@link dev.tidemark.change.ChangeKind}
   * @throws TableRefusedException if the table does not take the rows
   */
  void add(DorisTable table, Row row, Object element, int kind, long rowMillis, Output out) {
    TableStage stage = stageOf(table);
    if (block.size() == 0) {
      block.begin(settings.clock().millis());
    }
    block.add(stage, row, element, (byte) kind, rowMillis);
    if (block.isFull()) {
      write(out);
    }
  }

  /** Writes the block to the columns of its tables. */
  private void write(Output out) {
    long written = 0;
    int from = 0;
    while (from < block.size()) {
      TableStage stage = block.stages[from];
      int to = block.endOfRun(from, room(stage));
      written += write(stage, from, to, out);
      from = to;
    }
    block.clear(written);
    while (bytes > settings.limits().openPartBytes() && !open.isEmpty()) {
      releaseFirst(out);
    }
  }

  private long write(TableStage stage, int from, int to, Output out) {
    if (stage.rows() == 0) {
      open.add(stage);
    }
    long added =
        stage.add(
            block.rows,
            block.kinds,
            from,
            to,
            block.beganMillis(),
            (row, reason) ->
                out.rejected(stage.table(), block.elements[row], block.millis[row], reason));
    for (int row = from; row < to; row++) {
      stage.notAfter(block.millis[row]);
    }
    bytes += added;
    if (stage.rows() >= settings.limits().partRows() || stage.bytes() >= mostBytes()) {
      release(stage, out);
    }
    return added;
  }

  /** How many rows more make a part, if they are as long as those before. */
  private int room(TableStage stage) {
    int rows = settings.limits().partRows() - stage.rows();
    if (stage.rows() == 0) {
      return rows;
    }
    long meanBytes = Math.max(1, stage.bytes() / stage.rows());
    return (int) Math.min(rows, Math.max(1, (mostBytes() - stage.bytes()) / meanBytes));
  }

  private long mostBytes() {
    return settings.limits().partBytes(settings.shards().count());
  }

  private TableStage stageOf(DorisTable table) {
    TableStage last = lastStage;
    if (last != null && table.equals(lastTable)) {
      return last;
    }
    TableStage stage = stages.get(table);
    if (stage == null) {
      LoadPlan plan = planOf(table);
      BatchSplitter splitter = new BatchSplitter(plan, settings, allocator);
      stage = new TableStage(table, plan, schema, splitter, allocator);
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
    if (block.size() == 0 && open.isEmpty()) {
      return;
    }
    long nowMillis = settings.clock().millis();
    if (block.size() > 0 && isOld(block.beganMillis(), nowMillis)) {
      write(out);
    }
    while (!open.isEmpty() && isOld(open.iterator().next().beganMillis(), nowMillis)) {
      releaseFirst(out);
    }
  }

  private boolean isOld(long beganMillis, long nowMillis) {
    long age = nowMillis - beganMillis;
    return age < 0 || age >= settings.limits().ageMillis();
  }

  /** Lets go everything; tables that were refused are looked at again after it. */
  void releaseAll(Output out) {
    refusals.clear();
    write(out);
    while (!open.isEmpty()) {
      releaseFirst(out);
    }
  }

  private void releaseFirst(Output out) {
    release(open.iterator().next(), out);
  }

  private void release(TableStage stage, Output out) {
    DorisTable table = stage.table();
    open.remove(stage);
    bytes -= stage.bytes();
    long timestampMillis = stage.timestampMillis();
    // Rows that came large once would keep their memory for all that come after them.
    boolean keepMemory = stages.size() <= MOST_KEPT_STAGES && stage.bytes() <= 2 * mostBytes();
    stage.split(
        keepMemory,
        (row, reason) -> {
          metrics.rejectedRows.inc();
          out.failed(FailedRows.row(table, stage.root().getFieldVectors(), row, reason));
        },
        (shard, part) -> {
          metrics.packedRows.inc(part.rows());
          out.part(shard, part, timestampMillis);
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
