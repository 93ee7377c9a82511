package dev.tidemark.commit;

import dev.tidemark.commit.CommittedRecord.Entry;
import java.util.Map;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Says what does not fit together, and what to do about it. */
final class RewindMessages {
  private final CommitRequest request;
  private final TableMetadata base;
  private final Lineage lineage;
  private final TidemarkKeys keys;

  RewindMessages(CommitRequest request, TableMetadata base, Lineage lineage, TidemarkKeys keys) {
    this.request = request;
    this.base = base;
    this.lineage = lineage;
    this.keys = keys;
  }

  CommitException rewound(CommittedRecord held, WriterResult result) {
    long sequence = result.sequence();
    Entry entry = held.entries().get(sequence);
    Snapshot holder =
        entry == null ? holder(sequence) : base.snapshot(entry.landing().snapshotId());
    String where = holder == null ? "" : " (this one in snapshot " + holder.snapshotId() + ")";
    return exception(
        CommitException.Kind.REWOUND,
        ("Cannot commit to table %s: writer %s hands over results from sequence %d on, but the table holds other results of it "
                + "up to sequence %d%s. The runner was rewound to an older checkpoint, or a second pipeline runs under this writer id. "
                + "%s and restart from that checkpoint; or restart from the newest checkpoint; or give the second pipeline a writer id "
                + "of its own; or set the rewind policy to PARK to set these results aside, or to ACCEPT to commit them although rows "
                + "may be doubled.")
            .formatted(
                request.table(),
                request.writerId(),
                sequence,
                held.through(),
                where,
                rollback(holder)));
  }

  CommitException missing(long through, boolean rolledBack) {
    long first = request.results().get(0).sequence();
    if (rolledBack) {
      return exception(
          CommitException.Kind.ROLLED_BACK,
          ("Cannot commit to table %s: writer %s hands over results from sequence %d on, but branch %s was moved back and holds "
                  + "results of it up to sequence %d only (head: snapshot %s). Restart the pipeline from the checkpoint that holds "
                  + "results up to sequence %d, or move the branch forward again; or set the rewind policy to PARK, or to ACCEPT to go "
                  + "on without the results in between.")
              .formatted(
                  request.table(),
                  request.writerId(),
                  first,
                  request.branch(),
                  through,
                  head(),
                  through));
    }
    return exception(
        CommitException.Kind.RESULTS_MISSING,
        ("Cannot commit to table %s: writer %s hands over results from sequence %d on, but the table holds results of it up to "
                + "sequence %d only (head: snapshot %s). The table was dropped and created again, its properties were removed, or this is "
                + "another table. Restore the table or its properties, or start the pipeline without old state; or set the rewind policy "
                + "to PARK, or to ACCEPT to go on without the results in between.")
            .formatted(request.table(), request.writerId(), first, through, head()));
  }

  static CommitException recreated(CommitRequest request, TableMetadata base, WriterResult result) {
    return exception(
        request,
        CommitException.Kind.TABLE_RECREATED,
        ("Cannot commit to table %s: result %d of writer %s was written for the table with UUID %s, and the table's UUID is %s. It was "
                + "dropped and created again. Restart the pipeline without old state; or restore the old table; or set the rewind policy "
                + "to PARK to set these results aside, or to ACCEPT to go on without them.")
            .formatted(
                request.table(),
                result.sequence(),
                request.writerId(),
                result.tableUuid(),
                base.uuid()));
  }

  static CommitException unreadable(CommitRequest request, IllegalArgumentException cause) {
    return new CommitException(
        CommitException.Kind.RECORD_UNREADABLE,
        "Cannot commit to table %s: the record of what writer %s committed cannot be read: %s. Restore the table's properties from an older metadata file."
            .formatted(request.table(), request.writerId(), cause.getMessage()),
        cause);
  }

  private CommitException exception(CommitException.Kind kind, String message) {
    return exception(request, kind, message);
  }

  private static CommitException exception(
      CommitRequest request, CommitException.Kind kind, String message) {
    return new CommitException(kind, message, null, request.onRewind() == RewindPolicy.PARK);
  }

  private String head() {
    Snapshot head = base.currentSnapshot();
    if (base.ref(request.branch()) != null) {
      head = base.snapshot(base.ref(request.branch()).snapshotId());
    }
    return head == null ? "none" : Long.toString(head.snapshotId());
  }

  private static String rollback(@Nullable Snapshot holder) {
    if (holder == null || holder.parentId() == null) {
      return "Roll the table back to before that sequence was committed";
    }
    return "Roll the table back to snapshot " + holder.parentId();
  }

  private @Nullable Snapshot holder(long sequence) {
    for (Snapshot snapshot : lineage.all()) {
      Map<String, String> summary = Lineage.summary(snapshot);
      if (request.writerId().equals(summary.get(keys.writer()))
          && SequenceRanges.contains(summary.getOrDefault(keys.committed(), ""), sequence)) {
        return snapshot;
      }
    }
    return null;
  }
}
