package dev.tidemark.servers;

import java.util.List;
import java.util.Map;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.spark.CommitMetadata;
import org.apache.iceberg.spark.Spark3Util;
import org.apache.iceberg.util.SnapshotUtil;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * One run of an upsert that stays in Spark, as docs/how-to-merge-with-spark.md has it: plan, merge
 * on a branch of the base table, publish rows and watermark in one commit. A run that ended anywhere
 * is followed by another one from the beginning.
 */
final class MergeOrders {
  static final String CHANGES = "lake.shop.orders_changes";
  static final String BASE = "lake.shop.orders";
  static final String BRANCH = "merging";
  static final String SOURCE = "tidemark.source.orders.";
  static final String TAG = "tidemark-consumed-shop.orders";

  private final SparkSession spark;
  private final TableMetadata changes;
  private final TableMetadata base;

  private MergeOrders(SparkSession spark, TableMetadata changes, TableMetadata base) {
    this.spark = spark;
    this.changes = changes;
    this.base = base;
  }

  static MergeOrders plan(SparkSession spark) throws Exception {
    Table table = Spark3Util.loadIcebergTable(spark, BASE);
    table.refresh();
    if (table.currentSnapshot() == null) {
      table.newFastAppend().commit(); // A branch begins at a snapshot.
    }
    return new MergeOrders(spark, version(spark, CHANGES), version(spark, BASE));
  }

  /** One version of a table: what it holds and what it states belong together. */
  static TableMetadata version(SparkSession spark, String table) throws Exception {
    return ((HasTableOperations) Spark3Util.loadIcebergTable(spark, table)).operations().refresh();
  }

  static void run(SparkSession spark) throws Exception {
    MergeOrders run = plan(spark);
    if (run.isNew()) {
      run.merge();
      run.publish();
    }
    run.keep();
  }

  void merge() {
    Long consumed = consumed();
    checkRange(consumed);
    range(consumed).createOrReplaceTempView("new_changes");
    spark.sql(
        "ALTER TABLE %s CREATE OR REPLACE BRANCH %s AS OF VERSION %d"
            .formatted(BASE, BRANCH, base.currentSnapshot().snapshotId()));
    CommitMetadata.withCommitProperties(
        Map.of(SOURCE + "consumed-snapshot-id", Long.toString(pinned())),
        () ->
            spark.sql(
                """
                MERGE INTO lake.shop.orders.branch_merging b
                USING (
                  SELECT * FROM (
                    SELECT *, row_number() OVER (PARTITION BY id ORDER BY _position DESC) AS nth
                    FROM new_changes)
                  WHERE nth = 1) c
                ON b.id = c.id
                WHEN MATCHED AND c._kind IN ('-D', '-U') THEN DELETE
                WHEN MATCHED THEN UPDATE SET
                  customer = c.customer, status = c.status, amount = c.amount
                WHEN NOT MATCHED AND c._kind NOT IN ('-D', '-U') THEN
                  INSERT (id, customer, status, amount)
                  VALUES (c.id, c.customer, c.status, c.amount)
                """),
        RuntimeException.class);
  }

  /** What was appended since. */
  private Dataset<Row> range(Long consumed) {
    if (consumed == null) {
      return spark.sql("SELECT * FROM %s VERSION AS OF %d".formatted(CHANGES, pinned()));
    }
    return consumed == pinned()
        ? spark.sql("SELECT * FROM %s WHERE false".formatted(CHANGES))
        : spark
            .read()
            .option("start-snapshot-id", consumed)
            .option("end-snapshot-id", pinned())
            .table(CHANGES);
  }

  /** Spark leaves out what is no append without a word. */
  private void checkRange(Long consumed) {
    if (consumed == null) {
      return;
    }
    long pinned = pinned();
    if (!changes.uuid().equals(base.property(SOURCE + "table-uuid", null))
        || changes.snapshot(consumed) == null
        || !SnapshotUtil.isAncestorOf(pinned, consumed, changes::snapshot)) {
      throw new IllegalStateException(
          "Cannot merge %s after snapshot %d: its head does not descend from it. Rebuild %s"
              .formatted(CHANGES, consumed, BASE));
    }
    for (Snapshot each : SnapshotUtil.ancestorsBetween(pinned, consumed, changes::snapshot)) {
      if (!each.operation().equals("append") && !each.operation().equals("replace")) {
        throw new IllegalStateException(
            "Cannot merge snapshot %d of %s: it is no append but %s. Rebuild %s"
                .formatted(each.snapshotId(), CHANGES, each.operation(), BASE));
      }
    }
  }

