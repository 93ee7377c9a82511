package dev.tidemark.iceberg;

import com.google.common.collect.ImmutableSortedMap;
import dev.tidemark.action.ActionDispatcher;
import dev.tidemark.action.AdvanceNotice;
import dev.tidemark.action.Lane;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.commit.AdvanceOutcome;
import dev.tidemark.commit.AdvanceProtocol;
import dev.tidemark.commit.AdvanceRequest;
import dev.tidemark.commit.EventTimeColumn;
import dev.tidemark.commit.ForeignAppend;
import dev.tidemark.commit.Sleeper;
import dev.tidemark.commit.TableAccess;
import dev.tidemark.eventtime.EventTimeExtractor;
import dev.tidemark.eventtime.EventTimeUnit;
import dev.tidemark.finalization.Attestation;
import dev.tidemark.finalization.CommitFacts;
import dev.tidemark.finalization.LateAlert;
import dev.tidemark.finalization.LateAlerts;
import dev.tidemark.finalization.LatenessReport;
import java.time.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.beam.sdk.options.ValueProvider;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.iceberg.catalog.TableIdentifier;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the finalization watermark after each commit, and reports late data. Chained to the commit:
 * what that emits at the end of the input does not reach a stage behind a shuffle.
 *
 * <p>Idempotent. A failure after the commit repeats the commit's report, and with it the advance.
 * An advance that fails is counted and left to the next commit or heartbeat: data commits go on.
 */
final class AdvanceWatermarkFn extends DoFn<TableEvent, TableCommit> {
  private static final Logger LOG = LoggerFactory.getLogger(AdvanceWatermarkFn.class);

  /** A little less than the default interval of heartbeats, which come with jitter. */
  private static final long LEAST_HEARTBEAT_MILLIS = 9_000;

  private final ValueProvider<CatalogConfig> catalog;
  private final String writerId;
  private final String branch;
  private final FinalizationOptions options;
  private final EventTimeExtractor eventTime;
  private final Clock clock;
  private final WriteOutputs outputs;
  private final IcebergWriteMetrics metrics = new IcebergWriteMetrics();
  private final Reporting reporting = new Reporting(metrics);

  private transient AdvanceProtocol protocol;
  private transient LateAlerts alerts;
  private transient ActionDispatcher dispatcher;
  private transient List<Lane<LateAlert>> lateLanes;

  /** Tables whose watermark the listeners know. */
  private transient Set<String> told;

  private transient Map<String, Long> seenSnapshots;
  private transient Map<String, Long> lastHeartbeats;

  /** Tables whose last advance failed. */
  private transient Set<String> failing;

  AdvanceWatermarkFn(WriteRows write, FinalizationOptions options, WriteOutputs outputs) {
    this.catalog = write.requiredCatalog();
    this.writerId = write.requiredWriterId();
    this.branch = write.branch();
    this.options = options;
    this.eventTime = write.eventTime();
    this.clock = write.clockInUse();
    this.outputs = outputs;
  }

  @Setup
  public void setup() {
    protocol =
        new AdvanceProtocol(TableAccess.of(catalog.get().catalog()), clock, Sleeper.threads());
    alerts = new LateAlerts(options.alerts(), clock);
    dispatcher = new ActionDispatcher(options.advanceListeners());
    lateLanes =
        options.listeners().stream()
            .map(listener -> dispatcher.lane(listener.toString(), listener::alert))
            .toList();
    told = new HashSet<>();
    seenSnapshots = new HashMap<>();
    lastHeartbeats = new HashMap<>();
    failing = new HashSet<>();
  }

  @FinishBundle
  public void finishBundle() {
    countDeliveries();
  }

  @Teardown
  public void teardown() {
    if (dispatcher != null) {
      dispatcher.close();
    }
  }

  /** Deliveries happen beside the task's thread, which alone may count. */
  private void countDeliveries() {
    metrics.listenerFailures.inc(dispatcher.takeFailures());
    metrics.undeliveredNotices.inc(dispatcher.takeUndelivered());
  }

  @ProcessElement
  public void process(@Element TableEvent event, MultiOutputReceiver out) {
    reporting.report(event, out.get(outputs.commits()), out.get(outputs.failed()));
    TableCommit commit = event.commit();
    if (commit != null) {
      countFacts(commit);
      reportLate(commit, out.get(outputs.late()));
    }
    if (commit != null || isDue(event)) {
      advance(event.table(), event.attestation(), out);
    }
  }

  /** Heartbeats come more often than is worth a look at the table. */
  private boolean isDue(TableEvent event) {
    Attestation attestation = event.attestation();
    if (attestation == null
        || !(options.needsHeartbeats(writerId) || failing.contains(event.table()))) {
      return false;
    }
    Long last = lastHeartbeats.get(event.table());
    if (last != null && attestation.atMillis() - last < LEAST_HEARTBEAT_MILLIS) {
      return false;
    }
    lastHeartbeats.put(event.table(), attestation.atMillis());
    return true;
  }

  private void countFacts(TableCommit commit) {
    CommitFacts facts = commit.facts();
    if (facts == null || commit.replayed()) {
      return;
    }
    metrics.pastEventTimes.inc(facts.pastCount());
    metrics.futureEventTimes.inc(facts.futureCount());
    metrics.nullEventTimes.inc(facts.nullCount());
    metrics.unparsableEventTimes.inc(facts.unparsableCount());
  }

