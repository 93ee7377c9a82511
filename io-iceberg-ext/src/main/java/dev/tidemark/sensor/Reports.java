package dev.tidemark.sensor;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.tidemark.commit.StoredEvidence;
import dev.tidemark.commit.WatermarkState;
import dev.tidemark.finalization.Attestation;
import dev.tidemark.finalization.CommitFacts;
import dev.tidemark.finalization.WriterWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeSet;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;

/** Makes reports. */
final class Reports {
  private static final Instant YEAR_ONE = Instant.parse("0001-01-01T00:00:00Z");

  private Reports() {}

  static FinalizationReport of(
      String table, TableMetadata metadata, StoredEvidence evidence, Instant now) {
    WatermarkState watermark = evidence.watermark();
    Instant until = Judgement.instant(watermark.finalizedUntilMillis());
    Snapshot head = evidence.head();
    ImmutableSet<String> required = required(table, evidence);
    Map<String, String> properties = metadata.properties();
    FinalizationReport.Builder report = FinalizationReport.builder();
    try {
      report.setOperations(evidence.operatorActs());
    } catch (IllegalArgumentException e) {
      report.setOperations(ImmutableList.of()).setOperationsProblem(e.getMessage());
    }
    return report
        .setTable(table)
        .setTableUuid(metadata.uuid())
        .setBranch(evidence.keys().branch())
        .setHeadSnapshotId(head == null ? null : head.snapshotId())
        .setHeadCommittedAt(head == null ? null : Instant.ofEpochMilli(head.timestampMillis()))
        .setFinalizedUntil(until)
        .setFinalizedSince(Judgement.instant(watermark.finalizedSinceMillis()))
        .setLag(until == null ? null : Duration.between(until, now))
        .setWatermarkSnapshotId(watermark.snapshotId())
        .setSnapshotState(
            until == null ? FinalizationReport.SnapshotState.NO_WATERMARK : state(evidence))
        .setPolicy(watermark.policy())
        .setPausedReason(watermark.pausedReason())
        .setDisabledReason(watermark.disabledReason())
        .setEventTimeColumn(properties.get(evidence.keys().eventTimeColumn()))
        .setEventTimeZone(properties.get(evidence.keys().eventTimeZone()))
        .setRequiredWriters(required)
        .setWriters(writers(evidence, required))
        .build();
  }

  private static FinalizationReport.SnapshotState state(StoredEvidence evidence) {
    return switch (evidence.standing()) {
      case HELD -> FinalizationReport.SnapshotState.HELD;
      case NO_SNAPSHOT -> FinalizationReport.SnapshotState.NOT_RECORDED;
      case UNVERIFIED -> FinalizationReport.SnapshotState.EXPIRED;
      case ROLLED_BACK -> FinalizationReport.SnapshotState.ROLLED_BACK;
      case CLONE -> FinalizationReport.SnapshotState.CLONE;
    };
  }

  private static ImmutableSet<String> required(String table, StoredEvidence evidence) {
    try {
      return evidence.requiredWriters();
    } catch (IllegalArgumentException e) {
      throw new FinalizationException(
          FinalizationException.Kind.UNREADABLE,
          "Cannot read property %s of table %s: %s. List writer ids separated by commas."
              .formatted(evidence.keys().writers(), table, e.getMessage()),
          e);
    }
  }

  private static ImmutableList<WriterReport> writers(
      StoredEvidence evidence, ImmutableSet<String> required) {
    ImmutableList<LateCommit> late = LateCommits.in(evidence);
    TreeSet<String> names = new TreeSet<>(evidence.writers());
    late.forEach(commit -> names.add(commit.writer()));
    ImmutableList.Builder<WriterReport> reports = ImmutableList.builder();
    for (String name : names) {
      WriterReport.Builder report =
          WriterReport.builder().setWriter(name).setRequired(required.contains(name));
      addLate(report, late.stream().filter(commit -> commit.writer().equals(name)).toList());
      try {
        WriterWindow window = evidence.window(name);
        if (window != null) {
          addWindow(report, window);
        }
        Attestation attestation = evidence.attestation(name);
        if (attestation != null) {
          addAttested(report, attestation);
        }
      } catch (IllegalArgumentException e) {
        report.setProblem(String.valueOf(e.getMessage()));
      }
      reports.add(report.build());
    }
    return reports.build();
  }

  private static void addLate(WriterReport.Builder report, Iterable<LateCommit> late) {
    long records = 0;
    boolean exact = true;
    for (LateCommit commit : late) {
      records += commit.records();
      exact &= commit.exact();
    }
    report.setLateRecords(records).setLateExact(exact);
  }

  private static void addWindow(WriterReport.Builder report, WriterWindow window) {
    long records = 0;
    long outOfRange = 0;
    long without = 0;
    Long min = null;
    Long max = null;
    boolean known = true;
    for (CommitFacts facts : window.facts()) {
      records += facts.count();
      outOfRange += facts.pastCount() + facts.futureCount();
      without += facts.nullCount() + facts.unparsableCount();
      known &= facts.isKnown();
      Long low = facts.minMillis();
      Long high = facts.maxMillis();
      min = low != null && (min == null || low < min) ? low : min;
      max = high != null && (max == null || high > max) ? high : max;
    }
    report
        .setCommits(window.commits())
        .setRecords(records)
        .setOutOfRange(outOfRange)
        .setWithoutEventTime(without)
        .setMinEventTime(known ? Judgement.instant(min) : null)
        .setMaxEventTime(known ? Judgement.instant(max) : null);
    CommitFacts newest = window.newest();
    if (newest != null) {
      report
          .setOldestCommit(Instant.ofEpochMilli(window.facts().get(0).committedAtMillis()))
          .setNewestCommit(Instant.ofEpochMilli(newest.committedAtMillis()));
    }
  }

  private static void addAttested(WriterReport.Builder report, Attestation attestation) {
    Instant watermark = Judgement.instant(attestation.inputWatermarkMillis());
    // Runners use times far in the past for watermarks that are not known yet.
    boolean unset = watermark == null || watermark.isBefore(YEAR_ONE);
    report
        .setInputWatermark(unset ? null : watermark)
        .setAttestedAt(Instant.ofEpochMilli(attestation.atMillis()));
  }
}
