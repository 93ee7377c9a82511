package dev.tidemark.examples.week;

import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.commit.StoredEvidence;
import dev.tidemark.commit.TidemarkKeys;
import dev.tidemark.finalization.Attestation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.ExpireSnapshots;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;

/** How far the table is, seen from outside of the pipelines. */
final class WeekTable {
  /** More commits than two looks at the table are apart. */
  private static final int RETAINED_SNAPSHOTS = 60;

  private final CatalogConfig catalog;
  private final Set<Long> seen = new HashSet<>();
  private final Map<String, Long> rows = new HashMap<>();
  private final Map<String, Long> attested = new HashMap<>();

  WeekTable(CatalogConfig catalog) {
    this.catalog = catalog;
  }

  Table load() {
    return catalog.loadTable(WeekPipelines.TABLE);
  }

  void look() {
    if (!catalog.catalog().tableExists(WeekPipelines.TABLE)) {
      return;
    }
    TableMetadata metadata = ((HasTableOperations) load()).operations().current();
    for (Snapshot snapshot : metadata.snapshots()) {
      String writer = snapshot.summary().get(TidemarkKeys.main().writer());
      if (seen.add(snapshot.snapshotId()) && writer != null) {
        rows.merge(
            writer,
            Long.parseLong(snapshot.summary().get(SnapshotSummary.ADDED_RECORDS_PROP)),
            Long::sum);
      }
    }
    StoredEvidence evidence = StoredEvidence.of(metadata, TidemarkKeys.MAIN);
    for (Region region : Region.values()) {
      Attestation attestation = evidence.attestation(region.writerId());
      if (attestation != null) {
        attested.put(region.writerId(), attestation.atMillis());
      }
    }
  }

  /** Rows that a writer has committed. */
  long committedRows(String writer) {
    return rows.getOrDefault(writer, 0L);
  }

  /** When a writer gave its last sign of life; the distant past if it never did. */
  long attestedMillis(String writer) {
    return attested.getOrDefault(writer, Long.MIN_VALUE);
  }

  /**
   * Forgets old snapshots, as the maintenance of every table does; files stay, for the audit reads
   * them.
   */
  void expire() {
    load()
        .expireSnapshots()
        .expireOlderThan(System.currentTimeMillis())
        .retainLast(RETAINED_SNAPSHOTS)
        .cleanupLevel(ExpireSnapshots.CleanupLevel.NONE)
        .commit();
  }
}
