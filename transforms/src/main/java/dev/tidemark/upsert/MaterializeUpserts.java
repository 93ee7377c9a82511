package dev.tidemark.upsert;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.tidemark.candidates.CandidateStoreProvider;
import dev.tidemark.candidates.KeyedChanges;
import dev.tidemark.candidates.UpsertSemantics;
import dev.tidemark.candidates.UpsertSemantics.HardBound;
import dev.tidemark.candidates.UpsertStrategy;
import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import java.io.Serializable;
import java.time.Clock;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.TypeName;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.transforms.errorhandling.ErrorHandler;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.TupleTagList;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns a changelog with retractions into upserts and deletes by the key of a sink.
 *
 * <pre>{@code
 * MaterializeUpsertsResult totals =
 *     joined.apply(
 *         "Totals",
 *         MaterializeUpserts.create()
 *             .withSinkKey("customer_id")
 *             .withUpsertKey("customer_id", "order_id"));
 * PCollection<Change> upserts = totals.changes();
 * PCollection<BadRecord> failed = totals.failed();
 * }</pre>
 *
 * <p>A sink key has a list of candidates, the rows that were added and not retracted, in order of
 * arrival; the last one is what the sink shows. That is how Flink SQL's sink upsert materializer
 * works, whose strategies {@link UpsertStrategy} names. The package documentation has the rules.
 *
 * <p>The changes of one key have to arrive in order, see {@link #withOrderBy}. State is exactly as
 * consistent as the runner's: after a failure the same changes give the same output. Runs on
 * bounded and unbounded input, in the global window. Needs one store of candidates on the class
 * path, {@code dev.tidemark:tidemark-state-backend}.
 *
 * <p>The names of the steps hold the keys, so that a graph tells what each stage is for.
 */
@AutoValue
public abstract class MaterializeUpserts
    extends PTransform<PCollection<Change>, MaterializeUpsertsResult> {
  private static final Logger LOG = LoggerFactory.getLogger(MaterializeUpserts.class);
  private static final int DEFAULT_SHARDS = 1_024;
  private static final int DEFAULT_BATCH_ROWS = 1_000;
  private static final int DEFAULT_BATCH_BYTES = 1 << 20;
  private static final int MAX_BATCH_ROWS = 100_000;
  private static final int MAX_BATCH_BYTES = 16 << 20;
  private static final Duration DEFAULT_BATCH_AGE = Duration.millis(500);

  MaterializeUpserts() {}

  abstract ImmutableList<String> sinkKey();

  abstract @Nullable ImmutableList<String> upsertKey();

  abstract UpsertStrategy strategy();

  abstract @Nullable Thresholds thresholds();

  abstract Duration timeToLive();

  abstract int shards();

  abstract ChangeOrder order();

  abstract int batchRows();

  abstract int batchBytes();

  abstract Duration batchAge();

  abstract int softBound();

  abstract int hardBound();

  abstract HardBound atHardBound();

  abstract boolean insertOnly();

  abstract StoreChoice store();

  abstract StateMoves moves();

  abstract @Nullable ErrorHandler<BadRecord, ?> badRecordErrorHandler();

  abstract Clock clock();

  abstract @Nullable CandidateStoreProvider storeProvider();

  abstract Builder toBuilder();

  /** When a list becomes large, and small again. */
  record Thresholds(int high, int low) implements Serializable {}

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder sinkKey(ImmutableList<String> columns);

    abstract Builder upsertKey(ImmutableList<String> columns);

    abstract Builder strategy(UpsertStrategy strategy);

    abstract Builder thresholds(Thresholds thresholds);

    abstract Builder timeToLive(Duration timeToLive);

    abstract Builder shards(int shards);

    abstract Builder order(ChangeOrder order);

    abstract Builder batchRows(int rows);

    abstract Builder batchBytes(int bytes);

    abstract Builder batchAge(Duration age);

    abstract Builder softBound(int candidates);

    abstract Builder hardBound(int candidates);

    abstract Builder atHardBound(HardBound policy);

    abstract Builder insertOnly(boolean insertOnly);

    abstract Builder store(StoreChoice store);

    abstract Builder moves(StateMoves moves);

    abstract Builder badRecordErrorHandler(ErrorHandler<BadRecord, ?> handler);

    abstract Builder clock(Clock clock);

    abstract Builder storeProvider(CandidateStoreProvider provider);

    abstract MaterializeUpserts build();
  }

  /** Materializes with the defaults; the sink key is still to be set. */
  public static MaterializeUpserts create() {
    return new AutoValue_MaterializeUpserts.Builder()
        .sinkKey(ImmutableList.of())
        .strategy(UpsertStrategy.ADAPTIVE)
        .timeToLive(Duration.ZERO)
        .shards(DEFAULT_SHARDS)
        .order(ChangeOrder.ARRIVAL)
        .batchRows(DEFAULT_BATCH_ROWS)
        .batchBytes(DEFAULT_BATCH_BYTES)
        .batchAge(DEFAULT_BATCH_AGE)
        .softBound(0)
        .hardBound(0)
        .atHardBound(HardBound.FAIL)
        .insertOnly(false)
        .store(StoreChoice.NONE)
        .moves(StateMoves.NONE)
        .clock(Clock.systemUTC())
        .build();
  }

  /**
   * Sets the columns by which the sink tells its rows apart. Required. Null is a value like any
   * other. State is bound to them.
   */
  public MaterializeUpserts withSinkKey(String... columns) {
    return toBuilder().sinkKey(checkColumns("sink key", columns)).build();
  }

  /**
   * Sets the columns by which the input tells its rows apart: an addition replaces the candidate
   * with the same values, and a retraction removes it. Default: none, a retraction has to tell the
   * whole row as it was added, and an addition never replaces. State is bound to them.
   *
   * <p>Set it whenever the input has such a key. Without it, any column that is not the same in an
   * addition and its retraction (a time of processing, a random number) makes candidates pile up.
   */
  public MaterializeUpserts withUpsertKey(String... columns) {
    return toBuilder().upsertKey(checkColumns("upsert key", columns)).build();
  }

  /**
   * Sets how upsert keys that contain FLOAT or DOUBLE are compared; without them all strategies
   * give the same. Default: {@link UpsertStrategy#ADAPTIVE}.
   */
  public MaterializeUpserts withStrategy(UpsertStrategy strategy) {
    return toBuilder().strategy(strategy).build();
  }

  /**
   * Sets from how many candidates on a list is stored as linked nodes, and at how many it goes back
   * into one record, with {@code 0 <= low < high}. Default: 400 and 300 with a store that keeps
   * records in memory, 50 and 40 with others. Higher values make short lists cheaper and long ones
   * dearer.
   */
  public MaterializeUpserts withThresholds(int high, int low) {
    UpsertSemantics.of(strategy()).withThresholds(high, low);
    return toBuilder().thresholds(new Thresholds(high, low)).build();
  }

  /**
   * Forgets a key so long, in processing time, after its last addition or matched retraction.
   * Default: never. Positive. What is forgotten is not deleted in the sink: the next addition of
   * the key is {@code +I}, and retractions of what was forgotten find nothing. Keys are removed
   * when their shard has other changes, a bounded number of bytes at a time.
   */
  public MaterializeUpserts withTimeToLive(Duration timeToLive) {
    checkArgument(
        timeToLive.isLongerThan(Duration.ZERO),
        "Invalid time to live: %s (must be positive)",
        timeToLive);
    return toBuilder().timeToLive(timeToLive).build();
  }

  /**
   * Sets the number of shards, into which sink keys fall by their hash. Default 1,024, from 1 to
   * 32,768. Fixed for the life of the state: another number is refused. {@link
   * UpsertStates#reshard} makes exported state of another number. A shard is what a worker rebuilds
   * at once after a failure, so more shards make state per shard smaller; they also make batches
   * smaller. At least four times the highest parallelism.
   */
  public MaterializeUpserts withShards(int shards) {
    return toBuilder().shards(MaterializeBatches.checkShards(shards)).build();
  }

  /**
   * Processes the changes of a shard in the order of this INT64 column. Default: in the order of
   * arrival, which is right where the exchange between two stages keeps the order, as Flink's do,
   * and the changes of a key come from one instance of the stage before.
   *
   * <p>Changes wait until the input watermark has passed their timestamps, and are then sorted;
   * equal values stay in the order of arrival. So a key's sequence must not go back as its
   * timestamps go on. A change behind the watermark is processed at once and counted as {@code
   * lateChanges}.
   */
  public MaterializeUpserts withOrderBy(String sequenceColumn) {
    checkArgument(!sequenceColumn.isEmpty(), "Invalid sequence column: its name must not be empty");
    return toBuilder().order(ChangeOrder.column(sequenceColumn)).build();
  }

  /** As {@link #withOrderBy}, in the order of {@link Change#position()}. */
  public MaterializeUpserts withOrderByPosition() {
    return toBuilder().order(ChangeOrder.POSITION).build();
  }

  /**
   * Sets the most changes of a batch of one shard. Default 1,000, from 1 to 100,000. Larger batches
   * cost less for each change.
   */
  public MaterializeUpserts withBatchRows(int rows) {
    checkArgument(
        rows >= 1 && rows <= MAX_BATCH_ROWS,
        "Invalid rows of a batch: %s (must be >= 1 and <= %s)",
        rows,
        MAX_BATCH_ROWS);
    return toBuilder().batchRows(rows).build();
  }

  /**
   * Sets from how many bytes on a batch leaves. Default 1 MiB, from 1 byte to 16 MiB. Larger
   * batches take more memory.
   */
  public MaterializeUpserts withBatchBytes(int bytes) {
    checkArgument(
        bytes >= 1 && bytes <= MAX_BATCH_BYTES,
        "Invalid bytes of a batch: %s (must be >= 1 and <= %s)",
        bytes,
        MAX_BATCH_BYTES);
    return toBuilder().batchBytes(bytes).build();
  }

  /**
   * Sets how long a batch waits for more changes. Default 500 milliseconds, at least 0. Longer
   * waits make larger batches. It is looked at whenever a change arrives, of whatever shard; where
   * none arrives, a batch leaves at the end of the bundle, which is the next checkpoint at the
   * latest.
   */
  public MaterializeUpserts withBatchAge(Duration age) {
    checkArgument(
        !age.isShorterThan(Duration.ZERO), "Invalid age of a batch: %s (must be >= PT0S)", age);
    return toBuilder().batchAge(age).build();
  }

  /**
   * Counts additions to lists of more than this many candidates, as {@code beyondSoftBound}.
   * Default: none. At least 1.
   */
  public MaterializeUpserts withSoftBound(int candidates) {
    checkArgument(candidates >= 1, "Invalid soft bound: %s candidates (must be >= 1)", candidates);
    return toBuilder().softBound(candidates).build();
  }

  /**
   * Sets the most candidates of a key, and what happens to an addition beyond. Default: none. At
   * least 1, and not below the soft bound.
   */
  public MaterializeUpserts withHardBound(int candidates, HardBound policy) {
    checkArgument(candidates >= 1, "Invalid hard bound: %s candidates (must be >= 1)", candidates);
    return toBuilder().hardBound(candidates).atHardBound(policy).build();
  }

  /**
   * Says that the input has nothing but {@code +I} changes of keys that differ. They are passed
   * through as they are, without exchange, state and store; other kinds fail. Default: off.
   *
   * <p>A collection of changes does not tell what is in it before it runs, so this has to be said.
   */
  public MaterializeUpserts withInsertOnly() {
    return toBuilder().insertOnly(true).build();
  }

  /**
   * Sets the memory for all stores of a worker process, in bytes. Default: what the runner's
   * options say, or 256 MiB. At least 1 MiB. More memory keeps more candidates out of files. Better
   * said by the runner's options: one store that opens first decides for all of its process.
   */
  public MaterializeUpserts withStoreMemory(long bytes) {
    return toBuilder().store(store().withMemoryBytes(bytes)).build();
  }

  /**
   * Sets the local directory for the files of stores. Default: what the runner's options say, or
   * {@code java.io.tmpdir}.
   */
  public MaterializeUpserts withStoreDirectory(String directory) {
    return toBuilder().store(store().withDirectory(directory)).build();
  }

  /**
   * Begins with the state of an export, which {@link #withExport} or {@link UpsertStates#reshard}
   * wrote. Default: with nothing. It has to have the same number of shards, keys, schema, strategy
   * and time to live; what differs is named when the pipeline is built.
   *
   * <p>Each shard takes its image over before it does anything else, soon after the first change of
   * the pipeline, and its state says so from then on: an attempt that is restored takes over what
   * is missing, and nothing twice. A shard that has state already which began otherwise is refused.
   * So leave the option as it is when the pipeline is restored; images are needed until there is a
   * checkpoint or savepoint after {@code importedShards} has come to the number of shards, the
   * manifest for as long as the option is set.
   */
  public MaterializeUpserts withInitialState(String directory) {
    return toBuilder().moves(moves().withFrom(directory)).build();
  }

  /**
   * Exports the state to a directory at the end of the input, which is when a bounded pipeline ends
   * or a job on Flink is stopped with {@code --drain}. Default: nowhere. The directory may be on
   * any file system that Beam knows, and must not have an export yet.
   *
   * <p>Each shard writes an image under a name of its own; when all are there, a manifest names
   * them. There is an export if there is a manifest and the job has finished: a job that fails
   * while it drains goes on from its last checkpoint, and what it exported is void until it drains
   * again. What the manifest does not name is of failed attempts, and can be deleted. A pipeline
   * that never gets a change exports nothing.
   */
  public MaterializeUpserts withExport(String directory) {
    return toBuilder().moves(moves().withTo(directory)).build();
  }

  /** Hands the failed changes to a handler as well. Default: none; they are in the result only. */
  public MaterializeUpserts withBadRecordErrorHandler(ErrorHandler<BadRecord, ?> handler) {
    return toBuilder().badRecordErrorHandler(handler).build();
  }

  MaterializeUpserts withClock(Clock clock) {
    return toBuilder().clock(clock).build();
  }

  /** Keeps candidates in stores of this serializable provider. Default: that on the class path. */
  MaterializeUpserts withStoreProvider(CandidateStoreProvider provider) {
    return toBuilder().storeProvider(provider).build();
  }

  private static ImmutableList<String> checkColumns(String what, String... columns) {
    ImmutableList<String> list = ImmutableList.copyOf(columns);
    checkArgument(!list.isEmpty(), "Invalid %s: it must have a column", what);
    checkArgument(
        ImmutableSet.copyOf(list).size() == list.size(),
        "Invalid %s: %s (each column must be named once)",
        what,
        list);
    return list;
  }

  /**
   * Materializes {@link dev.tidemark.arrow.ChangeBatch}es of rows of a schema, with what was set
   * here. Rows of the schema have to be readable from the columns of all batches, which must not
   * have others.
   *
   * @throws IllegalArgumentException if an order was set: batches are processed as they arrive
   */
  public MaterializeChangeBatches onBatches(Schema schema) {
    return MaterializeChangeBatches.of(this, schema);
  }

  /** Checks what no single option can tell. */
  void check() {
    checkArgument(!sinkKey().isEmpty(), "Missing required value: sink key. Set withSinkKey(...)");
    checkArgument(
        softBound() == 0 || hardBound() == 0 || softBound() <= hardBound(),
        "Invalid bounds: soft %s and hard %s candidates (the soft one must not be above the hard one)",
        softBound(),
        hardBound());
    checkArgument(
        !insertOnly() || !moves().any(),
        "Invalid options: withInsertOnly() keeps no state, and withInitialState or withExport is set. Remove either");
  }

  UpsertEncodings encodings(Schema schema) {
    return UpsertEncodings.of(schema, sinkKey(), upsertKey());
  }

  BatchLimits batchLimits() {
    return BatchLimits.of(batchRows(), batchBytes(), batchAge().getMillis());
  }

  @Override
  public MaterializeUpsertsResult expand(PCollection<Change> input) {
    check();
    MaterializeBatches.checkWindows(input);
    ChangeCoder coder = coder(input);
    UpsertEncodings encodings = encodings(coder.schema());
    checkSequence(coder.schema());
    MaterializeUpsertsResult result =
        insertOnly() ? passInserts(input, coder) : materialize(input, encodings);
    ErrorHandler<BadRecord, ?> handler = badRecordErrorHandler();
    if (handler != null) {
      handler.addErrorCollection(result.failed());
    }
    return result;
  }

  private static ChangeCoder coder(PCollection<Change> input) {
    if (input.getCoder() instanceof ChangeCoder coder) {
      return coder;
    }
    throw new IllegalArgumentException(
        String.format(
            "Invalid coder of the changes: %s (must be a ChangeCoder, which has the schema). Set ChangeCoder.of(schema) on the input",
            input.getCoder()));
  }

  private void checkSequence(Schema schema) {
    String sequence = order().column();
    if (sequence == null) {
      return;
    }
    checkArgument(
        schema.hasField(sequence),
        "Invalid sequence column: no column %s (must be among %s)",
        sequence,
        schema.getFieldNames());
    TypeName type = schema.getField(sequence).getType().getTypeName();
    checkArgument(
        type == TypeName.INT64,
        "Invalid sequence column: %s of type %s (must be INT64)",
        sequence,
        type);
  }

  private MaterializeUpsertsResult passInserts(PCollection<Change> input, ChangeCoder coder) {
    PCollectionTuple passed =
        input.apply(
            "PassInserts",
            ParDo.of(new InsertOnlyFn(coder))
                .withOutputTags(InsertOnlyFn.INSERTS, TupleTagList.of(PackFn.FAILED)));
    return new MaterializeUpsertsResult(
        passed.get(InsertOnlyFn.INSERTS).setCoder(coder), failed(passed));
  }

  void warnWithoutUpsertKey() {
    if (upsertKey() == null) {
      LOG.warn(
          "Changes are materialized by sink key {} without an upsert key: a retraction has to tell the whole row"
              + " as it was added. A column that is not the same in both makes candidates pile up, which the"
              + " metrics unmatchedKeyKnown and longestList show. Set withUpsertKey(...) if the input has a key",
          sinkKey());
    }
  }

  private MaterializeUpsertsResult materialize(
      PCollection<Change> input, UpsertEncodings encodings) {
    warnWithoutUpsertKey();
    CandidateSettings settings = settings(encodings);
    PCollectionTuple packed =
        input.apply(
            "PackByShard",
            ParDo.of(new PackFn(encodings, order(), shards(), batchLimits(), clock()))
                .withOutputTags(PackFn.BATCHES, TupleTagList.of(PackFn.FAILED)));
    PCollection<KV<Integer, KeyedChanges>> batches =
        packed.get(PackFn.BATCHES).setCoder(KvCoder.of(VarIntCoder.of(), KeyedChangesCoder.of()));
    String name = "KeepCandidates(" + keys() + ")";
    PCollection<MaterializedBatch> materialized =
        order().sorts()
            ? sortAndKeep(batches, name, settings.on(batches).resolved())
            : batches.apply(name, MaterializeBatches.of(settings));
    materialized.setCoder(MaterializedBatchCoder.of());
    PCollection<Change> changes =
        materialized
            .apply("EmitChanges", ParDo.of(new EmitChangesFn(encodings.rows())))
            .setCoder(ChangeCoder.of(encodings.rows().schema()));
    return new MaterializeUpsertsResult(changes, failed(packed));
  }

  private PCollection<MaterializedBatch> sortAndKeep(
      PCollection<KV<Integer, KeyedChanges>> batches, String name, CandidateSettings settings) {
    SortAndMaterializeFn fn = new SortAndMaterializeFn(settings, order());
    return KeepAndMove.apply(batches, name, "SortAndMaterialize", fn, settings);
  }

  private static PCollection<BadRecord> failed(PCollectionTuple outputs) {
    PCollection<BadRecord> failed = outputs.get(PackFn.FAILED);
    return failed.setCoder(BadRecord.getCoder(failed.getPipeline()));
  }

  CandidateSettings settings(UpsertEncodings encodings) {
    Thresholds thresholds = thresholds();
    UpsertSemantics semantics =
        UpsertSemantics.of(strategy())
            .withTtlMillis(timeToLive().getMillis())
            .withSoftBound(softBound())
            .withHardBound(hardBound(), atHardBound())
            .withDescription(encodings.description());
    KeyEncoding upsertKey = encodings.upsertKey();
    if (upsertKey != null) {
      semantics =
          upsertKey.isFloatKey() ? semantics.withFloatUpsertKey(false) : semantics.withUpsertKey();
    }
    if (thresholds != null) {
      semantics = semantics.withThresholds(thresholds.high(), thresholds.low());
    }
    return CandidateSettings.builder()
        .semantics(semantics)
        .thresholdsOfStore(thresholds == null)
        .nanOfStore(true)
        .shards(shards())
        .store(store())
        .moves(moves())
        .clock(clock())
        .provider(storeProvider())
        .build();
  }

  /**
   * What the state is of, as a graph shows it. It is in the name of the step, so that a runner that
   * finds state by names refuses that of others as a whole, before a shard without state of its own
   * has put out anything.
   */
  String keys() {
    ImmutableList<String> upsertKey = upsertKey();
    return String.format(
        "sink key %s; upsert key %s; %d shards",
        Joiner.on(',').join(sinkKey()),
        upsertKey == null ? "none" : Joiner.on(',').join(upsertKey),
        shards());
  }

  @Override
  public void validate(PipelineOptions options) {
    if (!insertOnly() && storeProvider() == null) {
      CandidateStores.provider();
    }
  }

  @Override
  protected String getKindString() {
    return sinkKey().isEmpty()
        ? "MaterializeUpserts"
        : "MaterializeUpserts(" + Joiner.on(',').join(sinkKey()) + ")";
  }

  @Override
  public void populateDisplayData(DisplayData.Builder builder) {
    super.populateDisplayData(builder);
    UpsertsDisplayData.add(this, builder);
  }
}
