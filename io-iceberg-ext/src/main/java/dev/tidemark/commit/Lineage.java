package dev.tidemark.commit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.util.SnapshotUtil;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * The ancestry of a branch's head in one metadata version: what the head holds, and what it once
 * held and does not any more.
 *
 * <p>It is walked only as far as a question needs. Sequence numbers only fall on the way to the
 * root, so a chain that has passed below a snapshot's number without meeting it does not descend
 * from it, whether or not the snapshot still exists.
 */
final class Lineage {
  // Iceberg lets the clocks of writers differ by this much before it refuses a snapshot.
  private static final long CLOCK_TOLERANCE_MILLIS = 60_000;

  private final TableMetadata base;
  private final List<Snapshot> walked = new ArrayList<>();
  private final Set<Long> held = new HashSet<>();
  private @Nullable Snapshot next;
  private boolean cut;

  Lineage(TableMetadata base, String branch) {
    this.base = base;
    this.next = SnapshotUtil.latestSnapshot(base, branch);
  }

  /**
   * Whether the head descends from a snapshot, or from a cherry-pick of it. Where expiry removed
   * the part of the chain that would tell, it is presumed to.
   */
  boolean holds(Landing landing) {
    Snapshot live = base.snapshot(landing.snapshotId());
    while (true) {
      if (held.contains(landing.snapshotId())) {
        return true;
      }
      if (next == null) {
        return cut;
      }
      if (isBelow(next, landing, live)) {
        return false;
      }
      step();
    }
  }

  /** As {@link #holds(Landing)}, of a snapshot of which perhaps nothing but the id is left. */
  boolean holds(long snapshotId) {
    Snapshot live = base.snapshot(snapshotId);
    return holds(live == null ? new Landing(snapshotId, 0) : landing(live));
  }

  /** The newest ancestor, seen through cherry-picks, with such a summary; null if there is none. */
  @Nullable Snapshot newest(Predicate<Map<String, String>> summary) {
    for (int i = 0; ; i++) {
      while (i >= walked.size()) {
        if (next == null) {
          return null;
        }
        step();
      }
      Snapshot origin = origin(walked.get(i));
      if (summary.test(summary(origin))) {
        return origin;
      }
    }
  }

  /** All ancestors that are left, newest first. */
  List<Snapshot> all() {
    while (next != null) {
      step();
    }
    return List.copyOf(walked);
  }

  /**
   * Whether expiry removed the older end of the chain. Meaningful once it has been walked to the
   * end.
   */
  boolean isCut() {
    return cut;
  }

  /** The landing of a snapshot. */
  static Landing landing(Snapshot snapshot) {
    return new Landing(snapshot.snapshotId(), snapshot.sequenceNumber());
  }

  static Map<String, String> summary(Snapshot snapshot) {
    Map<String, String> summary = snapshot.summary();
    return summary == null ? Map.of() : summary;
  }

  private static boolean isBelow(Snapshot reached, Landing landing, @Nullable Snapshot live) {
    if (landing.snapshotSequence() > 0) {
      return reached.sequenceNumber() < landing.snapshotSequence();
    }
    return live != null
        && reached.timestampMillis() < live.timestampMillis() - CLOCK_TOLERANCE_MILLIS;
  }

  private void step() {
    Snapshot snapshot = next;
    if (snapshot == null) {
      return;
    }
    walked.add(snapshot);
    held.add(snapshot.snapshotId());
    String picked = summary(snapshot).get(SnapshotSummary.SOURCE_SNAPSHOT_ID_PROP);
    if (picked != null) {
      held.add(Long.parseLong(picked));
    }
    Long parent = snapshot.parentId();
    next = parent == null ? null : base.snapshot(parent);
    cut = parent != null && next == null;
  }

  private Snapshot origin(Snapshot snapshot) {
    String picked = summary(snapshot).get(SnapshotSummary.SOURCE_SNAPSHOT_ID_PROP);
    Snapshot source = picked == null ? null : base.snapshot(Long.parseLong(picked));
    return source == null ? snapshot : source;
  }
}
