package dev.tidemark.sensor;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterables;
import dev.tidemark.commit.CommitException;
import dev.tidemark.commit.StoredEvidence;
import dev.tidemark.commit.WatermarkState;
import dev.tidemark.finalization.Attestation;
import dev.tidemark.finalization.CommitFacts;
import dev.tidemark.finalization.WriterWindow;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a timeline together: reads the metadata files that are left, oldest first and one at a time,
 * and takes down what each of them adds.
 */
final class Timelines {
  private static final Logger LOG = LoggerFactory.getLogger(Timelines.class);

  private final String branch;
  private final List<TimelinePoint> points = new ArrayList<>();
  private final Map<Long, CommitFacts> windowFacts = new HashMap<>();
  private final Set<Long> seen = new LinkedHashSet<>();
  private final ImmutableListMultimap.Builder<String, CommitFacts> earlier =
      ImmutableListMultimap.builder();
  private ImmutableSet<Long> lost = ImmutableSet.of();
  private @Nullable Long headId;
  private long tableMillis;
  private boolean cut;
  private int unreadable;

  private Timelines(String branch) {
    this.branch = branch;
  }

  static FinalizationTimeline of(
      TableSource.Version version, String branch, FinalizationReport report) {
    Timelines timelines = new Timelines(branch);
    for (TableMetadata.MetadataLogEntry entry : version.metadata().previousFiles()) {
      try {
        timelines.take(TableMetadataParser.read(version.io(), entry.file()));
      } catch (RuntimeException e) {
        // Old files are anybody's to delete; the timeline says how many it missed.
        LOG.debug("Cannot read metadata file {}", entry.file(), e);
        timelines.unreadable++;
      }
    }
    timelines.take(version.metadata());
    return new FinalizationTimeline(
        report,
        timelines.withRequiredWriters(),
        timelines.earlier.build(),
        timelines.cut,
        timelines.unreadable);
  }

  private void take(TableMetadata version) {
    if (version.ref(branch) == null && !branch.equals("main")) {
      // The branch was not there yet.
      return;
    }
    StoredEvidence evidence;
    try {
      evidence = StoredEvidence.of(version, branch);
    } catch (CommitException e) {
      LOG.debug("Cannot read the watermark in {}", version.metadataFileLocation(), e);
      unreadable++;
      return;
    }
    Snapshot head = evidence.head();
    if (points.isEmpty()) {
      begin(version, evidence);
    } else if (head != null && !Objects.equals(headId, head.snapshotId())) {
      follow(version, evidence, head);
    } else {
      changeProperties(version, evidence);
    }
    headId = head == null ? null : Long.valueOf(head.snapshotId());
  }

  /** The first version that can be read tells what its snapshots' summaries say of the past. */
  private void begin(TableMetadata version, StoredEvidence evidence) {
    ImmutableList<Snapshot> snapshots = evidence.snapshots().reverse();
    if (snapshots.isEmpty()) {
      return;
    }
    cut = snapshots.get(0).parentId() != null;
    evidence.writers().forEach(writer -> learn(evidence, writer));
    Set<Long> known = new LinkedHashSet<>();
    snapshots.forEach(snapshot -> known.add(snapshot.snapshotId()));
    for (String writer : evidence.writers()) {
      for (CommitFacts facts : windowFacts(evidence, writer)) {
        if (known.contains(facts.snapshotId())) {
          break;
        }
        earlier.put(writer, facts);
      }
    }
    add(version, evidence, snapshots);
  }

  /** Adds what came between the head before and this one; after a rollback that may be nothing. */
  private void follow(TableMetadata version, StoredEvidence evidence, Snapshot head) {
    Deque<Snapshot> fresh = new ArrayDeque<>();
    Snapshot next = head;
    Long parent = null;
    while (next != null && !seen.contains(next.snapshotId())) {
      fresh.push(next);
      parent = next.parentId();
      next = parent == null ? null : version.snapshot(parent);
    }
    Long base = next == null ? parent : Long.valueOf(next.snapshotId());
    for (Snapshot snapshot : fresh) {
      String writer = evidence.writer(snapshot);
      if (writer != null) {
        learn(evidence, writer);
      }
    }
    if (!Objects.equals(base, headId)) {
      lost = seen.stream().filter(id -> !evidence.holds(id)).collect(ImmutableSet.toImmutableSet());
    }
    if (fresh.isEmpty()) {
      append(elapsed(version.lastUpdatedMillis()), null, evidence);
      tableMillis = version.lastUpdatedMillis();
    } else {
      add(version, evidence, ImmutableList.copyOf(fresh));
    }
  }

  private void add(
      TableMetadata version, StoredEvidence evidence, ImmutableList<Snapshot> snapshots) {
    for (int i = 0; i < snapshots.size(); i++) {
      Snapshot snapshot = snapshots.get(i);
      TimelineCommit commit = commit(evidence, snapshot);
      boolean isHead = i == snapshots.size() - 1;
      CommitFacts stated = windowFacts.get(snapshot.snapshotId());
      long at = elapsed(snapshot.timestampMillis());
      if (stated != null) {
        at = stated.committedAtMillis();
      } else if (isHead && !points.isEmpty()) {
        at = attestedSince(at, evidence);
      }
      tableMillis = snapshot.timestampMillis();
      seen.add(snapshot.snapshotId());
      if (isHead) {
        append(at, commit, evidence);
      } else {
        points.add(
            withWatermarkBefore(snapshots.get(i + 1), snapshot, evidence)
                .setAt(Instant.ofEpochMilli(at))
                .setCommit(commit)
                .setLost(lost)
                .build());
      }
    }
    tableMillis = Math.max(tableMillis, version.lastUpdatedMillis());
  }

