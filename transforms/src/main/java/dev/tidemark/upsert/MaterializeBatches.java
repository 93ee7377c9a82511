package dev.tidemark.upsert;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import dev.tidemark.candidates.KeyedChanges;
import dev.tidemark.candidates.Shards;
import dev.tidemark.candidates.UpsertSemantics;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;

/**
 * Keeps the ordered candidates of sink keys and says what each change emits, on bytes. This is
 * {@link MaterializeUpserts} without the rows: for whoever has changes in another form, say column
 * by column, and does not want to decode what is emitted as it came.
 *
 * <pre>{@code
 * PCollection<MaterializedBatch> materialized =
 *     batches.apply(
 *         MaterializeBatches.of(
 *             UpsertSemantics.of(UpsertStrategy.ADAPTIVE)
 *                 .withUpsertKey()
 *                 .withDescription("orders, format 1"),
 *             1024));
 * }</pre>
 *
 * <p>The key of each batch is a {@linkplain #shardOf shard}, which all changes of a sink key have
 * in common. For each batch one {@link MaterializedBatch} comes out, with the same timestamp, and
 * in the order of the batches of its shard; batches of a shard have to arrive in order.
 */
@AutoValue
public abstract class MaterializeBatches
    extends PTransform<PCollection<KV<Integer, KeyedChanges>>, PCollection<MaterializedBatch>> {
  /** Beyond this, more state cells cost more than they spread. */
  static final int MAX_SHARDS = 1 << 15;

  MaterializeBatches() {}

  abstract CandidateSettings settings();

  /**
   * Keeps candidates by these semantics.
   *
   * @param semantics the description is what state is bound to: it has to change whenever the bytes
   *     of keys, identities or payloads get another meaning
   * @param shards the number of shards, from 1 to 32,768; part of the description, and therefore
   *     fixed for the life of the state
   */
  public static MaterializeBatches of(UpsertSemantics semantics, int shards) {
    return of(CandidateSettings.builder().semantics(semantics).shards(checkShards(shards)).build());
  }

  static MaterializeBatches of(CandidateSettings settings) {
    return new AutoValue_MaterializeBatches(settings);
  }

  static int checkShards(int shards) {
    checkArgument(
        shards >= 1 && shards <= MAX_SHARDS,
        "Invalid number of shards: %s (must be >= 1 and <= %s)",
        shards,
        MAX_SHARDS);
    return shards;
  }

  /**
   * Sets the memory for all stores of a worker process, in bytes. Default: what the runner's
   * options say, or 256 MiB. At least 1 MiB. More memory keeps more candidates out of files.
   */
  public MaterializeBatches withStoreMemory(long bytes) {
    return of(settings().toBuilder().store(settings().store().withMemoryBytes(bytes)).build());
  }

  /**
   * Sets the local directory for the files of stores. Default: what the runner's options say, or
   * {@code java.io.tmpdir}.
   */
  public MaterializeBatches withStoreDirectory(String directory) {
    return of(settings().toBuilder().store(settings().store().withDirectory(directory)).build());
  }

  /** As {@link MaterializeUpserts#withInitialState}. */
  public MaterializeBatches withInitialState(String directory) {
    return of(settings().toBuilder().moves(settings().moves().withFrom(directory)).build());
  }

  /** As {@link MaterializeUpserts#withExport}. */
  public MaterializeBatches withExport(String directory) {
    return of(settings().toBuilder().moves(settings().moves().withTo(directory)).build());
  }

  /**
   * The shard of a sink key: its MurmurHash3 (x86, 32 bits, seed 0) as an unsigned number, modulo
   * the number of shards. Never changes: state depends on it.
   */
  public static int shardOf(byte[] sinkKey, int shards) {
    return shardOf(sinkKey, sinkKey.length, shards);
  }

  /** The shard of the sink key at the beginning of an array. */
  static int shardOf(byte[] bytes, int length, int shards) {
    return Shards.of(bytes, 0, length, shards);
  }

  static void checkWindows(PCollection<?> input) {
    checkArgument(
        input.getWindowingStrategy().getWindowFn() instanceof GlobalWindows,
        "Cannot materialize upserts in windows: the candidates of a key live as long as the key, not as long as %s."
            + " Apply Window.into(new GlobalWindows()) before, and windows after",
        input.getWindowingStrategy().getWindowFn());
  }

  @Override
  public PCollection<MaterializedBatch> expand(PCollection<KV<Integer, KeyedChanges>> input) {
    checkWindows(input);
    CandidateSettings settings = settings().on(input);
    // A runner that finds state by names refuses that of another number of shards as a whole.
    String step = String.format("Keep(%d shards)", settings.shards());
    if (settings.moves().any()) {
      CandidateSettings resolved = settings.resolved();
      return KeepAndMove.apply(
          input, step, "Materialize", new MaterializeAndMoveFn(resolved), resolved);
    }
    return settings
        .keys()
        .place(input)
        .apply(step, ParDo.of(new MaterializeFn(settings)))
        .setCoder(MaterializedBatchCoder.of());
  }

  @Override
  public void validate(PipelineOptions options) {
    settings().findProvider();
  }

  @Override
  public void populateDisplayData(DisplayData.Builder builder) {
    super.populateDisplayData(builder);
    addDisplayData(settings(), builder);
  }

  static void addDisplayData(CandidateSettings settings, DisplayData.Builder builder) {
    UpsertSemantics semantics = settings.semantics();
    builder
        .add(
            DisplayData.item("strategy", semantics.strategy().name())
                .withLabel("Strategy by which upsert keys are compared"))
        .add(DisplayData.item("shards", settings.shards()).withLabel("Shards"))
        .addIfNotDefault(
            DisplayData.item("timeToLiveMillis", semantics.ttlMillis())
                .withLabel("Time to live in milliseconds"),
            0L);
    UpsertsDisplayData.addBounds(
        semantics.softBound(), semantics.hardBound(), semantics.atHardBound(), builder);
    UpsertsDisplayData.addState(settings.store(), settings.moves(), builder);
    if (settings.thresholdsOfStore()) {
      return;
    }
    builder
        .add(
            DisplayData.item("thresholdHigh", semantics.high())
                .withLabel("Candidates from which a list is large"))
        .add(
            DisplayData.item("thresholdLow", semantics.low())
                .withLabel("Candidates at which a list is small again"));
  }
}
