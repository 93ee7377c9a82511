package dev.tidemark.doris;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.tidemark.streamload.DorisCluster;
import dev.tidemark.streamload.Labels;
import dev.tidemark.streamload.LoadRequest;
import dev.tidemark.streamload.RetryPolicy;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.ValueProvider;
import org.apache.beam.sdk.options.ValueProvider.StaticValueProvider;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.transforms.errorhandling.ErrorHandler;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.TupleTag;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;

/** Writes rows, changes or batches of changes to Doris; see {@link DorisIO}. */
@AutoValue
public abstract class DorisWrite extends PTransform<PCollection<?>, DorisWriteResult> {
  private static final int DEFAULT_SHARDS = 4;
  private static final int MOST_SHARDS = 1_024;
  private static final int DEFAULT_ROWS = 500_000;
  private static final long DEFAULT_BYTES = 64L << 20;
  private static final long MOST_BYTES = 1L << 30;
  private static final Duration DEFAULT_AGE = Duration.standardSeconds(10);
  private static final int DEFAULT_CONCURRENCY = 4;
  private static final Duration DEFAULT_HEARTBEAT = Duration.standardSeconds(10);

  /** Headers that options of their own set, or that would undo what the write relies on. */
  private static final ImmutableSet<String> OWN_HEADERS =
      ImmutableSet.of(
          "delete",
          "function_column.sequence_col",
          "merge_type",
          "partial_columns",
          "unique_key_update_mode");

  DorisWrite() {}

  abstract ClusterSettings cluster();

  abstract @Nullable DorisDestinations destinations();

  abstract @Nullable String labelPrefix();

  abstract DeliveryMode delivery();

  abstract int shards();

  abstract int maxRows();

  abstract long maxBytes();

  abstract Duration maxAge();

  abstract ImmutableMap<String, String> headers();

  abstract LoadRules rules();

  abstract boolean refusedRowsInFailed();

  abstract int loadConcurrency();

  abstract Duration heartbeatInterval();

  abstract boolean launchCheck();

  abstract @Nullable ErrorHandler<BadRecord, ?> badRecordErrorHandler();

  abstract Clock clock();

  abstract Builder toBuilder();

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder cluster(ClusterSettings cluster);

    abstract Builder destinations(DorisDestinations destinations);

    abstract Builder labelPrefix(String prefix);

    abstract Builder delivery(DeliveryMode mode);

    abstract Builder shards(int shards);

    abstract Builder maxRows(int rows);

    abstract Builder maxBytes(long bytes);

    abstract Builder maxAge(Duration age);

    abstract Builder headers(ImmutableMap<String, String> headers);

    abstract Builder rules(LoadRules rules);

    abstract Builder refusedRowsInFailed(boolean output);

    abstract Builder loadConcurrency(int concurrency);

    abstract Builder heartbeatInterval(Duration interval);

    abstract Builder launchCheck(boolean check);

    abstract Builder badRecordErrorHandler(ErrorHandler<BadRecord, ?> handler);

    abstract Builder clock(Clock clock);

