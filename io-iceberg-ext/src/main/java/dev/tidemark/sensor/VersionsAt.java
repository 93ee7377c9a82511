package dev.tidemark.sensor;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import dev.tidemark.commit.CommitException;
import dev.tidemark.commit.StoredEvidence;
import dev.tidemark.commit.StoredEvidence.Standing;
import dev.tidemark.commit.WatermarkState;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.io.FileIO;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the newest metadata version in which the branch held the rows up to a snapshot and no
 * others, and whose watermark rests on what the branch held then.
 *
 * <p>Summaries tell the watermark that a commit met, and not what it rested on: after a rollback
 * that may be rows which are gone. So only metadata files count.
 */
final class VersionsAt {
  private static final Logger LOG = LoggerFactory.getLogger(VersionsAt.class);

  // Iceberg lets the clocks of writers differ by this much before it refuses a snapshot.
  private static final long CLOCK_TOLERANCE_MILLIS = 60_000;

  private final TableMetadata newest;
  private final StoredEvidence evidence;
  private final FileIO io;

  VersionsAt(TableSource.Version version, StoredEvidence evidence) {
    this.newest = version.metadata();
    this.evidence = evidence;
    this.io = version.io();
  }

  SnapshotWatermark watermark(long snapshotId) {
    ImmutableList<Snapshot> snapshots = evidence.snapshots();
    int at = 0;
    while (at < snapshots.size() && snapshots.get(at).snapshotId() != snapshotId) {
      at++;
    }
    if (at == snapshots.size()) {
      return SnapshotWatermark.of(SnapshotWatermark.State.NOT_IN_BRANCH, newest.uuid());
    }
    long oldest = snapshots.get(at).timestampMillis() - CLOCK_TOLERANCE_MILLIS;
    Set<Long> heads = new HashSet<>(Set.of(snapshotId));
    while (at > 0 && changesNoRows(snapshots.get(at - 1))) {
      at--;
      heads.add(snapshots.get(at).snapshotId());
    }
    SnapshotWatermark found = in(newest, heads);
    for (TableMetadata.MetadataLogEntry entry : Lists.reverse(newest.previousFiles())) {
      if (found != null || entry.timestampMillis() < oldest) {
        break;
      }
      found = in(read(entry), heads);
    }
    return found != null
        ? found
        : SnapshotWatermark.of(SnapshotWatermark.State.NOT_KNOWN, newest.uuid());
  }

  /** What a version tells; null if it is about other rows, or its watermark does not count. */
  private @Nullable SnapshotWatermark in(@Nullable TableMetadata version, Set<Long> heads) {
    if (version == null || !version.uuid().equals(newest.uuid())) {
      return null;
    }
    StoredEvidence then;
    try {
      then = StoredEvidence.of(version, evidence.keys().branch());
    } catch (IllegalArgumentException | CommitException e) {
      LOG.debug("Cannot read the watermark in {}", version.metadataFileLocation(), e);
      return null;
    }
    Snapshot head = then.head();
    if (head == null
        || !heads.contains(head.snapshotId())
        || then.standing() == Standing.ROLLED_BACK) {
      return null;
    }
    WatermarkState state = then.watermark();
    boolean own = then.standing() != Standing.CLONE;
    return SnapshotWatermark.of(SnapshotWatermark.State.KNOWN, newest.uuid())
        .with(
            own ? Judgement.instant(state.finalizedUntilMillis()) : null,
            Judgement.instant(state.finalizedSinceMillis()));
  }

  private @Nullable TableMetadata read(TableMetadata.MetadataLogEntry entry) {
    try {
      return TableMetadataParser.read(io, entry.file());
    } catch (RuntimeException e) {
      // Old files are anybody's to delete; one that is gone tells nothing.
      LOG.debug("Cannot read metadata file {}", entry.file(), e);
      return null;
    }
  }

  /** A compaction, or a fence. */
  private static boolean changesNoRows(Snapshot snapshot) {
    Map<String, String> summary = snapshot.summary();
    if (summary == null) {
      return false;
    }
    boolean adds =
        Stream.of(
                SnapshotSummary.ADDED_FILES_PROP,
                SnapshotSummary.ADDED_DELETE_FILES_PROP,
                SnapshotSummary.DELETED_FILES_PROP)
            .anyMatch(key -> !summary.getOrDefault(key, "0").equals("0"));
    return DataOperations.REPLACE.equals(snapshot.operation())
        || (DataOperations.APPEND.equals(snapshot.operation()) && !adds);
  }
}