  void publish() throws Exception {
    Transaction publish = Spark3Util.loadIcebergTable(spark, BASE).newTransaction();
    Snapshot head = publish.table().currentSnapshot();
    Snapshot merged = publish.table().snapshot(BRANCH);
    if (merged == null || head.snapshotId() != base.currentSnapshot().snapshotId()) {
      throw new IllegalStateException(
          "Cannot publish branch %s of %s: somebody else committed. Run again"
              .formatted(BRANCH, BASE));
    }
    String pinned = Long.toString(pinned());
    if (merged.snapshotId() == head.snapshotId()) {
      // Nothing to merge. What moves the branch keeps the watermark from overwriting another one.
      publish.newFastAppend().set(SOURCE + "consumed-snapshot-id", pinned).commit();
      publish.manageSnapshots().removeBranch(BRANCH).commit();
    } else {
      publish
          .manageSnapshots()
          .fastForwardBranch("main", BRANCH)
          .removeBranch(BRANCH)
          .commit();
    }
    UpdateProperties properties =
        publish
            .updateProperties()
            .set(SOURCE + "table", "shop.orders_changes")
            .set(SOURCE + "table-uuid", changes.uuid())
            .set(SOURCE + "branch", "main")
            .set(SOURCE + "consumed-snapshot-id", pinned)
            .set(
                SOURCE + "consumed-sequence-number",
                Long.toString(changes.currentSnapshot().sequenceNumber()));
    if (isStated()) {
      for (String key : List.of("finalized-until", "finalized-until-ms", "finalized-since")) {
        properties.set("tidemark." + key, changes.properties().get("tidemark." + key));
      }
      long published = publish.table().currentSnapshot().snapshotId();
      properties
          .set(SOURCE + "finalized-until", changes.properties().get("tidemark.finalized-until"))
          .set("tidemark.finalized-until-snapshot-id", Long.toString(published))
          .set("tidemark.finalized-until-table-uuid", base.uuid());
    }
    properties.commit();
    publish.commitTransaction();
  }

  /** Keeps the consumed snapshot from expiry until the next run has gone beyond it. */
  void keep() throws Exception {
    String consumed = version(spark, BASE).properties().get(SOURCE + "consumed-snapshot-id");
    spark.sql(
        "ALTER TABLE %s CREATE OR REPLACE TAG `%s` AS OF VERSION %s"
            .formatted(CHANGES, TAG, consumed));
  }

  /** Whether the change table has a watermark, of its own and not rolled back. */
  private boolean isStated() {
    String snapshot = changes.property("tidemark.finalized-until-snapshot-id", null);
    return changes.properties().containsKey("tidemark.finalized-until")
        && changes.uuid().equals(changes.property("tidemark.finalized-until-table-uuid", null))
        && (snapshot == null
            || changes.snapshot(Long.parseLong(snapshot)) == null
            || SnapshotUtil.isAncestorOf(
                pinned(), Long.parseLong(snapshot), changes::snapshot));
  }

  private long pinned() {
    return changes.currentSnapshot().snapshotId();
  }

  /** Whether there is anything to publish: changes, or a watermark that has moved. */
  boolean isNew() {
    Long consumed = consumed();
    String until = changes.properties().get("tidemark.finalized-until");
    return consumed == null
        || consumed != pinned()
        || (isStated() && !until.equals(base.properties().get("tidemark.finalized-until")));
  }

  /** Up to where the rows of the base table are merged; null if nothing is. */
  private Long consumed() {
    String key = SOURCE + "consumed-snapshot-id";
    Long parent = null;
    long head = base.currentSnapshot().snapshotId();
    for (Snapshot each : SnapshotUtil.ancestorsOf(head, base::snapshot)) {
      if (each.summary().containsKey(key)) {
        return Long.valueOf(each.summary().get(key));
      }
      parent = each.parentId();
    }
    // A rollback does not take properties back, so they count only where expiry took the history.
    return parent == null ? null : Long.valueOf(base.properties().get(key));
  }
}
