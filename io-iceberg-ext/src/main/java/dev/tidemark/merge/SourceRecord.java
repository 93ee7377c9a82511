package dev.tidemark.merge;

import dev.tidemark.commit.TidemarkKeys;
import dev.tidemark.merge.MergeException.Kind;
import java.util.Map;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What a base table remembers of a source.
 *
 * @param snapshotId the newest snapshot that was merged
 * @param sequenceNumber that snapshot's number, which tells after its expiry what came before it
 * @param tableUuid the table it is of
 * @param orderUntil what no change that was merged exceeds, see {@link OrderBounds#text}
 * @param baseSnapshotId the base table's own snapshot that has what was merged
 */
record SourceRecord(
    @Nullable Long snapshotId,
    @Nullable Long sequenceNumber,
    @Nullable String tableUuid,
    @Nullable String orderUntil,
    @Nullable Long baseSnapshotId) {
  static final SourceRecord NONE = new SourceRecord(null, null, null, null, null);

  static final String TABLE = "table";
  static final String TABLE_UUID = "table-uuid";
  static final String BRANCH = "branch";
  static final String SNAPSHOT_ID = "consumed-snapshot-id";
  static final String SEQUENCE_NUMBER = "consumed-sequence-number";
  static final String ORDER_UNTIL = "order-until";
  static final String BASE_SNAPSHOT_ID = "base-snapshot-id";
  static final String FINALIZED_UNTIL = "finalized-until";

  static SourceRecord read(Map<String, String> properties, TidemarkKeys keys, String name) {
    return new SourceRecord(
        number(properties, keys.source(name, SNAPSHOT_ID)),
        number(properties, keys.source(name, SEQUENCE_NUMBER)),
        properties.get(keys.source(name, TABLE_UUID)),
        bound(
            properties.get(keys.source(name, ORDER_UNTIL)),
            properties.get(keys.source(name, SNAPSHOT_ID))),
        number(properties, keys.source(name, BASE_SNAPSHOT_ID)));
  }

  /**
   * Whether the branch that ends in {@code head} still has what was merged. A rollback takes rows
   * back and properties not. Presumed where expiry removed what would tell.
   */
  boolean isHeldBy(TableMetadata base, @Nullable Snapshot head) {
    if (baseSnapshotId == null) {
      return true;
    }
    Snapshot each = head;
    while (each != null && each.snapshotId() != baseSnapshotId) {
      Long parent = each.parentId();
      if (parent != null && base.snapshot(parent) == null) {
        return base.snapshot(baseSnapshotId) == null;
      }
      each = parent == null ? null : base.snapshot(parent);
    }
    return each != null;
  }

  /** A bound as a property: it holds for what was merged until that snapshot. */
  static String bound(long snapshotId, String text) {
    return snapshotId + ":" + text;
  }

  /** The bound, unless something else has merged more since. */
  private static @Nullable String bound(@Nullable String property, @Nullable String snapshotId) {
    String prefix = snapshotId + ":";
    return property != null && property.startsWith(prefix)
        ? property.substring(prefix.length())
        : null;
  }

  private static @Nullable Long number(Map<String, String> properties, String key) {
    String text = properties.get(key);
    if (text == null) {
      return null;
    }
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException e) {
      throw new MergeException(
          Kind.BASE_UNFIT,
          "Cannot read property %s of the base table: %s (must be a number). Restore it from an older metadata file, or rebuild the table with withRebuild(true)."
              .formatted(key, text),
          e);
    }
  }
}