  private void reportLate(TableCommit commit, OutputReceiver<LateData> late) {
    LatenessReport report = commit.lateness();
    if (report == null) {
      return;
    }
    if (!commit.replayed()) {
      metrics.lateRecords.inc(report.lateRecords());
    }
    ImmutableSortedMap.Builder<Instant, Long> byHour = ImmutableSortedMap.naturalOrder();
    report.lateByHour().forEach((hour, count) -> byHour.put(Instant.ofEpochMilli(hour), count));
    late.output(
        LateData.of(
            commit.table(),
            report.writer(),
            commit.snapshotId(),
            Instant.ofEpochMilli(report.watermarkMillis()),
            byHour.build(),
            Duration.millis(report.widthMillis()),
            report.lateRecords(),
            report.exact()));
    for (LateAlert alert : alerts.offer(commit.table(), report)) {
      String key = "late data of table " + alert.table() + ", hour " + alert.hourMillis();
      lateLanes.forEach(lane -> lane.offer(key, alert));
    }
  }

  private void advance(String table, @Nullable Attestation attestation, MultiOutputReceiver out) {
    long startNanos = System.nanoTime();
    AdvanceOutcome outcome = null;
    try {
      outcome = protocol.advance(TableIdentifier.parse(table), request(table, attestation));
      failing.remove(table);
    } catch (RuntimeException e) {
      // Whatever it is, the commit is made, and evaluating the evidence again does no harm.
      metrics.failedAdvances.inc();
      failing.add(table);
      LOG.warn(
          "Cannot advance the watermark of table {}; the next commit or heartbeat tries again",
          table,
          e);
    }
    metrics.advanceDurationMs.update((System.nanoTime() - startNanos) / 1_000_000);
    if (outcome != null) {
      report(table, outcome, out);
    }
  }

  private AdvanceRequest request(String table, @Nullable Attestation attestation) {
    AdvanceRequest request =
        AdvanceRequest.of(writerId, options.policy())
            .withBranch(branch)
            .withIdle(options.idle())
            .withWriterIdle(options.writerIdle())
            .withGranularityMillis(options.granularity().getMillis())
            .withAttestation(attestation)
            // A table is known here by its first commit; heartbeats begin with that.
            .withCommittedBefore()
            .withForeignAppends(
                EventTimeColumn.of(eventTime.columnPath(), unit(eventTime.unit())),
                seenSnapshots.get(table));
    return options.requiredWriters().isEmpty()
        ? request
        : request.withRequiredWriters(options.requiredWriters());
  }

  private static TimeUnit unit(@Nullable EventTimeUnit unit) {
    return switch (unit == null ? EventTimeUnit.MILLIS : unit) {
      case SECONDS -> TimeUnit.SECONDS;
      case MILLIS -> TimeUnit.MILLISECONDS;
      case MICROS -> TimeUnit.MICROSECONDS;
      case NANOS -> TimeUnit.NANOSECONDS;
    };
  }

  private void report(String table, AdvanceOutcome outcome, MultiOutputReceiver out) {
    if (outcome.headSnapshotId() != null) {
      seenSnapshots.put(table, outcome.headSnapshotId());
    }
    Long after = outcome.afterMillis();
    if (after != null) {
      metrics.watermarkMillis.set(after);
      metrics.watermarkLagMillis.set(clock.millis() - after);
    }
    tell(table, outcome);
    switch (outcome.status()) {
      case MOVED -> {
        metrics.advances.inc();
        Instant before =
            outcome.beforeMillis() == null ? null : Instant.ofEpochMilli(outcome.beforeMillis());
        out.get(outputs.advances())
            .output(TableAdvance.of(table, before, Instant.ofEpochMilli(after), outcome.reason()));
      }
      case FAILING -> metrics.failedAdvances.inc();
      case UNCHANGED, WAITING -> LOG.debug("Table {}: {}", table, outcome.reason());
    }
    for (ForeignAppend append : outcome.foreignBelow()) {
      metrics.foreignRecordsBelow.inc(append.maxRecords());
      LOG.warn(
          "Snapshot {} of another writer put up to {} records below the watermark of table {}",
          append.snapshotId(),
          append.maxRecords(),
          table);
      out.get(outputs.late())
          .output(
              LateData.of(
                  table,
                  null,
                  append.snapshotId(),
                  Instant.ofEpochMilli(after),
                  ImmutableSortedMap.of(),
                  options.granularity(),
                  append.maxRecords(),
                  false));
    }
  }

  /** Of each move, and of what is there when this process looks at a table for the first time. */
  private void tell(String table, AdvanceOutcome outcome) {
    boolean moved = outcome.status() == AdvanceOutcome.Status.MOVED;
    if (outcome.afterMillis() == null || !(told.add(table) || moved)) {
      return;
    }
    Long before = moved ? outcome.beforeMillis() : null;
    Long since = outcome.sinceMillis();
    TableIdentifier identifier = TableIdentifier.parse(table);
    dispatcher.offer(
        AdvanceNotice.builder()
            .setTable(table)
            .setTableUuid(outcome.tableUuid())
            .setBranch(branch)
            .setBefore(before == null ? null : Instant.ofEpochMilli(before))
            .setFinalizedUntil(Instant.ofEpochMilli(outcome.afterMillis()))
            .setFinalizedSince(since == null ? null : Instant.ofEpochMilli(since))
            .setSnapshotId(outcome.watermarkSnapshotId())
            .setReason(outcome.reason())
            .setAfterStart(!moved)
            .build(),
        () -> catalog.get().loadTable(identifier));
  }
}
