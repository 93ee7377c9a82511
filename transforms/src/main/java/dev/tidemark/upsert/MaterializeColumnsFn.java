package dev.tidemark.upsert;

import dev.tidemark.arrow.ArrowAllocators;
import dev.tidemark.arrow.ChangeBatch;
import dev.tidemark.arrow.OpenChangeBatch;
import dev.tidemark.candidates.KeyedChanges;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.beam.sdk.state.BagState;
import org.apache.beam.sdk.state.StateSpec;
import org.apache.beam.sdk.state.ValueState;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.KV;

/** Processes the change batches of a shard in the order of arrival. */
final class MaterializeColumnsFn extends DoFn<KV<Integer, ChangeBatch>, ChangeBatch> {
  private static final int NO_CONTEXT = 0;

  @StateId(ShardCells.HEADER)
  private final StateSpec<ValueState<byte[]>> headerSpec = ShardCells.value();

  @StateId(ShardCells.BASE_0)
  private final StateSpec<BagState<byte[]>> base0Spec = ShardCells.bag();

  @StateId(ShardCells.BASE_1)
  private final StateSpec<BagState<byte[]>> base1Spec = ShardCells.bag();

  @StateId(ShardCells.JOURNAL_0)
  private final StateSpec<BagState<byte[]>> journal0Spec = ShardCells.bag();

  @StateId(ShardCells.JOURNAL_1)
  private final StateSpec<BagState<byte[]>> journal1Spec = ShardCells.bag();

  private final CandidateSettings settings;
  private final UpsertEncodings encodings;
  private final ColumnMetrics metrics = new ColumnMetrics();
  private transient CandidateWorker worker;
  private transient ColumnEncoders encoders;

  MaterializeColumnsFn(CandidateSettings settings, UpsertEncodings encodings) {
    this.settings = settings;
    this.encodings = encodings;
  }

  @Setup
  public void setup() {
    worker = CandidateWorker.open(settings);
    encoders = new ColumnEncoders(encodings);
  }

  @Teardown
  public void teardown() {
    if (worker != null) {
      worker.close();
    }
  }

  @ProcessElement
  public void process(
      @Element KV<Integer, ChangeBatch> batch,
      @StateId(ShardCells.HEADER) ValueState<byte[]> header,
      @StateId(ShardCells.BASE_0) BagState<byte[]> base0,
      @StateId(ShardCells.BASE_1) BagState<byte[]> base1,
      @StateId(ShardCells.JOURNAL_0) BagState<byte[]> journal0,
      @StateId(ShardCells.JOURNAL_1) BagState<byte[]> journal1,
      OutputReceiver<ChangeBatch> out) {
    ShardCells state = new ShardCells(header, base0, base1, journal0, journal1);
    ChangeBatch changes = batch.getValue();
    try (BufferAllocator allocator = ArrowAllocators.child("KeepCandidates");
        OpenChangeBatch open = changes.open(allocator)) {
      MaterializedBatch materialized =
          worker.process(settings.keys().shardOf(batch.getKey()), state, encode(open));
      try (EmittedColumns emitted =
          new EmittedColumns(encodings.rows(), open, allocator, metrics)) {
        ChangeBatch emission = emitted.build(materialized);
        if (emission != null) {
          out.output(emission);
        }
      }
    }
  }

  /** What becomes of a change is known by its number, so that it has no context. */
  private KeyedChanges encode(OpenChangeBatch open) {
    ChangeBatch batch = open.batch();
    ColumnEncoder encoder = encoders.of(batch);
    encoder.bind(open.root());
    KeyedChanges.Builder changes = KeyedChanges.builder();
    EncodingBuffer bytes = new EncodingBuffer();
    for (int row = 0; row < batch.rows(); row++) {
      bytes.clear();
      encoder.sinkKey(row, bytes);
      int keyEnd = bytes.end();
      encoder.upsertKey(row, bytes);
      int identityEnd = bytes.end();
      encoder.row(row, bytes);
      changes.add(
          batch.kind(row),
          batch.imageComplete(row),
          bytes.array(),
          keyEnd,
          encoder.hasUpsertKey() ? identityEnd - keyEnd : -1,
          bytes.end() - identityEnd,
          NO_CONTEXT);
    }
    return changes.build();
  }
}
