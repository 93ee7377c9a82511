package dev.tidemark.examples.benchmarks.icebergwrite;

import com.google.common.collect.ImmutableMap;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.examples.benchmarks.load.LoadRow;
import java.nio.file.Path;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;

/** The table of one run: made before the peer starts, read while and after it writes. */
final class BenchmarkTable {
  /** How the table is laid out. */
  enum Layout {
    UNPARTITIONED,
    HOUR;

    String label() {
      return this == HOUR ? "by hour" : "unpartitioned";
    }
  }

  /**
   * What the commits of a time hold.
   *
   * @param commits snapshots that added files
   * @param files data files that they added
   * @param rows rows in these files
   */
  record Commits(int commits, long files, long rows) {}

  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.optional(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "quantity", Types.IntegerType.get()),
          Types.NestedField.optional(3, "customer", Types.StringType.get()),
          Types.NestedField.optional(4, "device", Types.StringType.get()),
          Types.NestedField.optional(5, "price", Types.DoubleType.get()),
          Types.NestedField.optional(6, "event_time", Types.TimestampType.withZone()),
          Types.NestedField.optional(
              7, "amount", Types.DecimalType.of(LoadRow.AMOUNT_PRECISION, LoadRow.AMOUNT_SCALE)),
          Types.NestedField.optional(8, "express", Types.BooleanType.get()));

  private final Table table;

  private BenchmarkTable(Table table) {
    this.table = table;
  }

  static BenchmarkTable create(Path warehouse, String name, Layout layout) {
    CatalogConfig config =
        CatalogConfig.of(
            "local", ImmutableMap.of("type", "hadoop", "warehouse", warehouse.toString()));
    Namespace namespace = Namespace.of(TableSettings.NAMESPACE);
    if (config.catalog() instanceof SupportsNamespaces namespaces
        && !namespaces.namespaceExists(namespace)) {
      namespaces.createNamespace(namespace);
    }
    PartitionSpec spec =
        layout == Layout.HOUR
            ? PartitionSpec.builderFor(SCHEMA).hour("event_time").build()
            : PartitionSpec.unpartitioned();
    return new BenchmarkTable(
        config
            .catalog()
            .createTable(
                TableIdentifier.of(namespace, name),
                SCHEMA,
                spec,
                ImmutableMap.of(
                    TableProperties.FORMAT_VERSION,
                    "2",
                    TableProperties.PARQUET_COMPRESSION,
                    "zstd")));
  }

  /** Rows in the table now. */
  long rows() {
    table.refresh();
    Snapshot head = table.currentSnapshot();
    return head == null ? 0 : value(head, SnapshotSummary.TOTAL_RECORDS_PROP);
  }

  /** Commits so far that added files. */
  int commits() {
    table.refresh();
    return commits(0, Long.MAX_VALUE).commits();
  }

  /** What was committed after {@code fromMillis} until {@code untilMillis}. */
  Commits commits(long fromMillis, long untilMillis) {
    int commits = 0;
    long files = 0;
    long rows = 0;
    for (Snapshot snapshot : table.snapshots()) {
      long added = value(snapshot, SnapshotSummary.ADDED_FILES_PROP);
      if (added > 0
          && snapshot.timestampMillis() > fromMillis
          && snapshot.timestampMillis() <= untilMillis) {
        commits++;
        files += added;
        rows += value(snapshot, SnapshotSummary.ADDED_RECORDS_PROP);
      }
    }
    return new Commits(commits, files, rows);
  }

  private static long value(Snapshot snapshot, String key) {
    return Long.parseLong(snapshot.summary().getOrDefault(key, "0"));
  }
}
