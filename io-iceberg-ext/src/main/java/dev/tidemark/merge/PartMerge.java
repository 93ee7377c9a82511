package dev.tidemark.merge;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Merges one part of the keys: looks up what the base holds of them, and writes what it gets. */
final class PartMerge {
  private final MergeSpec spec;
  private final Table table;
  private final @Nullable Long snapshotId;
  private final CountedFiles files;
  private final MergeProbe probe;

  /** What a part came to; the rows it wrote are in {@link #written}. */
  static final class Outcome {
    final Written written = new Written();
    final List<FileHits> hits = new ArrayList<>();
    long keys;
    long inserted;
    int filesRead;
    boolean truncated;
  }

  /**
   * Prepares for parts.
   *
   * @param snapshotId the snapshot of the base that rows are looked up in; null for none
   */
  PartMerge(
      MergeSpec spec,
      Table table,
      @Nullable Long snapshotId,
      CountedFiles files,
      MergeProbe probe) {
    this.spec = spec;
    this.table = table;
    this.snapshotId = snapshotId;
    this.files = files;
    this.probe = probe;
  }

  Outcome merge(KeyFold fold, int threads) {
    fold.complete();
    probe.reached(MergeProbe.Step.FOLDED);
    Outcome outcome = new Outcome();
    outcome.keys = fold.size();
    outcome.truncated = fold.isTruncated();
    RowWriter writer = new RowWriter(spec, table);
    boolean replaced = spec.rebuild() || fold.isTruncated() || snapshotId == null;
    try {
      if (!replaced && spec.removals() == Removals.EQUALITY) {
        Collection<PartitionSpec> specs = table.specs().values();
        writer.writeEqualityDeletes(fold, specs, outcome.written);
      } else if (!replaced && fold.size() > 0) {
        BaseLookup lookup = new BaseLookup(spec, table, fold, files);
        List<BaseLookup.Candidate> candidates = lookup.candidates(snapshotId);
        outcome.filesRead = candidates.size();
        outcome.hits.addAll(lookup.find(candidates, threads));
      }
      probe.reached(MergeProbe.Step.LOOKED_UP);
      outcome.inserted = writer.writeRows(fold, outcome.written);
    } catch (RuntimeException e) {
      outcome.written.discard(table);
      throw e;
    }
    probe.reached(MergeProbe.Step.ROWS_WRITTEN);
    return outcome;
  }
}
