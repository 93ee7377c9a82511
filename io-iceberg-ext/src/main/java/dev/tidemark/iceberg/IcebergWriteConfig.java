package dev.tidemark.iceberg;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import dev.tidemark.commit.RewindPolicy;
import dev.tidemark.schematransform.Configuring;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.options.ValueProvider.StaticValueProvider;
import org.apache.beam.sdk.schemas.AutoValueSchema;
import org.apache.beam.sdk.schemas.annotations.DefaultSchema;
import org.apache.beam.sdk.schemas.annotations.SchemaFieldDescription;
import org.apache.beam.sdk.schemas.transforms.providers.ErrorHandling;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;

/** The fields of {@link IcebergWriteSchemaTransformProvider}. */
@AutoValue
@DefaultSchema(AutoValueSchema.class)
@SuppressWarnings("AutoValueImmutableFields") // Beam's schemas make mutable collections
abstract class IcebergWriteConfig {
  @SchemaFieldDescription(
      "The table, namespace.table; columns in braces, shop.orders_{region}, write each row to the table"
          + " that its values name.")
  abstract String getTable();

  @SchemaFieldDescription(
      "Name of the catalog; a JDBC catalog keeps its tables under it. Default: lake.")
  abstract @Nullable String getCatalogName();

  @SchemaFieldDescription(
      "Properties of the catalog, as Iceberg's: type or catalog-impl, uri, warehouse and what else it"
          + " needs. Secrets are references, ${env:NAME} or ${file:/path}, which workers resolve.")
  abstract Map<String, String> getCatalogProperties();

  @SchemaFieldDescription("Entries set on top of the Hadoop configuration. Default: none.")
  abstract @Nullable Map<String, String> getConfigProperties();

  @SchemaFieldDescription(
      "The name of this writer in the tables, of A-Z, a-z, 0-9, _ and -. Stays the same when the"
          + " pipeline is restarted from its state, and is of one live pipeline at a time.")
  abstract String getWriterId();

  @SchemaFieldDescription(
      "How missing tables are created; {} for the defaults. Default: they are refused.")
  abstract @Nullable CreateTableConfig getCreateTable();

  @SchemaFieldDescription(
      "What to do with columns that rows have and their table does not: REFUSE or EVOLVE."
          + " Default: REFUSE.")
  abstract @Nullable String getAddedColumns();

  @SchemaFieldDescription("How event time is measured. Default: it is not.")
  abstract @Nullable EventTimeConfig getEventTime();

  @SchemaFieldDescription(
      "How a finalization watermark is kept; needs event_time; {} for the defaults."
          + " Default: none is kept.")
  abstract @Nullable FinalizationConfig getFinalization();

  @SchemaFieldDescription("What is accumulated over the rows of each commit. Default: nothing.")
  abstract @Nullable List<AccumulatorConfig> getAccumulators();

  @SchemaFieldDescription(
      "What to do if the runner was taken back behind committed results: FAIL, PARK or ACCEPT."
          + " Default: FAIL.")
  abstract @Nullable String getOnRewind();

  @SchemaFieldDescription("The branch to commit to. Default: main.")
  abstract @Nullable String getBranch();

  @SchemaFieldDescription("Sizes and limits of data files. Default: those of each field.")
  abstract @Nullable DataFilesConfig getDataFiles();

  @SchemaFieldDescription("Tables that one worker commits at the same time. Default: 4.")
  abstract @Nullable Integer getCommitConcurrency();

  @SchemaFieldDescription(
      "Milliseconds between two signs of life of an idle table. Default: 10000.")
  abstract @Nullable Long getHeartbeatIntervalMillis();

  @SchemaFieldDescription(
      "Milliseconds between two tries at a table that failed for good. Default: 300000.")
  abstract @Nullable Long getParkedRetryMillis();

  @SchemaFieldDescription(
      "Rows that are grouped before they are written, for runners whose bundles are small."
          + " Default: not grouped.")
  abstract @Nullable Integer getRowGrouping();

  @SchemaFieldDescription(
      "Whether the table is looked at when the pipeline is launched. Default: true.")
  abstract @Nullable Boolean getLaunchCheck();

  @SchemaFieldDescription(
      "The table's column for the kind of a change, if the input has changes. Default: _kind.")
  abstract @Nullable String getKindColumn();

  @SchemaFieldDescription(
      "Where rows go that their table cannot hold, and files of tables that failed. Default: the first"
          + " one fails the pipeline.")
  abstract @Nullable ErrorHandling getErrorHandling();

  /** The transform. */
  WriteRows transform() {
    TemplateDestinations template =
        TemplateDestinations.isTemplate(getTable()) ? new TemplateDestinations(getTable()) : null;
    WriteRows rows =
        TidemarkIcebergIO.writeRows()
            .withCatalog(
                CatalogFields.catalog(
                    getCatalogName(), getCatalogProperties(), getConfigProperties()));
    return settings(
        template == null ? rows.to(StaticValueProvider.of(getTable())) : rows.to(template));
  }

  /** All but the catalog and the table. */
  WriteRows settings(WriteRows defaults) {
    checkArgument(
        getFinalization() == null || getEventTime() != null,
        "Invalid field finalization: a watermark needs event time. Set event_time");
    return Configuring.of(defaults)
        .set("writer_id", getWriterId(), WriteRows::withWriterId)
        .set("create_table", getCreateTable(), (r, c) -> r.withTableCreation(c.creation()))
        .set(
            "added_columns",
            getAddedColumns(),
            (r, name) -> r.withAddedColumns(Configuring.constant(AddedColumns.class, name)))
        .set("event_time", getEventTime(), (r, c) -> r.withEventTime(c.extractor()))
        .set("finalization", getFinalization(), (r, c) -> r.withFinalization(c.options()))
        .set("accumulators", getAccumulators(), IcebergWriteConfig::withAccumulators)
        .set(
            "on_rewind",
            getOnRewind(),
            (r, name) -> r.withOnRewind(Configuring.constant(RewindPolicy.class, name)))
        .set("branch", getBranch(), WriteRows::toBranch)
        .set("data_files", getDataFiles(), (r, c) -> r.withFileOptions(c.options()))
        .set("commit_concurrency", getCommitConcurrency(), WriteRows::withCommitConcurrency)
        .set(
            "heartbeat_interval_millis",
            getHeartbeatIntervalMillis(),
            (r, millis) -> r.withHeartbeatInterval(Duration.millis(millis)))
        .set(
            "parked_retry_millis",
            getParkedRetryMillis(),
            (r, millis) -> r.withParkedRetry(Duration.millis(millis)))
        .set("row_grouping", getRowGrouping(), WriteRows::withRowGrouping)
        .setUnless("launch_check", getLaunchCheck(), WriteRows::withoutLaunchCheck)
        .get();
  }

  /** How changes are written, with rows as they are. */
  WriteChanges changes(WriteRows rows) {
    return Configuring.of(TidemarkIcebergIO.writeChanges().withRows(rows))
        .set("kind_column", getKindColumn(), WriteChanges::withKindColumn)
        .get();
  }

  private static WriteRows withAccumulators(WriteRows rows, List<AccumulatorConfig> accumulators) {
    WriteRows with = rows;
    for (AccumulatorConfig accumulator : accumulators) {
      with = with.withAccumulator(accumulator.accumulator());
    }
    return with;
  }

  /** No value: there may be addresses with user information. */
  @Override
  public final String toString() {
    return "IcebergWriteConfig(" + getTable() + ")";
  }
}
