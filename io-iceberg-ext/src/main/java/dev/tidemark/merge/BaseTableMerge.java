package dev.tidemark.merge;

import com.google.common.collect.ImmutableList;
import dev.tidemark.commit.FencedProperties;
import dev.tidemark.commit.PinnedCommits;
import dev.tidemark.commit.PropertyChange;
import dev.tidemark.commit.Sleeper;
import dev.tidemark.commit.TableAccess;
import dev.tidemark.merge.MergeException.Kind;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.SnapshotUtil;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges change tables into a base table, in this process: for schedulers, and for engines other
 * than Beam.
 *
 * <pre>{@code
 * MergeResult result = BaseTableMerge.of(catalog, spec).run();
 * }</pre>
 *
 * <p>One metadata version of each change table is pinned. What was appended since the last merge is
 * folded by key, the rows that the base table holds of these keys are taken out of it, and the new
 * ones are added, together with the watermark of the pinned versions: one commit, or none. Running
 * it again is always safe, and does nothing where there is nothing new. The package documentation
 * says more.
 *
 * <p>Not thread-safe. Merges into one table may run at the same time; one of them then starts over.
 */
public final class BaseTableMerge {
  private static final Logger LOG = LoggerFactory.getLogger(BaseTableMerge.class);
  private static final int EVOLVE_TRIES = 5;

  private final MergeSpec spec;
  private final TableAccess bases;
  private final TableAccess sources;
  private final Clock clock;
  private final Sleeper sleeper;
  private final MergeProbe probe;
  private final LongAdder bytes;

  /** What all parts of a plan came to. */
  static final class Prepared {
    final Written written = new Written();
    long keys;
    long superseded;
    int mergedFilesRead;
    long inserted;
    long deleted;
    int filesRead;
  }

  BaseTableMerge(
      MergeSpec spec,
      TableAccess bases,
      TableAccess sources,
      Clock clock,
      Sleeper sleeper,
      MergeProbe probe,
      LongAdder bytes) {
    spec.check();
    this.spec = spec;
    this.bases = bases;
    this.sources = sources;
    this.clock = clock;
    this.sleeper = sleeper;
    this.probe = probe;
    this.bytes = bytes;
  }

  /**
   * A merge within one catalog, which stays the caller's.
   *
   * @throws IllegalArgumentException if the spec is incomplete
   */
  public static BaseTableMerge of(Catalog catalog, MergeSpec spec) {
    return of(catalog, catalog, spec);
  }

  /**
   * A merge of change tables of another catalog; both stay the caller's.
   *
   * @throws IllegalArgumentException if the spec is incomplete
   */
  public static BaseTableMerge of(Catalog bases, Catalog sources, MergeSpec spec) {
    return new BaseTableMerge(
        spec,
        TableAccess.of(bases),
        TableAccess.of(sources),
        Clock.systemUTC(),
        Sleeper.threads(),
        MergeProbe.NONE,
        new LongAdder());
  }

  /**
   * Merges.
   *
   * @throws MergeException if the tables do not allow it; nothing was merged
   * @throws dev.tidemark.commit.CommitException if the commit failed, or it is not known whether it
   *     did; running again finds out
   */
  public MergeResult run() {
    return run(0);
  }

  /** Merges after so many plans that came to nothing. */
  MergeResult run(int before) {
    for (int replans = before; ; replans++) {
      MergePlan plan = plan();
      Prepared prepared = prepare(plan);
      MergeResult result = finish(plan, prepared, replans);
      if (result != null) {
        return result;
      }
      if (replans >= spec.maxReplans()) {
        throw new MergeException(
            Kind.CONFLICT,
            "Cannot merge into table %s: other commits changed it during each of %d plans. Merge when it is quieter, or raise withMaxReplans."
                .formatted(spec.baseName(), replans + 1));
      }
    }
  }

  /** Pins all tables, and tags the sources that are read for the first time. */
  MergePlan plan() {
    PinnedCommits pins = commits(bases);
    PinnedCommits sourcePins = commits(sources);
    MergePlan plan = MergePlan.make(spec, pins, sourcePins, probe);
    for (int tries = 1; !plan.extras().isEmpty(); tries++) {
      if (spec.extraColumns() == ExtraColumns.IGNORE) {
        break;
      } else if (spec.extraColumns() == ExtraColumns.REFUSE) {
        throw new MergeException(
            Kind.SCHEMA,
            "Cannot merge into table %s: it has no column %s. Add the columns, leave them out with withoutColumns, or say withExtraColumns(ExtraColumns.EVOLVE)."
                .formatted(spec.baseName(), plan.extras()));
      }
      evolve(plan, tries);
      plan = MergePlan.make(spec, pins, sourcePins, probe);
    }
    for (SourceRange range : plan.ranges()) {
      Snapshot head = range.head();
      if (range.isWhole() && head != null) {
        SourceTag.place(sources, spec, range.source(), head);
      }
    }
    probe.reached(MergeProbe.Step.TAGS_PLACED);
    return plan;
  }

