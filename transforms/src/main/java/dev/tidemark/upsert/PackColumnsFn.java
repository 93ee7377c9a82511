package dev.tidemark.upsert;

import dev.tidemark.arrow.ChangeBatch;
import dev.tidemark.arrow.OpenChangeBatch;
import dev.tidemark.arrow.RowReader;
import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import java.io.IOException;
import java.time.Clock;
import java.util.function.Consumer;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.TupleTag;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * Sorts the rows of change batches into batches of one shard. Of a row only the sink key is looked
 * at.
 */
final class PackColumnsFn extends DoFn<ChangeBatch, KV<Integer, ChangeBatch>> {
  static final TupleTag<KV<Integer, ChangeBatch>> BATCHES = new TupleTag<>("batches");

  private final UpsertEncodings encodings;
  private final Completeness completeness;
  private final int shards;
  private final BatchLimits limits;
  private final Clock clock;
  private final PackMetrics metrics = new PackMetrics();
  private transient @Nullable ColumnEncoders encoders;
  private transient @Nullable ShardRows rows;

  PackColumnsFn(UpsertEncodings encodings, int shards, BatchLimits limits, Clock clock) {
    this.encodings = encodings;
    this.completeness = Completeness.of(encodings, ChangeOrder.ARRIVAL);
    this.shards = shards;
    this.limits = limits;
    this.clock = clock;
  }

  @Setup
  public void setup() {
    encoders = new ColumnEncoders(encodings);
  }

  @StartBundle
  public void start() {
    close();
    rows = new ShardRows(limits, ShardBuffers.MAX_BYTES);
  }

  @Teardown
  public void close() {
    if (rows != null) {
      rows.close();
      rows = null;
    }
  }

  @ProcessElement
  public void process(
      @Element ChangeBatch batch, @Timestamp Instant timestamp, MultiOutputReceiver out)
      throws IOException {
    OutputReceiver<KV<Integer, ChangeBatch>> batches = out.get(BATCHES);
    Consumer<ShardRows.Batch> leave =
        each -> {
          metrics.packedRows.update(each.changes().rows());
          batches.outputWithTimestamp(
              KV.of(each.shard(), each.changes()),
              Instant.ofEpochMilli(each.oldestTimestampMillis()));
        };
    try {
      pack(batch, timestamp, leave, out.get(PackFn.FAILED));
    } catch (IOException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private void pack(
      ChangeBatch batch,
      Instant timestamp,
      Consumer<ShardRows.Batch> leave,
      OutputReceiver<BadRecord> failed)
      throws IOException {
    ShardRows buffers = rows;
    ColumnEncoder encoder = encoders.of(batch);
    long nowMillis = clock.millis();
    buffers.releaseOld(nowMillis, leave);
    OpenChangeBatch open = buffers.open(batch);
    encoder.bind(open.root());
    EncodingBuffer key = new EncodingBuffer();
    for (int row = 0; row < batch.rows(); row++) {
      String problem =
          batch.imageComplete(row)
              ? null
              : completeness.problem(batch.kind(row), batch.unknownColumns(row));
      if (problem != null) {
        metrics.failedChanges.inc();
        failed.output(failed(encodings, open, row, problem));
        continue;
      }
      key.clear();
      encoder.sinkKey(row, key);
      buffers.add(
          MaterializeBatches.shardOf(key.array(), key.end(), shards),
          open,
          row,
          batch.hasTimestamps() ? batch.timestampMillis(row) : timestamp.getMillis(),
          nowMillis,
          leave);
    }
    buffers.added(leave);
  }

  @FinishBundle
  public void finish(FinishBundleContext context) {
    try {
      rows.releaseAll(
          batch -> {
            metrics.packedRows.update(batch.changes().rows());
            context.output(
                BATCHES,
                KV.of(batch.shard(), batch.changes()),
                Instant.ofEpochMilli(batch.oldestTimestampMillis()),
                GlobalWindow.INSTANCE);
          });
    } finally {
      close();
    }
  }

  /** The reason, and the change as one of a row; it is read for that. */
  static BadRecord failed(UpsertEncodings encodings, OpenChangeBatch open, int row, String problem)
      throws IOException {
    ChangeBatch batch = open.batch();
    RowReader reader = RowReader.of(encodings.rows().schema(), batch.schema());
    Change change =
        Change.of(batch.kind(row), reader.read(open.root(), row))
            .withPosition(batch.position(row))
            .withUnknownColumns(batch.unknownColumns(row));
    return FailedChanges.of(ChangeCoder.of(encodings.rows().schema()), change, problem);
  }

  /** Changes may be older than the batch that brings them, and a batch than those that follow. */
  @SuppressWarnings("deprecation") // the only way to say so
  @Override
  public Duration getAllowedTimestampSkew() {
    return Duration.millis(Long.MAX_VALUE);
  }
}
