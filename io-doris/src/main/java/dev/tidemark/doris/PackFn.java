package dev.tidemark.doris;

import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeKind;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TupleTag;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * Packs rows, or changes of rows, into parts of loads.
 *
 * @param <T> {@link Row} or {@link Change}
 */
final class PackFn<T> extends DoFn<T, KV<ShardKey, Part>> {
  private final WriteSettings settings;
  private final DorisDestinations destinations;
  private final Schema schema;
  private final Coder<T> coder;
  private final TupleTag<KV<ShardKey, Part>> parts;
  private final TupleTag<BadRecord> failed;
  private final DorisWriteMetrics metrics = new DorisWriteMetrics();

  private transient @Nullable RowPacker packer;
  private transient @Nullable ElementOutput elementOutput;

  PackFn(
      WriteSettings settings,
      DorisDestinations destinations,
      Schema schema,
      Coder<T> coder,
      TupleTag<KV<ShardKey, Part>> parts,
      TupleTag<BadRecord> failed) {
    this.settings = settings;
    this.destinations = destinations;
    this.schema = schema;
    this.coder = coder;
    this.parts = parts;
    this.failed = failed;
  }

  @Setup
  public void setup() {
    packer = new RowPacker(settings, schema, metrics);
    elementOutput = new ElementOutput();
  }

  @ProcessElement
  public void process(@Element T element, @Timestamp Instant timestamp, MultiOutputReceiver out) {
    ElementOutput output = elementOutput;
    output.out = out;
    packer.releaseOld(output);
    Change change = element instanceof Change given ? given : null;
    Row row = change == null ? (Row) element : change.row();
    ChangeKind kind = change == null ? ChangeKind.UPDATE_AFTER : change.kind();
    if (kind == ChangeKind.UPDATE_BEFORE) {
      return;
    }
    DorisTable table = destinations.tableOf(row);
    String problem =
        change == null || change.imageComplete()
            ? null
            : IncompleteRows.problem(table, settings, kind, change.unknownColumns());
    if (problem == null) {
      try {
        packer.add(table, row, element, kind.code(), timestamp.getMillis(), output);
        return;
      } catch (TableRefusedException e) {
        if (destinations instanceof OneTable) {
          throw e;
        }
        problem = e.getMessage();
      }
    }
    output.rejected(table, element, timestamp.getMillis(), problem);
  }

  @SuppressWarnings("unchecked") // the packer was given no others
  private BadRecord rejected(DorisTable table, Object element, String reason) {
    metrics.rejectedRows.inc();
    Row row = element instanceof Change change ? change.row() : (Row) element;
    return FailedRows.element(table, (T) element, coder, FailedRows.json(row), reason);
  }

  @FinishBundle
  public void finish(FinishBundleContext context) {
    packer.releaseAll(
        new RowPacker.Output() {
          @Override
          public void part(ShardKey shard, Part part, long timestampMillis) {
            context.output(
                parts,
                KV.of(shard, part),
                Instant.ofEpochMilli(timestampMillis),
                GlobalWindow.INSTANCE);
          }

          @Override
          public void failed(BadRecord record) {
            context.output(failed, record, Instant.EPOCH, GlobalWindow.INSTANCE);
          }

          @Override
          public void rejected(DorisTable table, Object element, long rowMillis, String reason) {
            context.output(
                failed,
                PackFn.this.rejected(table, element, reason),
                Instant.ofEpochMilli(rowMillis),
                GlobalWindow.INSTANCE);
          }
        });
  }

  /** Where parts of the element at hand go; one for all elements. */
  private final class ElementOutput implements RowPacker.Output {
    private @Nullable MultiOutputReceiver out;

    @Override
    public void part(ShardKey shard, Part part, long timestampMillis) {
      out.get(parts).outputWithTimestamp(KV.of(shard, part), Instant.ofEpochMilli(timestampMillis));
    }

    @Override
    public void failed(BadRecord record) {
      out.get(failed).output(record);
    }

    @Override
    public void rejected(DorisTable table, Object element, long rowMillis, String reason) {
      out.get(failed)
          .outputWithTimestamp(
              PackFn.this.rejected(table, element, reason), Instant.ofEpochMilli(rowMillis));
    }
  }

  @Teardown
  public void teardown() {
    if (packer != null) {
      packer.close();
      packer = null;
    }
  }

  /**
   * A part has the timestamp of its oldest row, which may be older than the one that makes it
   * leave. The runner knows both of them to be of the same bundle, so no watermark is behind it.
   */
  @SuppressWarnings("deprecation") // the only way to say so
  @Override
  public Duration getAllowedTimestampSkew() {
    return Duration.millis(Long.MAX_VALUE);
  }
}
