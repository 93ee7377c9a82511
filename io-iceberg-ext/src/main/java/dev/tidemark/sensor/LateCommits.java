package dev.tidemark.sensor;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import dev.tidemark.commit.StoredEvidence;
import dev.tidemark.finalization.LatenessReport;
import java.time.Duration;
import java.time.Instant;
import org.apache.iceberg.Snapshot;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Finds late commits by the summaries of the retained snapshots. */
final class LateCommits {
  private LateCommits() {}

  /** All of them, oldest first. */
  static ImmutableList<LateCommit> in(StoredEvidence evidence) {
    ImmutableList.Builder<LateCommit> late = ImmutableList.builder();
    for (Snapshot snapshot : evidence.snapshots().reverse()) {
      LateCommit commit = of(evidence, snapshot);
      if (commit != null) {
        late.add(commit);
      }
    }
    return late.build();
  }

  /** What a snapshot brought late; null if nothing is known to be late. */
  static @Nullable LateCommit of(StoredEvidence evidence, Snapshot snapshot) {
    Long met = evidence.watermarkBefore(snapshot);
    String writer = evidence.writer(snapshot);
    if (met == null || writer == null) {
      return null;
    }
    LatenessReport report = evidence.lateness(snapshot);
    // Summaries that were cut short lose the past count from their facts, but not from their
    // entries.
    Long recorded = evidence.fact(snapshot, "past");
    long past = report == null || report.pastCount() == 0 ? 0 : report.pastCount();
    past = recorded == null ? past : Math.max(past, recorded);
    if (report == null && past == 0) {
      return null;
    }
    LateCommit.Builder builder =
        LateCommit.builder()
            .setSnapshotId(snapshot.snapshotId())
            .setWriter(writer)
            .setCommittedAt(Instant.ofEpochMilli(snapshot.timestampMillis()))
            .setWatermark(Instant.ofEpochMilli(met))
            .setPastRecords(past);
    if (report == null) {
      return builder
          .setLateByHour(ImmutableSortedMap.of())
          .setWidth(Duration.ofHours(1))
          .setUnplacedRecords(0)
          .setExact(true)
          .build();
    }
    ImmutableSortedMap.Builder<Instant, Long> hours = ImmutableSortedMap.naturalOrder();
    report
        .lateByHour()
        .forEach((start, records) -> hours.put(Instant.ofEpochMilli(start), records));
    return builder
        .setLateByHour(hours.build())
        .setWidth(Duration.ofMillis(report.widthMillis()))
        .setUnplacedRecords(report.unplacedRecords())
        .setEarliest(Judgement.instant(report.earliestMillis()))
        .setExact(report.exact())
        .build();
  }
}
