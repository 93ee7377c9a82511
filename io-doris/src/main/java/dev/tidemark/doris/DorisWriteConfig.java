package dev.tidemark.doris;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import dev.tidemark.schematransform.Configuring;
import dev.tidemark.secrets.BareSecrets;
import dev.tidemark.secrets.Derived;
import dev.tidemark.secrets.Secrets;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.options.ValueProvider;
import org.apache.beam.sdk.options.ValueProvider.StaticValueProvider;
import org.apache.beam.sdk.schemas.AutoValueSchema;
import org.apache.beam.sdk.schemas.annotations.DefaultSchema;
import org.apache.beam.sdk.schemas.annotations.SchemaFieldDescription;
import org.apache.beam.sdk.schemas.transforms.providers.ErrorHandling;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;

/** The fields of {@link DorisWriteSchemaTransformProvider}. */
@AutoValue
@DefaultSchema(AutoValueSchema.class)
@SuppressWarnings("AutoValueImmutableFields") // Beam's schemas make mutable collections
abstract class DorisWriteConfig {
  @SchemaFieldDescription("Frontends, host:port or https://host:port, tried in turn.")
  abstract List<String> getFrontends();

  @SchemaFieldDescription(
      "Backends, host:port, that loads are sent to in turn. Default: a frontend names one.")
  abstract @Nullable List<String> getBackends();

  @SchemaFieldDescription("The user.")
  abstract String getUser();

  @SchemaFieldDescription(
      "Reference to the password, ${env:NAME} or ${file:/path}, which workers resolve; or empty.")
  abstract String getPassword();

  @SchemaFieldDescription(
      "File of workers with the certificates to trust (PKCS12 or JKS); needs trust_store_password."
          + " Default: the JVM's.")
  abstract @Nullable String getTrustStore();

  @SchemaFieldDescription("Reference to the password of trust_store. Default: none.")
  abstract @Nullable String getTrustStorePassword();

  @SchemaFieldDescription("Milliseconds after which connecting is given up. Default: 10000.")
  abstract @Nullable Long getConnectTimeoutMillis();

  @SchemaFieldDescription("Milliseconds after which a load is given up. Default: 600000.")
  abstract @Nullable Long getLoadTimeoutMillis();

  @SchemaFieldDescription("How failed requests are made again. Default: those of each field.")
  abstract @Nullable RetryConfig getRetry();

  @SchemaFieldDescription("The database.")
  abstract String getDatabase();

  @SchemaFieldDescription("The table.")
  abstract String getTable();

  @SchemaFieldDescription(
      "The columns of the table's unique key. Default: none, for a table that is appended to.")
  abstract @Nullable List<String> getKey();

  @SchemaFieldDescription(
      "What labels of loads begin with, of A-Z, a-z, 0-9, _, : and -. Stays the same when the pipeline is"
          + " restarted from its state, and is of one live pipeline at a time.")
  abstract String getLabelPrefix();

  @SchemaFieldDescription(
      "How each row comes to be in the table once: LABELS or TWO_PHASE_COMMIT. Default: LABELS.")
  abstract @Nullable String getDelivery();

  @SchemaFieldDescription(
      "Shards of the table, each loaded in order, all at the same time, 1 to 1024. Default: 4.")
  abstract @Nullable Integer getShards();

  @SchemaFieldDescription("Most rows of a load. Default: 500000.")
  abstract @Nullable Integer getMaxRows();

  @SchemaFieldDescription("About the most bytes of a load, 1024 to 1073741824. Default: 67108864.")
  abstract @Nullable Long getMaxBytes();

  @SchemaFieldDescription("Milliseconds that rows wait for more rows of a load. Default: 10000.")
  abstract @Nullable Long getMaxAgeMillis();

  @SchemaFieldDescription(
      "Headers that are sent with each load, for example timeout. Default: none.")
  abstract @Nullable Map<String, String> getHeaders();

  @SchemaFieldDescription(
      "Whether columns that are not written keep their values. Default: false, they get their"
          + " defaults.")
  abstract @Nullable Boolean getPartialUpdate();

  @SchemaFieldDescription(
      "The column by which the server knows the last row of a key. Default: none.")
  abstract @Nullable String getSequenceColumn();

  @SchemaFieldDescription(
      "What the servers take timestamps for: WALL_CLOCK, or LEGACY_PLUS_8 for releases up to about 4.1.3."
          + " Default: WALL_CLOCK.")
  abstract @Nullable String getDatetimeEncoding();

  @SchemaFieldDescription(
      "Columns that may be left out although they are NOT NULL, since the table has a default."
          + " Default: none.")
  abstract @Nullable List<String> getDefaultedColumns();

  @SchemaFieldDescription(
      "Whether rows that the server refuses are errors. Default: false, they fail the pipeline.")
  abstract @Nullable Boolean getRefusedRowsInFailed();

  @SchemaFieldDescription("Shards that one worker loads at the same time. Default: 4.")
  abstract @Nullable Integer getLoadConcurrency();

