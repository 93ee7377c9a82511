package dev.tidemark.commit;

import org.apache.iceberg.CachingCatalog;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;

/** How the protocols reach the tables of a catalog. */
public interface TableAccess {
  /**
   * Loads a table anew.
   *
   * @throws org.apache.iceberg.exceptions.NoSuchTableException if there is none
   */
  TableOperations operations(TableIdentifier table);

  /**
   * Whether a commit through these operations fails after any other change of the table's metadata.
   * An allow-list: a catalog that is not known to do so gets {@link FenceKind#SNAPSHOT}.
   */
  default boolean comparesWholeMetadata(TableOperations operations) {
    return WholeMetadataCatalogs.contain(operations);
  }

  /** Access through a catalog. The catalog stays the caller's and is never closed. */
  static TableAccess of(Catalog catalog) {
    return identifier -> {
      if (catalog instanceof CachingCatalog) {
        // It would hand out operations that remember a dropped table.
        catalog.invalidateTable(identifier);
      }
      Table table = catalog.loadTable(identifier);
      if (table instanceof HasTableOperations operable) {
        return operable.operations();
      }
      throw new IllegalArgumentException(
          "Cannot commit to table %s: %s does not give access to its operations. Use a plain catalog table."
              .formatted(identifier, table.getClass().getName()));
    };
  }
}