  /**
   * Whoever committed next noted the watermark. A fence tells what it wrote; a commit itself moves
   * nothing, so up to a fence that follows it the watermark is the one that it met.
   */
  private static TimelinePoint.Builder withWatermarkBefore(
      Snapshot next, Snapshot snapshot, StoredEvidence evidence) {
    boolean noted = evidence.writer(next) != null;
    boolean unmoved = evidence.writer(snapshot) != null && evidence.isFence(next);
    Long written = evidence.watermarkWritten(snapshot);
    Long watermark =
        noted
            ? evidence.watermarkBefore(next)
            : unmoved ? evidence.watermarkBefore(snapshot) : written;
    return TimelinePoint.builder()
        .setWatermarkKnown(noted || unmoved || written != null)
        .setWatermark(Judgement.instant(watermark));
  }

  private void changeProperties(TableMetadata version, StoredEvidence evidence) {
    TimelinePoint before = Iterables.getLast(points);
    append(attestedSince(elapsed(version.lastUpdatedMillis()), evidence), null, evidence);
    TimelinePoint added = Iterables.getLast(points);
    if (added.toBuilder().setAt(before.at()).setCommit(before.commit()).build().equals(before)) {
      points.remove(points.size() - 1);
    }
    tableMillis = version.lastUpdatedMillis();
  }

  /** The point that a version is the state of. */
  private void append(long atMillis, @Nullable TimelineCommit commit, StoredEvidence evidence) {
    WatermarkState watermark = evidence.watermark();
    boolean clone = evidence.standing() == StoredEvidence.Standing.CLONE;
    points.add(
        TimelinePoint.builder()
            .setAt(Instant.ofEpochMilli(atMillis))
            .setCommit(commit)
            .setStored(true)
            .setWatermarkKnown(true)
            .setWatermark(clone ? null : Judgement.instant(watermark.finalizedUntilMillis()))
            .setRequiredWriters(required(evidence))
            .setAttestations(attestations(evidence))
            .setPausedReason(watermark.heldReason())
            .setLost(lost)
            .build());
  }

  /** What a writer attested since the point before tells its clock. */
  private long attestedSince(long millis, StoredEvidence evidence) {
    ImmutableMap<String, Attestation> before = Iterables.getLast(points).attestations();
    long at = millis;
    for (Map.Entry<String, Attestation> attested : attestations(evidence).entrySet()) {
      if (!attested.getValue().equals(before.get(attested.getKey()))) {
        at = Math.max(at, attested.getValue().atMillis());
      }
    }
    return at;
  }

  /** As long after the point before as the table's own clock says. */
  private long elapsed(long millis) {
    return points.isEmpty()
        ? millis
        : Iterables.getLast(points).at().toEpochMilli() + Math.max(0, millis - tableMillis);
  }

  private TimelineCommit commit(StoredEvidence evidence, Snapshot snapshot) {
    CommitFacts summary = evidence.facts(snapshot);
    CommitFacts stated = windowFacts.get(snapshot.snapshotId());
    CommitFacts facts = MergedFacts.of(stated, summary);
    Long past = evidence.fact(snapshot, "past");
    long known = facts == null ? 0 : facts.pastCount();
    return TimelineCommit.builder()
        .setSnapshotId(snapshot.snapshotId())
        .setWriter(evidence.writer(snapshot))
        .setOperation(snapshot.operation())
        .setRows(evidence.addedRows(snapshot))
        .setFacts(facts)
        .setReduced(
            stated == null && facts != null && facts.count() > 0 && facts.buckets().isEmpty())
        .setPastRecords(past == null ? known : Math.max(known, past))
        .setMet(Judgement.instant(evidence.watermarkBefore(snapshot)))
        .setFence(evidence.isFence(snapshot))
        .build();
  }

  private void learn(StoredEvidence evidence, String writer) {
    for (CommitFacts facts : windowFacts(evidence, writer)) {
      if (facts.commits() == 1) {
        windowFacts.putIfAbsent(facts.snapshotId(), facts);
      }
    }
  }

  private static ImmutableList<CommitFacts> windowFacts(StoredEvidence evidence, String writer) {
    try {
      WriterWindow window = evidence.window(writer);
      return window == null ? ImmutableList.of() : window.facts();
    } catch (IllegalArgumentException e) {
      // The snapshots' summaries still tell.
      LOG.debug("Cannot read the window of writer {}", writer, e);
      return ImmutableList.of();
    }
  }

  private static ImmutableMap<String, Attestation> attestations(StoredEvidence evidence) {
    ImmutableMap.Builder<String, Attestation> attestations = ImmutableMap.builder();
    for (String writer : evidence.writers()) {
      Attestation attestation = evidence.countedAttestation(writer);
      if (attestation != null) {
        attestations.put(writer, attestation);
      }
    }
    return attestations.buildOrThrow();
  }

  private static ImmutableSet<String> required(StoredEvidence evidence) {
    try {
      return evidence.requiredWriters();
    } catch (IllegalArgumentException e) {
      // The newest one fails the question before it gets here.
      LOG.debug("Cannot read the required writers", e);
      return ImmutableSet.of();
    }
  }

  /** The first advance records the list; those who asked before it asked by the same one. */
  private ImmutableList<TimelinePoint> withRequiredWriters() {
    List<TimelinePoint> all = new ArrayList<>(points);
    for (int i = all.size() - 2; i >= 0; i--) {
      TimelinePoint point = all.get(i);
      boolean before = !point.stored() || point.watermark() == null;
      if (point.requiredWriters().isEmpty() && before) {
        all.set(i, point.toBuilder().setRequiredWriters(all.get(i + 1).requiredWriters()).build());
      }
    }
    return ImmutableList.copyOf(all);
  }
}
