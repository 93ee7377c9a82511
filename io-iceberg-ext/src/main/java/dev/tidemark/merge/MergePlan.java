package dev.tidemark.merge;

import com.google.common.collect.ImmutableList;
import dev.tidemark.commit.PinnedCommits;
import dev.tidemark.commit.PinnedTable;
import dev.tidemark.commit.TidemarkKeys;
import dev.tidemark.merge.MergeException.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.util.PropertyUtil;
import org.apache.iceberg.util.SnapshotUtil;
import org.checkerframework.checker.nullness.qual.Nullable;

/** One metadata version of the base table and of each source, and what is to be merged by them. */
final class MergePlan {
  private final MergeSpec spec;
  private final PinnedTable base;
  private final Table view;
  private final @Nullable Snapshot head;
  private final ImmutableList<SourceRange> ranges;
  private final ImmutableList<ChangeLayout> layouts;

  private MergePlan(
      MergeSpec spec, PinnedTable base, List<SourceRange> ranges, List<ChangeLayout> layouts) {
    this.spec = spec;
    this.base = base;
    this.view = base.view();
    this.head = SnapshotUtil.latestSnapshot(base.base(), spec.branch());
    this.ranges = ImmutableList.copyOf(ranges);
    this.layouts = ImmutableList.copyOf(layouts);
  }

  /**
   * Makes a plan.
   *
   * @throws MergeException if base and sources do not go together
   */
  static MergePlan make(
      MergeSpec spec, PinnedCommits bases, PinnedCommits sources, MergeProbe probe) {
    PinnedTable base = bases.run(spec.base(), table -> table);
    probe.reached(MergeProbe.Step.BASE_LOADED);
    refuseUnfit(spec, base);
    List<PinnedTable> pinned = new ArrayList<>();
    for (MergeSource source : spec.sources()) {
      pinned.add(sources.run(source.table(), table -> table));
    }
    MergePlan plan = of(spec, base, pinned);
    // Finds out now whether the ranges can be told.
    plan.changes();
    probe.reached(MergeProbe.Step.SOURCES_PINNED);
    return plan;
  }

  /** The plan of these metadata versions. */
  static MergePlan of(MergeSpec spec, PinnedTable base, List<PinnedTable> sources) {
    List<SourceRange> ranges = new ArrayList<>();
    List<ChangeLayout> layouts = new ArrayList<>();
    for (int i = 0; i < sources.size(); i++) {
      MergeSource source = spec.sources().get(i);
      PinnedTable pinned = sources.get(i);
      // A rebuild does not depend on what was merged before, so it helps whatever happened to that.
      SourceRecord record =
          spec.rebuild()
              ? SourceRecord.NONE
              : SourceRecord.read(base.base().properties(), spec.keys(), source.name());
      refuseRolledBack(spec, base.base(), record);
      ranges.add(SourceRange.of(spec, source, pinned.view(), pinned.base(), record));
      ChangeLayout layout =
          ChangeLayout.bind(spec, base.view().schema(), pinned.view().schema(), source.tableName());
      if (!layouts.isEmpty() && !layout.looksLike(layouts.get(0))) {
        throw new MergeException(
            Kind.SCHEMA,
            "Cannot merge table %s into table %s: the columns that order its changes have other types than those of table %s. Merge tables whose changes compare."
                .formatted(source.tableName(), spec.baseName(), spec.sources().get(0).tableName()));
      }
      layouts.add(layout);
    }
    return new MergePlan(spec, base, ranges, layouts);
  }

  private static void refuseRolledBack(MergeSpec spec, TableMetadata base, SourceRecord record) {
    if (!record.isHeldBy(base, SnapshotUtil.latestSnapshot(base, spec.branch()))) {
      throw new MergeException(
          Kind.BASE_UNFIT,
          "Cannot merge into table %s: it was rolled back behind snapshot %d, which has changes that its properties count as merged. Roll it forward again, or make its rows anew from all changes with withRebuild(true)."
              .formatted(spec.baseName(), record.baseSnapshotId()));
    }
  }