  private void evolve(MergePlan plan, int tries) {
    UpdateSchema update =
        new BaseTable(bases.operations(spec.base()), spec.baseName()).updateSchema();
    try {
      plan.extras().forEach(extra -> extra.addTo(update));
      update.commit();
      LOG.info("Added columns {} to table {}", plan.extras(), spec.baseName());
    } catch (CommitFailedException | IllegalArgumentException e) {
      if (tries == EVOLVE_TRIES) {
        throw e;
      }
      LOG.debug("Another writer changed table {}", spec.baseName(), e);
    }
  }

  private PinnedCommits commits(TableAccess access) {
    return new PinnedCommits(access, clock, sleeper);
  }

  /** Reads the ranges, and writes all files, part by part. */
  private Prepared prepare(MergePlan plan) {
    Prepared prepared = new Prepared();
    List<PartMerge.Outcome> outcomes = new ArrayList<>();
    ImmutableList<ChangeFile> files = plan.files();
    try {
      if (files.isEmpty() && !spec.rebuild()) {
        return prepared;
      }
      PartMerge merge = partMerge(plan);
      if (plan.parts() == 1) {
        KeyFold fold = plan.fold();
        Parallel.forEach(
            files,
            spec.threads(),
            file -> {
              KeyFold.Adder adder = fold.adder();
              reader(plan, file).read(file, adder::add);
            });
        probe.reached(MergeProbe.Step.CHANGES_READ);
        outcomes.add(merge.merge(fold, spec.threads()));
      } else {
        prepareParts(plan, files, merge, outcomes);
      }
      complete(plan, outcomes, prepared);
      return prepared;
    } catch (RuntimeException e) {
      outcomes.forEach(outcome -> outcome.written.discard(plan.view()));
      prepared.written.discard(plan.view());
      throw e;
    }
  }

  private void prepareParts(
      MergePlan plan, List<ChangeFile> files, PartMerge merge, List<PartMerge.Outcome> outcomes) {
    try (ChangeParts parts =
        new ChangeParts(plan.parts(), plan.layout().schema(), spec.spillDirectory())) {
      Parallel.forEach(files, spec.threads(), file -> reader(plan, file).read(file, parts.sink()));
      parts.complete();
      probe.reached(MergeProbe.Step.CHANGES_READ);
      for (int part = 0; part < parts.count(); part++) {
        KeyFold fold = plan.fold();
        KeyFold.Adder adder = fold.adder();
        KeyReader keys = plan.keys();
        parts.drain(
            part,
            version -> adder.add(version.kind() == null ? null : keys.key(version.row()), version));
        outcomes.add(merge.merge(fold, spec.threads()));
      }
    }
  }

  PartMerge partMerge(MergePlan plan) {
    return new PartMerge(spec, plan, bytes, probe);
  }

  ChangeReader reader(MergePlan plan, ChangeFile file) {
    int source = file.source();
    return plan.reader(source, new CountedFiles(plan.ranges().get(source).view(), bytes));
  }

  /** Puts the parts together, and writes what takes one writer. */
  void complete(MergePlan plan, List<PartMerge.Outcome> outcomes, Prepared prepared) {
    List<FileHits> hits = new ArrayList<>();
    boolean truncated = false;
    for (PartMerge.Outcome outcome : outcomes) {
      prepared.written.rows.addAll(outcome.written.rows);
      prepared.written.deletes.addAll(outcome.written.deletes);
      prepared.keys += outcome.keys;
      prepared.superseded += outcome.superseded;
      prepared.mergedFilesRead += outcome.mergedFilesRead;
      prepared.inserted += outcome.inserted;
      prepared.filesRead += outcome.filesRead;
      hits.addAll(outcome.hits);
      truncated = truncated || outcome.truncated;
    }
    Long snapshotId = plan.snapshotId();
    if (snapshotId != null && (truncated || spec.rebuild())) {
      removeAll(plan, snapshotId, prepared);
    } else if (snapshotId != null && spec.removals() == Removals.EQUALITY) {
      prepared.deleted = prepared.keys == 0 ? 0 : -1;
    } else {
      prepared.deleted =
          new DeleteWriter(plan.view(), snapshotId, new CountedFiles(plan.view(), bytes))
              .write(hits, prepared.written);
    }
    probe.reached(MergeProbe.Step.DELETES_WRITTEN);
  }

  private void removeAll(MergePlan plan, long snapshotId, Prepared prepared) {
    try (CloseableIterable<FileScanTask> tasks =
        plan.view().newScan().useSnapshot(snapshotId).planFiles()) {
      for (FileScanTask task : tasks) {
        prepared.written.removed.add(task.file().copy());
      }
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException("Cannot plan files of table " + spec.baseName(), e);
    }
    prepared.deleted = prepared.written.removed.isEmpty() ? 0 : -1;
  }

