package dev.tidemark.iceberg;

/**
 * Writes rows and changes to Apache Iceberg tables exactly once, with facts about their event time,
 * and keeps each table's finalization watermark.
 *
 * <pre>{@code
 * IcebergWriteResult result =
 *     rows.apply(
 *         TidemarkIcebergIO.writeRows()
 *             .withCatalog(CatalogConfig.of("lake", Map.of("type", "rest", "uri", uri)))
 *             .to(TableIdentifier.of("shop", "orders"))
 *             .withWriterId("orders-eu")
 *             .withTableCreation(TableCreation.unpartitioned().withPartitions("hour(placed)"))
 *             .withEventTime(EventTimeExtractor.column("placed"))
 *             .withFinalization(FinalizationOptions.defaults()));
 * result.late().apply(...);
 * }</pre>
 *
 * <p>The package documentation says what is guaranteed, and which metrics to watch.
 */
public final class TidemarkIcebergIO {
  private TidemarkIcebergIO() {}

  /** Writes rows. Catalog, table and writer id are required. */
  public static WriteRows writeRows() {
    return WriteRows.create();
  }

  /** Writes changes, with their kind in a column. */
  public static WriteChanges writeChanges() {
    return WriteChanges.create();
  }

  /** Merges change tables into a base table. Catalog and spec are required. */
  public static MergeChanges mergeChanges() {
    return MergeChanges.create();
  }
}
