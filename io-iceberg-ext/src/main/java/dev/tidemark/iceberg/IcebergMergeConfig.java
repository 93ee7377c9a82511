package dev.tidemark.iceberg;

import com.google.auto.value.AutoValue;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.merge.ExtraColumns;
import dev.tidemark.merge.MergeSpec;
import dev.tidemark.merge.Removals;
import dev.tidemark.merge.Truncation;
import dev.tidemark.schematransform.Configuring;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.schemas.AutoValueSchema;
import org.apache.beam.sdk.schemas.annotations.DefaultSchema;
import org.apache.beam.sdk.schemas.annotations.SchemaFieldDescription;
import org.apache.iceberg.catalog.TableIdentifier;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The fields of {@link IcebergMergeSchemaTransformProvider}. */
@AutoValue
@DefaultSchema(AutoValueSchema.class)
@SuppressWarnings("AutoValueImmutableFields") // Beam's schemas make mutable collections
abstract class IcebergMergeConfig {
  @SchemaFieldDescription("The base table, namespace.table.")
  abstract String getTable();

  @SchemaFieldDescription("The branch of the base table. Default: main.")
  abstract @Nullable String getBranch();

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
      "Properties of the catalog of the change tables. Default: they are in that of the base table.")
  abstract @Nullable Map<String, String> getSourceCatalogProperties();

  @SchemaFieldDescription("The change tables.")
  abstract List<MergeSourceConfig> getSources();

  @SchemaFieldDescription("The columns that identify a row of the base table.")
  abstract List<String> getKey();

  @SchemaFieldDescription(
      "The columns of the change tables whose values order the changes of a key.")
  abstract List<String> getOrder();

  @SchemaFieldDescription(
      "The column of the change tables that tells what a change does. Default: _kind.")
  abstract @Nullable String getKindColumn();

  @SchemaFieldDescription(
      "Further values of the kind column, each with its kind: INSERT, UPDATE_BEFORE, UPDATE_AFTER or"
          + " DELETE. Default: none, beside +I, -U, +U and -D.")
  abstract @Nullable Map<String, String> getKinds();

  @SchemaFieldDescription("What the kind column says of a truncate. Default: -T.")
  abstract @Nullable String getTruncateKind();

  @SchemaFieldDescription("What a truncate does: REFUSE or APPLY. Default: REFUSE.")
  abstract @Nullable String getTruncates();

  @SchemaFieldDescription(
      "The column, a list of text, that names the columns a change does not tell. Default: none.")
  abstract @Nullable String getUnknownColumns();

  @SchemaFieldDescription(
      "Columns of the change tables that are not meant for the base table. Default: none.")
  abstract @Nullable List<String> getWithoutColumns();

  @SchemaFieldDescription(
      "What to do with further columns that the base table lacks: REFUSE, IGNORE or EVOLVE."
          + " Default: REFUSE.")
  abstract @Nullable String getExtraColumns();

  @SchemaFieldDescription(
      "Whether the row before each update and delete is told as a whole. Default: false.")
  abstract @Nullable Boolean getFullBeforeImages();

  @SchemaFieldDescription(
      "How rows are removed: POSITIONS, or EQUALITY deletes. Default: POSITIONS.")
  abstract @Nullable String getRemovals();

  @SchemaFieldDescription(
      "Whether all rows are replaced by the fold of everything the change tables hold."
          + " Default: false.")
  abstract @Nullable Boolean getRebuild();

  @SchemaFieldDescription("Changes held in memory at once. Default: 1000000.")
  abstract @Nullable Long getRowsInMemory();

  @SchemaFieldDescription(
      "Files read at once by a worker. Default: the processors of the launching machine.")
  abstract @Nullable Integer getThreads();

  @SchemaFieldDescription(
      "How often other commits to the base table may make this one start over. Default: 10.")
  abstract @Nullable Integer getMaxReplans();

  @SchemaFieldDescription("Local folder for parts of large ranges. Default: java.io.tmpdir.")
  abstract @Nullable String getSpillDirectory();

  /** The transform. */
  MergeChanges transform() {
    MergeChanges merge =
        TidemarkIcebergIO.mergeChanges()
            .withCatalog(
                CatalogFields.catalog(
                    getCatalogName(), getCatalogProperties(), getConfigProperties()))
            .withSpec(spec());
    return getSourceCatalogProperties() == null
        ? merge
        : merge.withSourceCatalog(
            CatalogFields.catalog(
                getCatalogName(), getSourceCatalogProperties(), getConfigProperties()));
  }

  /** What is merged into what. */
  MergeSpec spec() {
    MergeSpec spec =
        Configuring.of(
                Configuring.named("table", () -> MergeSpec.into(TableIdentifier.parse(getTable()))))
            .set("branch", getBranch(), MergeSpec::withBranch)
            .set("sources", getSources(), IcebergMergeConfig::withSources)
            .set("key", getKey(), (s, key) -> s.withKey(key.toArray(new String[0])))
            .set("order", getOrder(), (s, order) -> s.withOrder(order.toArray(new String[0])))
            .set("kind_column", getKindColumn(), MergeSpec::withKindColumn)
            .set("kinds", getKinds(), IcebergMergeConfig::withKinds)
            .set("truncate_kind", getTruncateKind(), MergeSpec::withTruncateKind)
            .set(
                "truncates",
                getTruncates(),
                (s, name) -> s.withTruncates(Configuring.constant(Truncation.class, name)))
            .set("unknown_columns", getUnknownColumns(), MergeSpec::withUnknownColumns)
            .set(
                "without_columns",
                getWithoutColumns(),
                (s, columns) -> s.withoutColumns(columns.toArray(new String[0])))
            .set(
                "extra_columns",
                getExtraColumns(),
                (s, name) -> s.withExtraColumns(Configuring.constant(ExtraColumns.class, name)))
            .setIf("full_before_images", getFullBeforeImages(), MergeSpec::withFullBeforeImages)
            .set(
                "removals",
                getRemovals(),
                (s, name) -> s.withRemovals(Configuring.constant(Removals.class, name)))
            .set("rebuild", getRebuild(), MergeSpec::withRebuild)
            .set("rows_in_memory", getRowsInMemory(), MergeSpec::withRowsInMemory)
            .set("threads", getThreads(), MergeSpec::withThreads)
            .set("max_replans", getMaxReplans(), MergeSpec::withMaxReplans)
            .set("spill_directory", getSpillDirectory(), MergeSpec::withSpillDirectory)
            .get();
    spec.check();
    return spec;
  }

  private static MergeSpec withSources(MergeSpec spec, List<MergeSourceConfig> sources) {
    MergeSpec with = spec;
    for (MergeSourceConfig source : sources) {
      with = with.withSource(source.source());
    }
    return with;
  }

  private static MergeSpec withKinds(MergeSpec spec, Map<String, String> kinds) {
    MergeSpec with = spec;
    for (Map.Entry<String, String> kind : kinds.entrySet()) {
      with = with.withKind(kind.getKey(), Configuring.constant(ChangeKind.class, kind.getValue()));
    }
    return with;
  }

  /** No value: there may be addresses with user information. */
  @Override
  public final String toString() {
    return "IcebergMergeConfig(" + getTable() + ")";
  }
}
