package dev.tidemark.sensor;

import com.google.common.collect.ImmutableList;
import dev.tidemark.commit.StoredEvidence;
import dev.tidemark.commit.WatermarkState;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.util.SnapshotUtil;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a history together. Older metadata files are read only as far as summaries leave a gap:
 * after a foreign snapshot nobody noted the watermark.
 */
final class Histories {
  private static final Logger LOG = LoggerFactory.getLogger(Histories.class);
  // Iceberg lets the clocks of writers differ by this much before it refuses a snapshot.
  private static final long CLOCK_TOLERANCE_MILLIS = 60_000;

  /** A watermark that is known, be it that there was none. */
  private record Known(@Nullable Long millis) {}

  private final StoredEvidence evidence;
  private final FileIO io;
  private final Deque<TableMetadata.MetadataLogEntry> unread = new ArrayDeque<>();
  private final Map<Long, Known> byHead = new HashMap<>();
  private int unreadable;

  Histories(TableSource.Version version, StoredEvidence evidence) {
    this.evidence = evidence;
    this.io = version.io();
    remember(version.metadata());
    version.metadata().previousFiles().forEach(unread::push);
  }

  FinalizationHistory newest(int limit) {
    ImmutableList<Snapshot> snapshots = evidence.snapshots();
    int shown = Math.min(limit, snapshots.size());
    ImmutableList.Builder<HistoryEntry> entries = ImmutableList.builder();
    for (int i = 0; i < shown; i++) {
      entries.add(entry(snapshots.get(i), i == 0 ? null : snapshots.get(i - 1)));
    }
    boolean cut = shown > 0 && snapshots.get(shown - 1).parentId() != null;
    return new FinalizationHistory(entries.build().reverse(), cut, unreadable);
  }

  private HistoryEntry entry(Snapshot snapshot, @Nullable Snapshot next) {
    Known after = after(snapshot, next);
    Map<String, String> summary = snapshot.summary();
    return HistoryEntry.builder()
        .setSnapshotId(snapshot.snapshotId())
        .setCommittedAt(Instant.ofEpochMilli(snapshot.timestampMillis()))
        .setOperation(snapshot.operation())
        .setWriter(evidence.writer(snapshot))
        .setCommitted(summary == null ? null : summary.get(evidence.keys().committed()))
        .setRecords(evidence.fact(snapshot, "count"))
        .setMinEventTime(Judgement.instant(evidence.fact(snapshot, "min")))
        .setMaxEventTime(Judgement.instant(evidence.fact(snapshot, "max")))
        .setOutOfRange(evidence.fact(snapshot, "out-of-range"))
        .setLate(LateCommits.of(evidence, snapshot))
        .setWatermarkKnown(after != null)
        .setWatermarkAfter(after == null ? null : Judgement.instant(after.millis()))
        .build();
  }

  /** The watermark before the next snapshot; null if nothing is left that tells. */
  private @Nullable Known after(Snapshot snapshot, @Nullable Snapshot next) {
    if (next != null && evidence.writer(next) != null) {
      return new Known(evidence.watermarkBefore(next));
    }
    Known known = byHead.get(snapshot.snapshotId());
    long oldest = snapshot.timestampMillis() - CLOCK_TOLERANCE_MILLIS;
    while (known == null && !unread.isEmpty() && unread.peek().timestampMillis() >= oldest) {
      read(unread.pop());
      known = byHead.get(snapshot.snapshotId());
    }
    Long written = evidence.watermarkWritten(snapshot);
    return known == null && written != null ? new Known(written) : known;
  }

  private void read(TableMetadata.MetadataLogEntry entry) {
    try {
      remember(TableMetadataParser.read(io, entry.file()));
    } catch (RuntimeException e) {
      // Old files are anybody's to delete; the history says how many it missed.
      LOG.debug("Cannot read metadata file {}", entry.file(), e);
      unreadable++;
    }
  }

  /** Of versions with the same head the newest one counts, which is read first. */
  private void remember(TableMetadata version) {
    String branch = evidence.keys().branch();
    boolean exists = version.ref(branch) != null || branch.equals("main");
    Snapshot head = exists ? SnapshotUtil.latestSnapshot(version, branch) : null;
    if (head == null) {
      return;
    }
    WatermarkState state;
    try {
      state = WatermarkState.of(version.properties(), evidence.keys());
    } catch (IllegalArgumentException e) {
      LOG.debug("Cannot read the watermark in {}", version.metadataFileLocation(), e);
      return;
    }
    boolean own = state.tableUuid() == null || state.tableUuid().equals(version.uuid());
    byHead.putIfAbsent(head.snapshotId(), new Known(own ? state.finalizedUntilMillis() : null));
  }
}