  @SchemaFieldDescription(
      "Milliseconds between two signs of life of an idle shard. Default: 10000.")
  abstract @Nullable Long getHeartbeatIntervalMillis();

  @SchemaFieldDescription(
      "Whether the table is looked at when the pipeline is launched. Default: true.")
  abstract @Nullable Boolean getLaunchCheck();

  @SchemaFieldDescription(
      "Where rows go that the table cannot hold. Default: the first one fails the pipeline.")
  abstract @Nullable ErrorHandling getErrorHandling();

  /** The transform. */
  DorisWrite transform() {
    Configuring.together(
        "trust_store", getTrustStore(), "trust_store_password", getTrustStorePassword());
    return Configuring.of(settings(DorisIO.write()))
        .set("frontends", getFrontends(), (w, all) -> w.withFrontends(all.toArray(new String[0])))
        .set("user", getUser(), (w, user) -> w.withUser(secret("user", user)))
        .set(
            "password",
            getPassword(),
            (w, reference) -> w.withPassword(bare("password", reference)))
        .set(
            "trust_store",
            getTrustStore(),
            (w, file) ->
                w.withTrustStore(
                    StaticValueProvider.of(file),
                    bare("trust_store_password", getTrustStorePassword())))
        .set("database", table(), DorisWrite::to)
        .get();
  }

  private DorisTable table() {
    return Configuring.of(
            Configuring.named("table", () -> DorisTable.of(getDatabase(), getTable())))
        .set("key", getKey(), (t, key) -> t.withKey(key.toArray(new String[0])))
        .get();
  }

  /** A secret that must be given by reference. */
  private static ValueProvider<String> bare(String name, String reference) {
    checkArgument(
        !BareSecrets.isOne("password", reference),
        "it is the password itself, which would be in the job graph. Use a reference, ${env:NAME} or"
            + " ${file:/path}");
    return secret(name, reference);
  }

  private static ValueProvider<String> secret(String name, String text) {
    return Secrets.holdsReference(text)
        ? Derived.of(name, List.of(StaticValueProvider.of(text)), texts -> texts.get(0))
        : StaticValueProvider.of(text);
  }

  /** All but the cluster's addresses, who speaks to it, and the table. */
  DorisWrite settings(DorisWrite defaults) {
    return Configuring.of(defaults)
        .set("backends", getBackends(), (w, all) -> w.withBackends(all.toArray(new String[0])))
        .set(
            "connect_timeout_millis",
            getConnectTimeoutMillis(),
            (w, millis) -> w.withConnectTimeout(Duration.millis(millis)))
        .set(
            "load_timeout_millis",
            getLoadTimeoutMillis(),
            (w, millis) -> w.withLoadTimeout(Duration.millis(millis)))
        .set("retry", getRetry(), (w, retry) -> w.withRetryPolicy(retry.policy()))
        .set("label_prefix", getLabelPrefix(), DorisWrite::withLabelPrefix)
        .set(
            "delivery",
            getDelivery(),
            (w, mode) -> w.withDelivery(Configuring.constant(DeliveryMode.class, mode)))
        .set("shards", getShards(), DorisWrite::withShards)
        .set("max_rows", getMaxRows(), DorisWrite::withMaxRows)
        .set("max_bytes", getMaxBytes(), DorisWrite::withMaxBytes)
        .set(
            "max_age_millis",
            getMaxAgeMillis(),
            (w, millis) -> w.withMaxAge(Duration.millis(millis)))
        .set("headers", getHeaders(), DorisWriteConfig::withHeaders)
        .setIf("partial_update", getPartialUpdate(), DorisWrite::withPartialUpdate)
        .set("sequence_column", getSequenceColumn(), DorisWrite::withSequenceColumn)
        .set(
            "datetime_encoding",
            getDatetimeEncoding(),
            (w, name) -> w.withDatetimeEncoding(Configuring.constant(DatetimeEncoding.class, name)))
        .set(
            "defaulted_columns",
            getDefaultedColumns(),
            (w, columns) -> w.withDefaultedColumns(columns.toArray(new String[0])))
        .setIf(
            "refused_rows_in_failed", getRefusedRowsInFailed(), DorisWrite::withRefusedRowsInFailed)
        .set("load_concurrency", getLoadConcurrency(), DorisWrite::withLoadConcurrency)
        .set(
            "heartbeat_interval_millis",
            getHeartbeatIntervalMillis(),
            (w, millis) -> w.withHeartbeatInterval(Duration.millis(millis)))
        .setUnless("launch_check", getLaunchCheck(), DorisWrite::withoutLaunchCheck)
        .get();
  }

  private static DorisWrite withHeaders(DorisWrite write, Map<String, String> headers) {
    DorisWrite with = write;
    for (Map.Entry<String, String> header : headers.entrySet()) {
      with = with.withHeader(header.getKey(), header.getValue());
    }
    return with;
  }

  /** No value: some of them may be secrets. */
  @Override
  public final String toString() {
    return "DorisWriteConfig";
  }
}
