package dev.tidemark.merge;

import dev.tidemark.commit.TableAccess;
import dev.tidemark.commit.TidemarkKeys;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.ManageSnapshots;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tag in a change table that keeps the snapshot alive which a base table consumed last, or one
 * before it. It never points to what the base table does not hold yet, other than before the first
 * merge, when everything is read anyway.
 */
final class SourceTag {
  private static final Logger LOG = LoggerFactory.getLogger(SourceTag.class);

  private SourceTag() {}

  static String name(MergeSpec spec) {
    String branch = spec.branch().equals(TidemarkKeys.MAIN) ? "" : "-" + spec.branch();
    return "tidemark-consumed-" + spec.baseName() + branch;
  }

  /** Places the tag before a source is read as a whole, if it is not there. */
  static void place(TableAccess access, MergeSpec spec, MergeSource source, Snapshot snapshot) {
    Table table = load(access, source);
    String name = name(spec);
    if (table.refs().get(name) == null) {
      table
          .manageSnapshots()
          .createTag(name, snapshot.snapshotId())
          .setMaxRefAgeMs(name, Long.MAX_VALUE)
          .commit();
      LOG.info("Tagged snapshot {} of table {} as {}", snapshot.snapshotId(), source.table(), name);
    }
  }

  /** Moves the tag on to a snapshot that the base table holds; never back. */
  static void move(TableAccess access, MergeSpec spec, MergeSource source, long snapshotId) {
    Table table = load(access, source);
    String name = name(spec);
    SnapshotRef tag = table.refs().get(name);
    Snapshot consumed = table.snapshot(snapshotId);
    if (consumed == null || (tag != null && tag.snapshotId() == snapshotId)) {
      // An older tag keeps what is needed just as well; it moves with the next merge.
      return;
    }
    Snapshot tagged = tag == null ? null : table.snapshot(tag.snapshotId());
    if (tagged != null && !spec.rebuild() && tagged.sequenceNumber() > consumed.sequenceNumber()) {
      return;
    }
    ManageSnapshots change = table.manageSnapshots();
    if (tag == null) {
      change.createTag(name, snapshotId).setMaxRefAgeMs(name, Long.MAX_VALUE);
    } else {
      change.replaceTag(name, snapshotId);
    }
    change.commit();
  }

  private static Table load(TableAccess access, MergeSource source) {
    return new BaseTable(access.operations(source.table()), source.tableName());
  }
}
