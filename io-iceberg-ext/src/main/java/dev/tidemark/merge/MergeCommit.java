package dev.tidemark.merge;

import dev.tidemark.commit.PinnedCommits;
import dev.tidemark.commit.PinnedTable;
import dev.tidemark.commit.PropertyChange;
import dev.tidemark.commit.TidemarkKeys;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.exceptions.CleanableFailure;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.util.SnapshotUtil;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attempts to commit one plan: all files, the watermark and the place in the sources, in one
 * compare-and-swap. Each attempt is made on a base loaded anew. Where somebody else committed since
 * the plan, it is validated from the plan's snapshot on that nothing was added, deleted or
 * rewritten that the plan relies on; if so the plan is void.
 */
final class MergeCommit implements PinnedCommits.Attempt<MergeCommit.Ended> {
  private static final Logger LOG = LoggerFactory.getLogger(MergeCommit.class);

  private final MergeSpec spec;
  private final MergePlan plan;
  private final Written written;
  private final MergeProperties properties;
  private final List<Long> tried = new ArrayList<>();
  private boolean maybeLive;

  /**
   * How it ended.
   *
   * @param snapshotId the snapshot that holds the plan; null if the plan is void
   * @param metadata the base table then
   */
  record Ended(@Nullable Long snapshotId, TableMetadata metadata) {
    boolean isVoid() {
      return snapshotId == null;
    }
  }

  MergeCommit(MergeSpec spec, MergePlan plan, Written written) {
    this.spec = spec;
    this.plan = plan;
    this.written = written;
    this.properties = new MergeProperties(spec, plan.ranges());
  }

  /** Whether a table may refer to the files although no attempt is known to have landed. */
  boolean maybeLive() {
    return maybeLive;
  }

  @Override
  public Ended on(PinnedTable table) {
    TableMetadata base = table.base();
    if (!base.uuid().equals(plan.metadata().uuid())) {
      LOG.info("Table {} was created anew since the plan: planning again", spec.baseName());
      return new Ended(null, base);
    }
    for (Long id : tried) {
      if (base.snapshot(id) != null) {
        return new Ended(id, base);
      }
    }
    if (!tried.isEmpty() && properties.holds(base)) {
      // The snapshot has expired already.
      return new Ended(tried.get(tried.size() - 1), base);
    }
    if (!properties.precedes(base, plan.metadata())) {
      LOG.info("Another merge into table {} won: planning again", spec.baseName());
      return new Ended(null, base);
    }
    if (!descendsFromPlan(base)) {
      LOG.info("Table {} was moved back since the plan: planning again", spec.baseName());
      return new Ended(null, base);
    }
    Transaction transaction = table.newTransaction();
    try {
      rowDelta(transaction).commit();
    } catch (ValidationException e) {
      LOG.info("Table {} was changed since the plan: planning again", spec.baseName(), e);
      return new Ended(null, base);
    }
    long snapshotId = staged(transaction).ref(spec.branch()).snapshotId();
    TidemarkKeys keys = spec.keys();
    PropertyChange change =
        properties
            .change(base, snapshotId)
            .set(keys.fence(), table.fence(keys))
            .against(base.properties());
    if (!change.isEmpty()) {
      UpdateProperties update = transaction.updateProperties();
      change.sets().forEach(update::set);
      change.removals().forEach(update::remove);
      update.commit();
    }
    tried.add(snapshotId);
    TableMetadata after = staged(transaction);
    try {
      table.commit(transaction);
    } catch (RuntimeException e) {
      maybeLive = maybeLive || !(e instanceof CleanableFailure);
      throw e;
    }
    return new Ended(snapshotId, after);
  }

  /** Whether what happened since the plan can be told. */
  private boolean descendsFromPlan(TableMetadata base) {
    Long planned = plan.snapshotId();
    Snapshot head = SnapshotUtil.latestSnapshot(base, spec.branch());
    return planned == null
        || (head != null && SnapshotUtil.isAncestorOf(head.snapshotId(), planned, base::snapshot));
  }

  private RowDelta rowDelta(Transaction transaction) {
    RowDelta delta = transaction.newRowDelta().toBranch(spec.branch());
    written.rows.forEach(delta::addRows);
    written.deletes.forEach(delta::addDeletes);
    written.replaced.forEach(delta::removeDeletes);
    written.removed.forEach(delta::removeRows);
    Long planned = plan.snapshotId();
    if (planned != null) {
      delta.validateFromSnapshot(planned);
    }
    delta
        .conflictDetectionFilter(Expressions.alwaysTrue())
        .validateNoConflictingDataFiles()
        .validateNoConflictingDeleteFiles()
        .validateDataFilesExist(written.referenced)
        .validateDeletedFiles();
    delta.set(spec.keys().merged(), plan.description());
    return delta;
  }

  private static TableMetadata staged(Transaction transaction) {
    return ((HasTableOperations) transaction.table()).operations().current();
  }
}
