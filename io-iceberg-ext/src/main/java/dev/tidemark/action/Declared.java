package dev.tidemark.action;

import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Instant;

/** What a notice says of the table as it is now. */
final class Declared {
  private Declared() {}

  /**
   * A snapshot that holds what was declared final: the one of the notice, or the head where that
   * one is expired. Null where the notice says nothing any more: of another table, or rolled back.
   */
  static @Nullable Long snapshotId(AdvanceNotice notice, Table table) {
    Snapshot head = table.snapshot(notice.branch());
    if (!table.uuid().toString().equals(notice.tableUuid()) || head == null) {
      return null;
    }
    Long declared = notice.snapshotId();
    if (declared == null || table.snapshot(declared) == null) {
      return head.snapshotId();
    }
    return SnapshotUtil.isAncestorOf(table, head.snapshotId(), declared) ? declared : null;
  }

  static java.time.@Nullable Instant javaTime(@Nullable Instant instant) {
    return instant == null ? null : java.time.Instant.ofEpochMilli(instant.getMillis());
  }
}
