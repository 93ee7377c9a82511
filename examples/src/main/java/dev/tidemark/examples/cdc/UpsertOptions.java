package dev.tidemark.examples.cdc;

import dev.tidemark.candidates.UpsertStrategy;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;

/** How changes become upserts and deletes by key. */
public interface UpsertOptions extends PipelineOptions {
  /** In which order the changes of a key are taken. */
  enum UpsertOrder {
    /** As they arrive, which is the order of a Kafka partition. */
    ARRIVAL,
    /** By their position in the source's log; changes wait for the input watermark. */
    POSITION
  }

  /** See the description. */
  @Description(
      "Order of the changes of a key: ARRIVAL, for topics keyed by the table's primary key, or POSITION"
          + " in the source's log, for which changes wait until the input watermark has passed them."
          + " Default: ARRIVAL. Example: --upsertOrder=POSITION")
  @Default.Enum("ARRIVAL")
  @Parameter(label = "Order of changes")
  UpsertOrder getUpsertOrder();

  /** Sets {@link #getUpsertOrder()}. */
  void setUpsertOrder(UpsertOrder value);

  /** See the description. */
  @Description(
      "Shards of the keys of a table. Fixed for the life of the state; at least four times the highest"
          + " parallelism. Default: 1024. Example: --upsertShards=256")
  @Default.Integer(1_024)
  @Parameter(label = "Shards of keys", min = 1, max = 32_768)
  int getUpsertShards();

  /** Sets {@link #getUpsertShards()}. */
  void setUpsertShards(int value);

  /** See the description. */
  @Description(
      "How keys that contain floating-point columns are compared: ADAPTIVE, LEGACY, VALUE or MAP. Fixed"
          + " for the life of the state. Default: ADAPTIVE. Example: --upsertStrategy=MAP")
  @Default.Enum("ADAPTIVE")
  @Parameter(label = "Strategy")
  UpsertStrategy getUpsertStrategy();

  /** Sets {@link #getUpsertStrategy()}. */
  void setUpsertStrategy(UpsertStrategy value);

  /** See the description. */
  @Description(
      "Hours of processing time after its last change at which a key is forgotten. Fixed for the life of"
          + " the state. Default: 0, never. Example: --upsertTimeToLiveHours=720")
  @Default.Integer(0)
  @Parameter(label = "Time to live in hours", min = 0, max = 1_000_000)
  int getUpsertTimeToLiveHours();

  /** Sets {@link #getUpsertTimeToLiveHours()}. */
  void setUpsertTimeToLiveHours(int value);

  /** See the description. */
  @Description(
      "Most changes of a batch of one shard. Default: 1000. Example: --upsertBatchRows=5000")
  @Default.Integer(1_000)
  @Parameter(label = "Changes of a batch", min = 1, max = 100_000)
  int getUpsertBatchRows();

  /** Sets {@link #getUpsertBatchRows()}. */
  void setUpsertBatchRows(int value);

  /** See the description. */
  @Description(
      "Milliseconds that a batch waits for more changes. Default: 500."
          + " Example: --upsertBatchAgeMillis=100")
  @Default.Integer(500)
  @Parameter(label = "Wait of a batch in milliseconds", min = 0)
  int getUpsertBatchAgeMillis();

  /** Sets {@link #getUpsertBatchAgeMillis()}. */
  void setUpsertBatchAgeMillis(int value);

  /** See the description. */
  @Description(
      "Memory for the stores of candidates of a worker process, in MiB. Default: 0, which is what"
          + " --candidateStoreMemoryMb says on Flink, or else 256. Example: --upsertStoreMemoryMb=1024")
  @Default.Integer(0)
  @Parameter(label = "Memory of stores in MiB", min = 0, max = 1_048_576)
  int getUpsertStoreMemoryMb();

  /** Sets {@link #getUpsertStoreMemoryMb()}. */
  void setUpsertStoreMemoryMb(int value);

  /** See the description. */
  @Description(
      "Local folder of workers for the files of stores. Default: that of --candidateStoreDirectory on"
          + " Flink, or else the JVM's java.io.tmpdir."
          + " Example: --upsertStoreDirectory=/data/tidemark")
  @Default.String("")
  @Parameter(label = "Folder of stores")
  String getUpsertStoreDirectory();

  /** Sets {@link #getUpsertStoreDirectory()}. */
  void setUpsertStoreDirectory(String value);
}