  private static void refuseUnfit(MergeSpec spec, PinnedTable base) {
    Table view = base.view();
    if (TableUtil.formatVersion(view) < 2) {
      throw new MergeException(
          Kind.BASE_UNFIT,
          "Cannot merge into table %s: it has format version 1, which has no row-level deletes. Upgrade it: set table property format-version=2."
              .formatted(spec.baseName()));
    }
    boolean staged =
        PropertyUtil.propertyAsBoolean(
            view.properties(), TableProperties.WRITE_AUDIT_PUBLISH_ENABLED, false);
    if (staged && spec.branch().equals(TidemarkKeys.MAIN)) {
      throw new MergeException(
          Kind.BASE_UNFIT,
          "Cannot merge into table %s: it has %s=true, and a staged commit is not in the branch whose watermark it would move. Merge into a branch, or unset the property."
              .formatted(spec.baseName(), TableProperties.WRITE_AUDIT_PUBLISH_ENABLED));
    }
  }

  PinnedTable base() {
    return base;
  }

  Table view() {
    return view;
  }

  /** The snapshot of the base table that rows are looked up in; null if it has none. */
  @Nullable Snapshot head() {
    return head;
  }

  @Nullable Long snapshotId() {
    return head == null ? null : head.snapshotId();
  }

  ImmutableList<SourceRange> ranges() {
    return ranges;
  }

  ImmutableList<ChangeLayout> layouts() {
    return layouts;
  }

  /** The form in which changes of all sources are kept. */
  ChangeLayout layout() {
    return layouts.get(0);
  }

  /** Columns of the sources that the base table lacks, by name. */
  ImmutableList<ChangeLayout.Extra> extras() {
    Map<String, ChangeLayout.Extra> extras = new LinkedHashMap<>();
    layouts.forEach(
        layout -> layout.extras().forEach(extra -> extras.putIfAbsent(extra.toString(), extra)));
    return ImmutableList.copyOf(extras.values());
  }

  /** All files of changes, in the order of sources and ranges. */
  ImmutableList<ChangeFile> files() {
    ImmutableList.Builder<ChangeFile> files = ImmutableList.builder();
    int number = 0;
    for (int source = 0; source < ranges.size(); source++) {
      for (DataFile file : ranges.get(source).files()) {
        files.add(new ChangeFile(source, number++, file));
      }
    }
    return files.build();
  }

  long changes() {
    return ranges.stream().mapToLong(SourceRange::changes).sum();
  }

  /** Into how many parts the keys are split. */
  int parts() {
    long parts = (changes() + spec.rowsInMemory() - 1) / spec.rowsInMemory();
    return (int) Math.max(1, Math.min(parts, 4096));
  }

  ChangeReader reader(int source, CountedFiles files) {
    ChangeLayout layout = layouts.get(source);
    int[] key = BaseLookup.positions(layout.schema(), spec.key());
    return new ChangeReader(spec, ranges.get(source).view(), layout, key, files);
  }

  /** The keys of changes as they are kept. */
  KeyReader keys() {
    return new KeyReader(
        layout().schema().asStruct(), BaseLookup.positions(layout().schema(), spec.key()));
  }

  KeyFold fold() {
    return new KeyFold(spec, view.schema(), layout(), view.specs().values());
  }

  int liveFiles() {
    String total = head == null ? null : summary(head).get(SnapshotSummary.TOTAL_DATA_FILES_PROP);
    return total == null ? 0 : Integer.parseInt(total);
  }

  /** The base's metadata that the plan is made on. */
  TableMetadata metadata() {
    return base.base();
  }

  /** For the summary of the snapshot: which snapshots of which sources it takes over. */
  String description() {
    StringBuilder text = new StringBuilder();
    for (SourceRange range : ranges) {
      Snapshot newest = range.head();
      if (newest != null) {
        Long from = range.from();
        text.append(text.isEmpty() ? "" : ",")
            .append(range.source().name())
            .append(':')
            .append(from == null ? "" : from)
            .append("..")
            .append(newest.snapshotId());
      }
    }
    return text.toString();
  }

  private static Map<String, String> summary(Snapshot snapshot) {
    Map<String, String> summary = snapshot.summary();
    return summary == null ? Map.of() : summary;
  }
}
