package dev.tidemark.merge;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Merges one part of the keys: looks up what the base holds of them, and writes what it gets. */
final class PartMerge {
  private final MergeSpec spec;
  private final Table table;
  private final @Nullable Long snapshotId;
  private final CountedFiles files;
  private final MergedChanges merged;
  private final MergeProbe probe;

  /** What a part came to; the rows it wrote are in {@link #written}. */
  static final class Outcome {
    final Written written = new Written();
    final List<FileHits> hits = new ArrayList<>();
    long keys;
    long superseded;
    int mergedFilesRead;
    long inserted;
    int filesRead;
    boolean truncated;
  }

  /** Prepares for parts; the bytes that are read are added to {@code bytes}. */
  PartMerge(MergeSpec spec, MergePlan plan, LongAdder bytes, MergeProbe probe) {
    this.spec = spec;
    this.table = plan.view();
    this.snapshotId = plan.snapshotId();
    this.files = new CountedFiles(table, bytes);
    this.merged = new MergedChanges(spec, plan, bytes);
    this.probe = probe;
  }

  Outcome merge(KeyFold fold, int threads) {
    Outcome outcome = new Outcome();
    outcome.mergedFilesRead = merged.addTo(fold, threads);
    fold.complete();
    probe.reached(MergeProbe.Step.FOLDED);
    outcome.keys = fold.size();
    outcome.superseded = fold.superseded();
    outcome.truncated = fold.isTruncated();
    RowWriter writer = new RowWriter(spec, table);
    boolean replaced = spec.rebuild() || fold.isTruncated() || snapshotId == null;
    try {
      if (!replaced && spec.removals() == Removals.EQUALITY) {
        Collection<PartitionSpec> specs = table.specs().values();
        writer.writeEqualityDeletes(fold, specs, outcome.written);
      } else if (!replaced && fold.size() > 0) {
        BaseLookup lookup = new BaseLookup(spec, table, fold, files);
        do {
          List<BaseLookup.Candidate> candidates = lookup.candidates(snapshotId);
          outcome.filesRead += candidates.size();
          outcome.hits.addAll(lookup.find(candidates, threads));
        } while (fold.seekElsewhere());
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