  /** Commits, and moves the tags; null if the plan is void. */
  @Nullable MergeResult finish(MergePlan plan, Prepared prepared, int replans) {
    MergeResult.Builder result = result(plan, prepared).setReplans(replans);
    MergeProperties properties = new MergeProperties(spec, plan.ranges());
    probe.reached(MergeProbe.Step.PLANNED);
    TableMetadata after;
    if (prepared.written.isEmpty()) {
      after = carry(plan, properties, result);
    } else {
      after = commit(plan, prepared.written, result);
    }
    if (after == null) {
      return null;
    }
    probe.reached(MergeProbe.Step.COMMITTED);
    for (SourceRange range : plan.ranges()) {
      Snapshot head = range.head();
      if (head != null) {
        SourceTag.move(sources, spec, range.source(), head.snapshotId());
      }
    }
    probe.reached(MergeProbe.Step.TAGS_MOVED);
    MergeResult ended =
        result
            .setFinalizedUntilMillis(
                MergeProperties.stored(after.properties(), after.uuid(), spec.keys()))
            .build();
    LOG.info(
        "Merged {} keys into table {}, {} left as they are: {} rows in, {} out, snapshot {}, finalized until {}",
        ended.keys(),
        spec.baseName(),
        ended.keysSuperseded(),
        ended.rowsInserted(),
        ended.rowsDeleted(),
        ended.snapshotId(),
        ended.finalizedUntilMillis());
    return ended;
  }

  private @Nullable TableMetadata commit(
      MergePlan plan, Written written, MergeResult.Builder result) {
    MergeCommit commit = new MergeCommit(spec, plan, written);
    MergeCommit.Ended ended;
    probe.reached(MergeProbe.Step.COMMITTING);
    try {
      ended = commits(bases).run(spec.base(), commit);
    } catch (RuntimeException e) {
      if (!commit.maybeLive()) {
        written.discard(plan.view());
      }
      throw e;
    }
    if (ended.isVoid()) {
      if (!commit.maybeLive()) {
        written.discard(plan.view());
      }
      return null;
    }
    result.setStatus(MergeResult.Status.MERGED).setSnapshotId(ended.snapshotId());
    return ended.metadata();
  }

  /** Writes properties only; null if the plan is void. */
  private @Nullable TableMetadata carry(
      MergePlan plan, MergeProperties properties, MergeResult.Builder result) {
    Carrying carrying = new Carrying(plan, properties);
    new FencedProperties(bases, clock, sleeper)
        .update(spec.base(), spec.branch(), carrying::change);
    if (carrying.isVoid) {
      return null;
    }
    result.setStatus(carrying.wrote ? MergeResult.Status.CARRIED : MergeResult.Status.NOTHING);
    return carrying.after;
  }

  /** The attempts to write the properties of a plan that changes no row. */
  private final class Carrying {
    private final MergePlan plan;
    private final MergeProperties properties;
    private boolean isVoid;
    private boolean wrote;
    private @Nullable TableMetadata after;

    Carrying(MergePlan plan, MergeProperties properties) {
      this.plan = plan;
      this.properties = properties;
    }

    @Nullable PropertyChange change(TableMetadata base) {
      Snapshot head = SnapshotUtil.latestSnapshot(base, spec.branch());
      Long headId = head == null ? null : head.snapshotId();
      boolean known =
          properties.precedes(base, plan.metadata()) || (wrote && properties.holds(base));
      // That no row is touched was found out of this very snapshot.
      boolean untouched = plan.files().isEmpty() || Objects.equals(headId, plan.snapshotId());
      isVoid = !base.uuid().equals(plan.metadata().uuid()) || !known || (!wrote && !untouched);
      if (isVoid) {
        return null;
      }
      PropertyChange change =
          properties.change(base, headId).note(plan.description()).against(base.properties());
      wrote = wrote || !change.isEmpty();
      after =
          TableMetadata.buildFrom(base)
              .setProperties(change.sets())
              .removeProperties(change.removals())
              .build();
      return change;
    }
  }

  private MergeResult.Builder result(MergePlan plan, Prepared prepared) {
    ImmutableList.Builder<MergedSource> merged = ImmutableList.builder();
    for (SourceRange range : plan.ranges()) {
      Snapshot head = range.head();
      merged.add(
          MergedSource.of(
              range.source().name(),
              range.from(),
              head == null ? null : head.snapshotId(),
              range.finalizedUntilMillis(),
              range.files().size(),
              range.changes()));
    }
    return MergeResult.builder()
        .setTable(spec.baseName())
        .setSources(merged.build())
        .setKeys(prepared.keys)
        .setKeysSuperseded(prepared.superseded)
        .setMergedFilesRead(prepared.mergedFilesRead)
        .setRowsInserted(prepared.inserted)
        .setRowsDeleted(prepared.deleted)
        .setChangeFilesRead(plan.files().size())
        .setBaseFilesRead(prepared.filesRead)
        .setBaseFilesLive(plan.liveFiles())
        .setBytesRead(bytes.sum());
  }
}
