package dev.tidemark.examples.benchmarks.endtoend;

import com.google.common.collect.ImmutableMap;
import dev.tidemark.catalog.CatalogConfig;
import java.nio.file.Path;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;

/** The table in Iceberg that has every change: made before the job starts, read while it writes. */
final class ChangeTable {
  static final String NAMESPACE = "shop";
  static final String NAME = "orders";

  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "order_id", Types.LongType.get()),
          Types.NestedField.optional(2, "customer", Types.StringType.get()),
          Types.NestedField.optional(3, "status", Types.StringType.get()),
          Types.NestedField.optional(4, "quantity", Types.IntegerType.get()),
          Types.NestedField.optional(5, "price", Types.DoubleType.get()),
          Types.NestedField.optional(6, "total", Types.DecimalType.of(14, 2)),
          Types.NestedField.optional(7, "placed", Types.TimestampType.withoutZone()),
          Types.NestedField.optional(8, "note", Types.StringType.get()),
          Types.NestedField.optional(9, "version", Types.LongType.get()),
          Types.NestedField.required(10, "_position", Types.LongType.get()),
          Types.NestedField.required(11, "_ts", Types.TimestampType.withZone()),
          Types.NestedField.required(12, "_kind", Types.StringType.get()));

  private final Table table;

  private ChangeTable(Table table) {
    this.table = table;
  }

  /**
   * What was committed.
   *
   * @param commits snapshots that added files
   * @param files data files that they added
   */
  record Commits(int commits, long files) {}

  /** Makes the table, partitioned by the hour of the source's time. */
  static ChangeTable create(Path warehouse) {
    Catalog catalog =
        CatalogConfig.of(
                "lake", ImmutableMap.of("type", "hadoop", "warehouse", warehouse.toString()))
            .catalog();
    Namespace namespace = Namespace.of(NAMESPACE);
    if (catalog instanceof SupportsNamespaces namespaces) {
      namespaces.createNamespace(namespace);
    }
    return new ChangeTable(
        catalog.createTable(
            TableIdentifier.of(namespace, NAME),
            SCHEMA,
            PartitionSpec.builderFor(SCHEMA).hour("_ts").build(),
            ImmutableMap.of(
                TableProperties.FORMAT_VERSION, "2", TableProperties.PARQUET_COMPRESSION, "zstd")));
  }

  /** Rows in it now. */
  long rows() {
    table.refresh();
    Snapshot head = table.currentSnapshot();
    return head == null ? 0 : value(head, SnapshotSummary.TOTAL_RECORDS_PROP);
  }

  Commits commits() {
    table.refresh();
    int commits = 0;
    long files = 0;
    for (Snapshot snapshot : table.snapshots()) {
      long added = value(snapshot, SnapshotSummary.ADDED_FILES_PROP);
      commits += added > 0 ? 1 : 0;
      files += added;
    }
    return new Commits(commits, files);
  }

  private static long value(Snapshot snapshot, String key) {
    return Long.parseLong(snapshot.summary().getOrDefault(key, "0"));
  }
}
