package dev.tidemark.upsert;

import com.google.auto.value.AutoValue;
import dev.tidemark.candidates.UpsertSemantics.HardBound;
import dev.tidemark.candidates.UpsertStrategy;
import dev.tidemark.schematransform.Configuring;
import java.util.List;
import org.apache.beam.sdk.schemas.AutoValueSchema;
import org.apache.beam.sdk.schemas.annotations.DefaultSchema;
import org.apache.beam.sdk.schemas.annotations.SchemaFieldDescription;
import org.apache.beam.sdk.schemas.transforms.providers.ErrorHandling;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;

/** The fields of {@link MaterializeUpsertsSchemaTransformProvider}. */
@AutoValue
@DefaultSchema(AutoValueSchema.class)
@SuppressWarnings("AutoValueImmutableFields") // Beam's schemas make mutable collections
abstract class MaterializeUpsertsConfig {
  @SchemaFieldDescription(
      "The columns by which the sink tells its rows apart. State is bound to them.")
  abstract List<String> getSinkKey();

  @SchemaFieldDescription(
      "The columns by which the input tells its rows apart; set it whenever the input has such a key."
          + " State is bound to them. Default: none, a retraction has to tell the whole row as it was added.")
  abstract @Nullable List<String> getUpsertKey();

  @SchemaFieldDescription(
      "How upsert keys that contain FLOAT or DOUBLE are compared: LEGACY, VALUE, MAP or ADAPTIVE."
          + " Default: ADAPTIVE.")
  abstract @Nullable String getStrategy();

  @SchemaFieldDescription(
      "From how many candidates on a list is stored as linked nodes; needs low_threshold. Default: 400"
          + " with a store that keeps records in memory, 50 with others.")
  abstract @Nullable Integer getHighThreshold();

  @SchemaFieldDescription(
      "At how many candidates a list goes back into one record; needs high_threshold. Default: 300 with"
          + " a store that keeps records in memory, 40 with others.")
  abstract @Nullable Integer getLowThreshold();

  @SchemaFieldDescription(
      "Seconds of processing time after which a key is forgotten that was not touched. Default: never.")
  abstract @Nullable Long getTimeToLiveSeconds();

  @SchemaFieldDescription(
      "Shards, into which sink keys fall by their hash, 1 to 32768; fixed for the life of the state."
          + " Default: 1024.")
  abstract @Nullable Integer getShards();

  @SchemaFieldDescription(
      "INT64 column in whose order the changes of a shard are processed. Default: the order of arrival.")
  abstract @Nullable String getOrderBy();

  @SchemaFieldDescription(
      "Whether the changes of a shard are processed in the order of the source's log. Default: false.")
  abstract @Nullable Boolean getOrderByPosition();

  @SchemaFieldDescription("Most changes of a batch of one shard, 1 to 100000. Default: 1000.")
  abstract @Nullable Integer getBatchRows();

  @SchemaFieldDescription("From how many bytes on a batch leaves, 1 to 16777216. Default: 1048576.")
  abstract @Nullable Integer getBatchBytes();

  @SchemaFieldDescription("Milliseconds that a batch waits for more changes. Default: 500.")
  abstract @Nullable Long getBatchAgeMillis();

  @SchemaFieldDescription(
      "Additions to lists of more candidates than this are counted as beyondSoftBound. Default: none.")
  abstract @Nullable Integer getSoftBound();

  @SchemaFieldDescription("Most candidates of a key; needs at_hard_bound. Default: none.")
  abstract @Nullable Integer getHardBound();

  @SchemaFieldDescription(
      "What happens to an addition beyond hard_bound: FAIL or DROP_OLDEST. Default: none.")
  abstract @Nullable String getAtHardBound();

  @SchemaFieldDescription(
      "Whether the input has nothing but +I changes of keys that differ, which are passed through"
          + " without state. Default: false.")
  abstract @Nullable Boolean getInsertOnly();

  @SchemaFieldDescription(
      "Bytes of memory for all stores of a worker process. Default: what the runner's options say, or"
          + " 268435456.")
  abstract @Nullable Long getStoreMemoryBytes();

  @SchemaFieldDescription(
      "Local folder of workers for the files of stores. Default: what the runner's options say, or"
          + " java.io.tmpdir.")
  abstract @Nullable String getStoreDirectory();

  @SchemaFieldDescription("Folder of an export whose state to begin with. Default: none.")
  abstract @Nullable String getInitialState();

  @SchemaFieldDescription("Folder to export the state to at the end of the input. Default: none.")
  abstract @Nullable String getExport();

  @SchemaFieldDescription(
      "Where changes go that lack what it takes to process them. Default: the first one fails the"
          + " pipeline.")
  abstract @Nullable ErrorHandling getErrorHandling();

  /** The transform. */
  MaterializeUpserts transform() {
    Configuring.together("high_threshold", getHighThreshold(), "low_threshold", getLowThreshold());
    Configuring.together("hard_bound", getHardBound(), "at_hard_bound", getAtHardBound());
    return Configuring.of(MaterializeUpserts.create())
        .set("sink_key", getSinkKey(), (t, key) -> t.withSinkKey(key.toArray(new String[0])))
        .set("upsert_key", getUpsertKey(), (t, key) -> t.withUpsertKey(key.toArray(new String[0])))
        .set(
            "strategy",
            getStrategy(),
            (t, name) -> t.withStrategy(Configuring.constant(UpsertStrategy.class, name)))
        .set(
            "high_threshold",
            getHighThreshold(),
            (t, high) -> t.withThresholds(high, getLowThreshold()))
        .set(
            "time_to_live_seconds",
            getTimeToLiveSeconds(),
            (t, seconds) -> t.withTimeToLive(Duration.standardSeconds(seconds)))
        .set("shards", getShards(), MaterializeUpserts::withShards)
        .set("order_by", getOrderBy(), MaterializeUpserts::withOrderBy)
        .setIf("order_by_position", getOrderByPosition(), MaterializeUpserts::withOrderByPosition)
        .set("batch_rows", getBatchRows(), MaterializeUpserts::withBatchRows)
        .set("batch_bytes", getBatchBytes(), MaterializeUpserts::withBatchBytes)
        .set(
            "batch_age_millis",
            getBatchAgeMillis(),
            (t, millis) -> t.withBatchAge(Duration.millis(millis)))
        .set("soft_bound", getSoftBound(), MaterializeUpserts::withSoftBound)
        .set(
            "hard_bound",
            getHardBound(),
            (t, bound) ->
                t.withHardBound(bound, Configuring.constant(HardBound.class, getAtHardBound())))
        .setIf("insert_only", getInsertOnly(), MaterializeUpserts::withInsertOnly)
        .set("store_memory_bytes", getStoreMemoryBytes(), MaterializeUpserts::withStoreMemory)
        .set("store_directory", getStoreDirectory(), MaterializeUpserts::withStoreDirectory)
        .set("initial_state", getInitialState(), MaterializeUpserts::withInitialState)
        .set("export", getExport(), MaterializeUpserts::withExport)
        .get();
  }
}
