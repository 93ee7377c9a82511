package dev.tidemark.examples.demo;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.commit.TidemarkKeys;
import dev.tidemark.examples.cdc.SourceTable;
import dev.tidemark.merge.BaseTableMerge;
import dev.tidemark.merge.MergeResult;
import dev.tidemark.merge.MergeSpec;
import dev.tidemark.merge.MergedSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;

/**
 * The base tables of the shop: its rows as they are, merged from the change tables, with their
 * watermarks. They are partitioned by something else than the changes, one has deletion vectors.
 */
public final class BaseTables {
  /** Columns of a change table that say something of the change. */
  private static final ImmutableSet<String> OF_THE_CHANGE =
      ImmutableSet.of("_kind", "_position", "_ts");

  private final CatalogConfig catalog;
  private final String namespace;
  private final ImmutableSet<String> without;
  private final Map<String, List<MergeResult>> merges = new HashMap<>();

  private BaseTables(CatalogConfig catalog, String namespace, ImmutableSet<String> without) {
    this.catalog = catalog;
    this.namespace = namespace;
    this.without = without;
  }

  /** Base tables in a namespace of their own. */
  public static BaseTables in(CatalogConfig catalog, String namespace) {
    return new BaseTables(catalog, namespace, ImmutableSet.of());
  }

  /** The same without columns of types that a reader does not have. */
  public BaseTables withoutColumns(String... columns) {
    return new BaseTables(catalog, namespace, ImmutableSet.copyOf(columns));
  }

  /** The base table of a table of the source. */
  public TableIdentifier id(SourceTable table) {
    return TableIdentifier.of(namespace, table.name());
  }

  private static TableIdentifier changes(SourceTable table) {
    return TableIdentifier.of(ServingTables.DATABASE, table.name());
  }

  /** Merges what is new of a table, and creates its base table first if it is missing. */
  public void merge(SourceTable table) {
    Catalog tables = catalog.catalog();
    if (!tables.tableExists(changes(table))) {
      return;
    }
    if (!tables.tableExists(id(table))) {
      create(table);
    }
    MergeResult result = BaseTableMerge.of(tables, spec(table)).run();
    if (result.status() != MergeResult.Status.NOTHING) {
      merges.computeIfAbsent(table.name(), name -> new ArrayList<>()).add(result);
    }
  }

  private MergeSpec spec(SourceTable table) {
    MergeSpec spec =
        MergeSpec.into(id(table))
            .withSource(table.name(), changes(table))
            .withKey(table.key().toArray(new String[0]))
            .withOrder("_position")
            .withoutColumns("_ts")
            .withoutColumns(without.toArray(new String[0]));
    return table.fullBeforeImages() ? spec.withFullBeforeImages() : spec;
  }

  private void create(SourceTable table) {
    Catalog tables = catalog.catalog();
    Namespace database = Namespace.of(namespace);
    if (tables instanceof SupportsNamespaces namespaces && !namespaces.namespaceExists(database)) {
      namespaces.createNamespace(database);
    }
    List<Types.NestedField> columns =
        tables.loadTable(changes(table)).schema().columns().stream()
            .filter(
                column ->
                    !OF_THE_CHANGE.contains(column.name()) && !without.contains(column.name()))
            .toList();
    Schema schema = new Schema(columns);
    PartitionSpec.Builder partitions = PartitionSpec.builderFor(schema);
    PartitionSpec spec =
        schema.findField("region") == null
            ? partitions.bucket(table.key().get(0), 4).build()
            : partitions.identity("region").build();
    String formatVersion = spec.fields().get(0).transform().isIdentity() ? "3" : "2";
    tables.createTable(
        id(table), schema, spec, ImmutableMap.of(TableProperties.FORMAT_VERSION, formatVersion));
  }

  /** What was merged of a table, without runs that found nothing. */
  public List<MergeResult> merges(SourceTable table) {
    return ImmutableList.copyOf(merges.getOrDefault(table.name(), List.of()));
  }

  /** Compares a base table with the rows that the source's database held. */
  public TruthCheck.Result compare(SourceTable table) {
    return TruthCheck.of(table.key(), ShopFiles.finalRows(table.name()))
        .compareTable(catalog.loadTable(id(table)));
  }

  /**
   * Whether each merge has carried the watermark of the version it had pinned, and the base table
   * has that of the last one.
   */
  public boolean isWatermarkCarried(SourceTable table) {
    MergeResult last = null;
    for (MergeResult merge : merges(table)) {
      MergedSource source = merge.sources().get(0);
      if (!Objects.equals(merge.finalizedUntilMillis(), source.finalizedUntilMillis())) {
        return false;
      }
      last = merge;
    }
    if (last == null) {
      return false;
    }
    Table changes = catalog.loadTable(changes(table));
    Long pinned = last.sources().get(0).toSnapshotId();
    return Objects.equals(until(catalog.loadTable(id(table))), until(changes))
        && changes.currentSnapshot().snapshotId() == Objects.requireNonNull(pinned);
  }

  private static String until(Table table) {
    return table.properties().get(TidemarkKeys.main().finalizedUntil());
  }

  /** The watermark of a base table; null if it has none. */
  public String finalizedUntil(SourceTable table) {
    return until(catalog.loadTable(id(table)));
  }
}
