package dev.tidemark.commit;

import java.util.Locale;
import org.apache.iceberg.TableOperations;

/**
 * What keeps a property write from overwriting a concurrent one; one kind is used per table and
 * branch.
 */
public enum FenceKind {
  /**
   * The catalog swaps whole metadata, so a property write alone conflicts with every other change.
   */
  METADATA,
  /** Each write moves the branch by a snapshot (an empty one where no data go with it). */
  SNAPSHOT;

  /** Whether these operations are known to belong to a catalog that compares whole metadata. */
  public static boolean metadataSuffices(TableOperations operations) {
    return WholeMetadataCatalogs.contain(operations);
  }

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