    abstract DorisWrite build();
  }

  static DorisWrite create() {
    return new AutoValue_DorisWrite.Builder()
        .cluster(ClusterSettings.none())
        .delivery(DeliveryMode.LABELS)
        .shards(DEFAULT_SHARDS)
        .maxRows(DEFAULT_ROWS)
        .maxBytes(DEFAULT_BYTES)
        .maxAge(DEFAULT_AGE)
        .headers(ImmutableMap.of())
        .rules(LoadRules.builder().build())
        .refusedRowsInFailed(false)
        .loadConcurrency(DEFAULT_CONCURRENCY)
        .heartbeatInterval(DEFAULT_HEARTBEAT)
        .launchCheck(true)
        .clock(Clock.systemUTC())
        .build();
  }

  /**
   * The frontends, {@code host:port} or {@code https://host:port}, tried in turn. Required.
   *
   * @see dev.tidemark.streamload.DorisCluster
   */
  public DorisWrite withFrontends(String... frontends) {
    checkArgument(frontends.length > 0, "Invalid frontends: none (must be one or more)");
    checkAddresses(List.of(frontends));
    return withFrontends(StaticValueProvider.of(List.of(frontends)));
  }

  /** As {@link #withFrontends(String...)}, told when the pipeline runs. */
  public DorisWrite withFrontends(ValueProvider<List<String>> frontends) {
    return withCluster(cluster().toBuilder().frontends(frontends).build());
  }

  /** Sends loads to these backends in turn, {@code host:port}. Default: a frontend names one. */
  public DorisWrite withBackends(String... backends) {
    checkAddresses(List.of(backends));
    return withCluster(cluster().toBuilder().backends(List.of(backends)).build());
  }

  /** Refuses, among others, credentials in an address, which would be shown. */
  private static void checkAddresses(List<String> addresses) {
    if (!addresses.isEmpty()) {
      DorisCluster.of(addresses, "user", "");
    }
  }

  /** The user. Required. Never shown. */
  public DorisWrite withUser(String user) {
    return withUser(StaticValueProvider.of(user));
  }

  /** As {@link #withUser(String)}, told when the pipeline runs. */
  public DorisWrite withUser(ValueProvider<String> user) {
    return withCluster(cluster().toBuilder().user(user).build());
  }

  /** The password. Required, may be empty. Never shown. */
  public DorisWrite withPassword(String password) {
    return withPassword(StaticValueProvider.of(password));
  }

  /** As {@link #withPassword(String)}, told when the pipeline runs. */
  public DorisWrite withPassword(ValueProvider<String> password) {
    return withCluster(cluster().toBuilder().password(password).build());
  }

  /**
   * Trusts the certificates of a key store (PKCS12 or JKS) on the workers instead of the JVM's. The
   * password is never shown.
   */
  public DorisWrite withTrustStore(String file, String password) {
    return withTrustStore(StaticValueProvider.of(file), StaticValueProvider.of(password));
  }

  /** As {@link #withTrustStore(String, String)}, told when the pipeline runs. */
  public DorisWrite withTrustStore(ValueProvider<String> file, ValueProvider<String> password) {
    return withCluster(cluster().toBuilder().trustStore(file).trustStorePassword(password).build());
  }

  /** Gives up connecting after this. Default 10 seconds, at least a millisecond. */
  public DorisWrite withConnectTimeout(Duration timeout) {
    return withCluster(cluster().toBuilder().connectTimeout(positive("connect", timeout)).build());
  }

  /**
   * Gives up a load, from its first byte to the answer, after this. Default 10 minutes, at least a
   * millisecond.
   */
  public DorisWrite withLoadTimeout(Duration timeout) {
    return withCluster(cluster().toBuilder().loadTimeout(positive("load", timeout)).build());
  }

  private static java.time.Duration positive(String what, Duration timeout) {
    checkArgument(
        timeout.isLongerThan(Duration.ZERO),
        "Invalid %s timeout: %s (must be positive)",
        what,
        timeout);
    return java.time.Duration.ofMillis(timeout.getMillis());
  }

  /** How failed requests are made again. Default {@link RetryPolicy#defaults()}. */
  public DorisWrite withRetryPolicy(RetryPolicy policy) {
    return withCluster(cluster().toBuilder().retryPolicy(policy).build());
  }

  private DorisWrite withCluster(ClusterSettings cluster) {
    return toBuilder().cluster(cluster).build();
  }

  /**
   * Writes everything to one table. This or {@link #to(DorisDestinations)} is required. A table
   * that is missing, or does not take the rows, fails the pipeline.
   */
  public DorisWrite to(DorisTable table) {
    return to(StaticValueProvider.of(table));
  }

  /** As {@link #to(DorisTable)}, told when the pipeline runs. */
  public DorisWrite to(ValueProvider<DorisTable> table) {
    return to(new OneTable(table));
  }

  /**
   * Writes each row to the table that a function names. A table that is missing, or does not take
   * the rows, fails its own rows and no others. Not for batches, which go to one table.
   */
  public DorisWrite to(DorisDestinations destinations) {
    return toBuilder().destinations(destinations).build();
  }

  /**
   * What the labels of this pipeline begin with. Required. It must stay the same when the pipeline
   * is restarted from its state, and must not be used by two live pipelines that write to a table.
   *
   * @throws IllegalArgumentException if it has other characters than {@code A-Za-z0-9_:-}
   */
  public DorisWrite withLabelPrefix(String prefix) {
    return toBuilder().labelPrefix(Labels.of(prefix).prefix()).build();
  }

  /** How each row comes to be in the table once. Default {@link DeliveryMode#LABELS}. */
  public DorisWrite withDelivery(DeliveryMode mode) {
    return toBuilder().delivery(mode).build();
  }

  /**
   * Into how many shards the keys of a table are cut; each is loaded in order, and all of them at
   * the same time. Default 4, from 1 to 1,024. More shards are more and smaller loads. To change
   * it, drain the pipeline: with another number, loads of a key that are still in state and those
   * that follow have no order. Steps have it in their names, so that runners that find state by
   * names, as Flink does, refuse to restore another.
   */
  public DorisWrite withShards(int shards) {
    checkArgument(
        shards >= 1 && shards <= MOST_SHARDS,
        "Invalid number of shards: %s (must be >= 1 and <= %s)",
        shards,
        MOST_SHARDS);
    return toBuilder().shards(shards).build();
  }

  /** The most rows of a load. Default 500,000, at least 1. Larger loads are fewer versions. */
  public DorisWrite withMaxRows(int rows) {
    checkArgument(rows >= 1, "Invalid most rows of a load: %s (must be >= 1)", rows);
    return toBuilder().maxRows(rows).build();
  }

  /**
   * About the most bytes of a load. Default 64 MiB, from 1 KiB to 1 GiB. A worker's thread has at
   * most twice as many bytes under way.
   */
  public DorisWrite withMaxBytes(long bytes) {
    checkArgument(
        bytes >= 1_024 && bytes <= MOST_BYTES,
        "Invalid most bytes of a load: %s (must be >= 1024 and <= %s)",
        bytes,
        MOST_BYTES);
    return toBuilder().maxBytes(bytes).build();
  }

  /**
   * About the longest time that rows wait for more rows, while others arrive. Default 10 s, at
   * least a millisecond. A load leaves at the end of a bundle in any case.
   */
  public DorisWrite withMaxAge(Duration age) {
    checkArgument(
        age.isLongerThan(Duration.ZERO), "Invalid longest wait of rows: %s (must be > 0)", age);
    return toBuilder().maxAge(age).build();
  }

  /**
   * Sends a header with each load, for example {@code max_filter_ratio} or {@code timeout}; may be
   * called several times.
   *
   * @throws IllegalArgumentException for a header that the write itself sets
   */
  public DorisWrite withHeader(String name, String value) {
    checkArgument(
        !OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT)),
        "Cannot set header %s: the write sets it where it is asked to. Use withSequenceColumn(...)"
            + " or withPartialUpdate(); deletes are written as the changes say",
        name);
    // Made to refuse what the protocol sets itself.
    LoadRequest.of("d", "t", "l", List.of("c"), List.of(new byte[1]))
        .withHeaders(ImmutableMap.of(name, value));
    ImmutableMap.Builder<String, String> all = ImmutableMap.builder();
    headers()
        .forEach(
            (other, otherValue) -> {
              if (!other.equalsIgnoreCase(name)) {
                all.put(other, otherValue);
              }
            });
    return toBuilder().headers(all.put(name, value).buildOrThrow()).build();
  }

  /**
   * Lets columns that are not written keep their values. Needs a table with UNIQUE KEY and
   * merge-on-write. Default: they get their defaults.
   */
  public DorisWrite withPartialUpdate() {
    return withRules(rules().toBuilder().partialUpdate(true).build());
  }

  /**
   * The column by which the server knows the last row of a key: that of the table's property {@code
   * function_column.sequence_col}. Needed for tables that have one. Default: none, the last row
   * that arrives counts.
   */
  public DorisWrite withSequenceColumn(String column) {
    checkArgument(!column.isEmpty(), "Invalid sequence column: it must not be empty");
    return withRules(rules().toBuilder().sequenceColumn(column).build());
  }

  /**
   * What the server takes timestamps for. Default {@link DatetimeEncoding#WALL_CLOCK}. The wall
   * clock of an instant is that of UTC.
   */
  public DorisWrite withDatetimeEncoding(DatetimeEncoding encoding) {
    return withRules(rules().toBuilder().datetimeEncoding(encoding).build());
  }

  /**
   * Columns that may be left out although they are NOT NULL, since the table has a default for
   * them, which Doris does not tell. Default: none.
   */
  public DorisWrite withDefaultedColumns(String... columns) {
    return withRules(rules().toBuilder().defaultedColumns(ImmutableSet.copyOf(columns)).build());
  }

  private DorisWrite withRules(LoadRules rules) {
    return toBuilder().rules(rules).build();
  }

  /**
   * Puts rows that the server refuses into the failed output, with its reason, and loads the
   * others. They are found by loading halves. Default: a load with such rows fails the pipeline.
   */
  public DorisWrite withRefusedRowsInFailed() {
    return toBuilder().refusedRowsInFailed(true).build();
  }

  /** How many shards one worker loads or commits at the same time. Default 4, at least 1. */
  public DorisWrite withLoadConcurrency(int concurrency) {
    checkArgument(
        concurrency >= 1, "Invalid load concurrency: %s (must be at least 1)", concurrency);
    return toBuilder().loadConcurrency(concurrency).build();
  }

  /** Processing time between two signs of life of an idle shard. Default 10 s, at least 10 ms. */
  public DorisWrite withHeartbeatInterval(Duration interval) {
    checkArgument(
        !interval.isShorterThan(Duration.millis(10)),
        "Invalid heartbeat interval: %s (must be at least PT0.010S)",
        interval);
    return toBuilder().heartbeatInterval(interval).build();
  }

  /**
   * Does not look at the table when the pipeline is launched, for launchers that do not reach the
   * cluster. Default: the table is looked at if all values are known then.
   */
  public DorisWrite withoutLaunchCheck() {
    return toBuilder().launchCheck(false).build();
  }

  /** Hands the failed rows to a handler as well. Default: none; they are in the result only. */
  public DorisWrite withBadRecordErrorHandler(ErrorHandler<BadRecord, ?> handler) {
    return toBuilder().badRecordErrorHandler(handler).build();
  }

  DorisWrite withClock(Clock clock) {
    return toBuilder().clock(clock).build();
  }

  DorisDestinations requiredDestinations() {
    return required("table", "to", destinations());
  }

  String requiredLabelPrefix() {
    return required("label prefix", "withLabelPrefix", labelPrefix());
  }

  private static <T> T required(String what, String method, @Nullable T value) {
    checkArgument(value != null, "Missing required value: %s. Set it with %s(...)", what, method);
    return value;
  }

  @Override
  public DorisWriteResult expand(PCollection<?> input) {
    cluster().checkComplete();
    requiredDestinations();
    requiredLabelPrefix();
    DorisWriteResult result = WriteExpansion.of(this, input).expand();
    ErrorHandler<BadRecord, ?> handler = badRecordErrorHandler();
    if (handler != null) {
      handler.addErrorCollection(result.failed());
    }
    return result;
  }

  @Override
  public void validate(
      @Nullable PipelineOptions options,
      Map<TupleTag<?>, PCollection<?>> inputs,
      Map<TupleTag<?>, PCollection<?>> outputs) {
    super.validate(options, inputs, outputs);
    if (launchCheck()
        && cluster().isAccessible()
        && destinations() instanceof OneTable one
        && one.table().isAccessible()) {
      for (PCollection<?> input : inputs.values()) {
        WriteExpansion.of(this, input).check(one.table().get());
      }
    }
  }

  @Override
  public void populateDisplayData(DisplayData.Builder builder) {
    super.populateDisplayData(builder);
    builder
        .addIfNotNull(
            cluster().frontends() == null
                ? null
                : DisplayData.item("frontends", cluster().frontends().toString())
                    .withLabel("Frontends"))
        .addIfNotDefault(
            DisplayData.item("backends", Joiner.on(',').join(cluster().backends()))
                .withLabel("Backends"),
            "")
        .addIfNotNull(destinationItem())
        .addIfNotNull(DisplayData.item("labelPrefix", labelPrefix()).withLabel("Label prefix"))
        .add(DisplayData.item("delivery", delivery().name()).withLabel("Delivery mode"))
        .add(DisplayData.item("shards", shards()).withLabel("Shards of a table"))
        .add(DisplayData.item("maxRows", maxRows()).withLabel("Most rows of a load"))
        .add(DisplayData.item("maxBytes", maxBytes()).withLabel("Most bytes of a load"))
        .add(DisplayData.item("maxAge", maxAge()).withLabel("Longest wait of rows"))
        .addIfNotDefault(
            DisplayData.item("headers", Joiner.on(',').join(headers().keySet()))
                .withLabel("Names of further headers"),
            "")
        .addIfNotDefault(
            DisplayData.item("partialUpdate", rules().partialUpdate())
                .withLabel("Columns that are not written keep their values"),
            false)
        .addIfNotNull(
            DisplayData.item("sequenceColumn", rules().sequenceColumn())
                .withLabel("Sequence column"))
        .add(
            DisplayData.item("datetimeEncoding", rules().datetimeEncoding().name())
                .withLabel("What the server takes timestamps for"))
        .addIfNotDefault(
            DisplayData.item("defaultedColumns", Joiner.on(',').join(rules().defaultedColumns()))
                .withLabel("Columns with a default in the table"),
            "")
        .add(
            DisplayData.item("refusedRowsInFailed", refusedRowsInFailed())
                .withLabel("Whether rows that the server refuses are in the failed output"))
        .add(
            DisplayData.item("retryPolicy", cluster().retryPolicy().toString())
                .withLabel("Retries"))
        .add(
            DisplayData.item("loadConcurrency", loadConcurrency())
                .withLabel("Shards loaded at the same time"))
        .add(
            DisplayData.item("heartbeatInterval", heartbeatInterval())
                .withLabel("Time between two signs of life of an idle shard"))
        .add(
            DisplayData.item("launchCheck", launchCheck())
                .withLabel("Whether the table is looked at when launched"));
  }

  private DisplayData.@Nullable ItemSpec<?> destinationItem() {
    DorisDestinations destinations = destinations();
    if (destinations == null) {
      return null;
    }
    if (destinations instanceof OneTable one) {
      return DisplayData.item("table", one.table().toString()).withLabel("Table");
    }
    return DisplayData.item("tables", destinations.getClass()).withLabel("Tables by row");
  }
}
