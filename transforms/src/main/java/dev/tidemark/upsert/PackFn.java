package dev.tidemark.upsert;

import dev.tidemark.candidates.KeyedChanges;
import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import java.io.IOException;
import java.time.Clock;
import java.util.function.Consumer;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TupleTag;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;
import org.joda.time.Instant;

/** Turns changes into bytes and packs them into batches of one shard. */
final class PackFn extends DoFn<Change, KV<Integer, KeyedChanges>> {
  static final TupleTag<KV<Integer, KeyedChanges>> BATCHES = new TupleTag<>("batches");
  static final TupleTag<BadRecord> FAILED = new TupleTag<>("failed");

  private final ChangeCoder changeCoder;
  private final RowEncoding rows;
  private final KeyEncoding sinkKey;
  private final @Nullable KeyEncoding upsertKey;
  private final ChangeOrder order;
  private final int shards;
  private final BatchLimits limits;
  private final Clock clock;

  private final Completeness completeness;

  private final PackMetrics metrics = new PackMetrics();
  private transient ShardBuffers buffers;
  private transient ArrivalClock arrivals;

  /** The bytes of one change: key, upsert key, row and context. */
  private transient EncodingBuffer bytes;

  PackFn(
      UpsertEncodings encodings, ChangeOrder order, int shards, BatchLimits limits, Clock clock) {
    this.changeCoder = ChangeCoder.of(encodings.rows().schema());
    this.rows = encodings.rows();
    this.sinkKey = encodings.sinkKey();
    this.upsertKey = encodings.upsertKey();
    this.order = order;
    this.shards = shards;
    this.limits = limits;
    this.clock = clock;
    this.completeness = Completeness.of(encodings, order);
  }

  @StartBundle
  public void start() {
    buffers = new ShardBuffers(limits, shards);
    arrivals = new ArrivalClock(clock);
    bytes = new EncodingBuffer();
  }

  @ProcessElement
  public void process(@Element Change change, @Timestamp Instant timestamp, MultiOutputReceiver out)
      throws IOException {
    String problem = problem(change);
    if (problem != null) {
      metrics.failedChanges.inc();
      out.get(FAILED).output(FailedChanges.of(changeCoder, change, problem));
      return;
    }
    long nowMillis = arrivals.next();
    Consumer<ShardBuffers.Batch> leave = batch -> output(batch, out.get(BATCHES));
    buffers.releaseOld(nowMillis, leave);
    bytes.clear();
    Row row = change.row();
    sinkKey.encode(row, bytes);
    int keyEnd = bytes.end();
    if (upsertKey != null) {
      upsertKey.encode(row, bytes);
    }
    int identityEnd = bytes.end();
    rows.encode(row, bytes);
    int payloadEnd = bytes.end();
    ChangeContext.encode(timestamp, change.position(), sequence(change), bytes);

    int shard = MaterializeBatches.shardOf(bytes.array(), keyEnd, shards);
    buffers
        .changes(shard, nowMillis)
        .add(
            change.kind(),
            change.imageComplete(),
            bytes.array(),
            keyEnd,
            upsertKey == null ? -1 : identityEnd - keyEnd,
            payloadEnd - identityEnd,
            bytes.end() - payloadEnd);
    buffers.added(bytes.end(), timestamp.getMillis(), leave);
  }

  @FinishBundle
  public void finish(FinishBundleContext context) {
    buffers.releaseAll(
        batch -> {
          count(batch);
          context.output(
              BATCHES,
              KV.of(batch.shard(), batch.changes()),
              Instant.ofEpochMilli(batch.oldestTimestampMillis()),
              GlobalWindow.INSTANCE);
        });
  }

  private void output(
      ShardBuffers.Batch batch, OutputReceiver<KV<Integer, KeyedChanges>> receiver) {
    count(batch);
    receiver.outputWithTimestamp(
        KV.of(batch.shard(), batch.changes()), Instant.ofEpochMilli(batch.oldestTimestampMillis()));
  }

  private void count(ShardBuffers.Batch batch) {
    metrics.packedRows.update(batch.changes().size());
  }

  /**
   * A batch has the timestamp of its oldest change, which may be older than the one that makes it
   * leave. The runner knows both of them to be of the same bundle, so no watermark is behind it.
   */
  @SuppressWarnings("deprecation") // the only way to say so
  @Override
  public Duration getAllowedTimestampSkew() {
    return Duration.millis(Long.MAX_VALUE);
  }

  private @Nullable Long sequence(Change change) {
    String column = order.column();
    return column == null ? null : change.row().getInt64(column);
  }

  /** Why a change cannot be processed; null if it can. */
  private @Nullable String problem(Change change) {
    if (!change.imageComplete()) {
      String problem = completeness.problem(change.kind(), change.unknownColumns());
      if (problem != null) {
        return problem;
      }
    }
    return order.sorts() ? orderProblem(change) : null;
  }

  private @Nullable String orderProblem(Change change) {
    if (order.by() == ChangeOrder.By.POSITION) {
      return change.position() == null
          ? "it has no log position to be ordered by. Order by a column, or by arrival"
          : null;
    }
    return sequence(change) == null
        ? String.format(
            "column %s is null, and changes are ordered by it. Fill it in before", order.column())
        : null;
  }
}
