package dev.tidemark.commit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.tidemark.eventtime.EventTimeStats;
import dev.tidemark.finalization.CommitFacts;
import dev.tidemark.finalization.LatenessReport;
import java.time.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.Transactions;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.util.PropertyUtil;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attempts of one request. Remembers what it tried, so that its own commit is told from an
 * earlier request's.
 */
final class CommitAttempt implements CommitLoop.Attempt<CommitOutcome> {
  private static final Logger LOG = LoggerFactory.getLogger(CommitAttempt.class);

  private final CommitRequest request;
  private final TidemarkKeys keys;
  private final Ledger ledger;
  private final HookRunner hooks;
  private final Clock clock;
  private final Map<Long, Tried> tried = new HashMap<>();
  private boolean propertiesRefused;
  private int attempts;
  private int unknownOutcomes;

  /** A commit that was attempted, and has landed if its snapshot is there. */
  private record Tried(
      LandedCommit commit,
      ImmutableList<WriterResult> results,
      ImmutableMap<String, String> accumulators,
      int droppedFacts,
      boolean windowReset,
      boolean acceptedRewind) {}

  CommitAttempt(
      CommitRequest request, TidemarkKeys keys, Ledger ledger, HookRunner hooks, Clock clock) {
    this.request = request;
    this.keys = keys;
    this.ledger = ledger;
    this.hooks = hooks;
    this.clock = clock;
  }

  @Override
  public CommitOutcome on(PinnedTableOperations operations) {
    TableMetadata base = operations.base();
    refuseStaged(base);
    Lineage lineage = new Lineage(base, request.branch());
    CommitPlan plan = ledger.plan(base, lineage, operations.io());
    Tried now = null;
    if (!plan.missing().isEmpty()) {
      try {
        now = commit(operations, plan, lineage);
      } catch (PinnedTableOperations.Refused e) {
        if (propertiesRefused) {
          throw e;
        }
        LOG.warn(
            "Table {} takes no properties: committing without them. Grant the right to set properties, or the watermark stays",
            request.table(),
            e);
        propertiesRefused = true;
        return on(operations);
      }
    }
    return outcome(operations, plan, now);
  }

  private void refuseStaged(TableMetadata base) {
    boolean staged =
        PropertyUtil.propertyAsBoolean(
            base.properties(),
            TableProperties.WRITE_AUDIT_PUBLISH_ENABLED,
            Boolean.parseBoolean(TableProperties.WRITE_AUDIT_PUBLISH_ENABLED_DEFAULT));
    if (staged && request.branch().equals(TidemarkKeys.MAIN)) {
      throw new CommitException(
          CommitException.Kind.STAGED,
          "Cannot commit to table %s: it has %s=true, and a staged commit is not in the branch whose watermark it would move. Write to a branch, or unset the property."
              .formatted(request.table(), TableProperties.WRITE_AUDIT_PUBLISH_ENABLED));
    }
  }

  private Tried commit(PinnedTableOperations operations, CommitPlan plan, Lineage lineage) {
    attempts++;
    TableMetadata base = operations.base();
    long nowMillis = clock.millis();
    EventTimeStats stats = mergedStats(plan.missing());
    ImmutableMap<String, String> accumulators = hooks.accumulators(plan.missing());
    FactsSummary summary =
        FactsSummary.encode(
            keys,
            stats == null ? null : facts(0, nowMillis, stats),
            accumulators,
            request.factsLimitBytes());
    Long watermark = WatermarkState.inForce(base, keys);
    BaseTable view = new BaseTable(operations, request.table().toString());
    ImmutableMap<String, String> added =
        hooks.before(view, commitId(plan.missing()), plan.missing(), accumulators);

    Transaction transaction = Transactions.newTransaction(request.table().toString(), operations);
    AppendFiles append = transaction.newAppend().toBranch(request.branch());
    plan.missing().forEach(result -> result.files().forEach(append::appendFile));
    summaryOf(plan, summary, watermark, nowMillis).forEach(append::set);
    added.forEach(append::set);
    append.commit();
    Snapshot snapshot = newSnapshot(transaction);

    CommitFacts facts = stats == null ? null : facts(snapshot.snapshotId(), nowMillis, stats);
    PropertyWriter writer = new PropertyWriter(request, keys, operations, lineage, nowMillis);
    if (!propertiesRefused) {
      PropertyChange change =
          writer.change(
              ledger.chunks(), plan.recorder(), Lineage.landing(snapshot), plan.missing(), facts);
      if (!change.isEmpty()) {
        UpdateProperties update = transaction.updateProperties();
        change.sets().forEach(update::set);
        change.removals().forEach(update::remove);
        update.commit();
      }
    }
    Tried attempt =
        new Tried(
            LandedCommit.of(
                snapshot.snapshotId(),
                SequenceRanges.of(plan.missing()),
                false,
                facts,
                watermark,
                lateness(facts, watermark)),
            plan.missing(),
            accumulators,
            summary.dropped() + writer.droppedFacts(),
            writer.windowReset(),
            plan.acceptedRewind());
    tried.put(snapshot.snapshotId(), attempt);
    operations.arm();
    try {
      transaction.commitTransaction();
    } catch (PinnedTableOperations.OutcomeUnknown e) {
      unknownOutcomes++;
      throw e;
    }
    LOG.info(
        "Committed {} of writer {} to table {} as snapshot {}",
        ledger.committedText(plan.missing()),
        request.writerId(),
        request.table(),
        snapshot.snapshotId());
    return attempt;
  }

  private Snapshot newSnapshot(Transaction transaction) {
    TableMetadata staged = ((HasTableOperations) transaction.table()).operations().current();
    return staged.snapshot(staged.ref(request.branch()).snapshotId());
  }

  private Map<String, String> summaryOf(
      CommitPlan plan, FactsSummary facts, @Nullable Long watermark, long nowMillis) {
    Map<String, String> summary = new LinkedHashMap<>();
    summary.put(keys.writer(), request.writerId());
    summary.put(keys.committed(), ledger.committedText(plan.missing()));
    summary.putAll(facts.entries());
    if (watermark != null) {
      summary.put(keys.finalizedUntil(), WatermarkState.text(watermark));
    }
    if (plan.acceptedRewind()) {
      summary.put(keys.rewind(), "accepted");
    }
    if (propertiesRefused) {
      String record = plan.recorder().text(StreamLedger.SELF, nowMillis);
      PropertyWriter.checkRecord(request, record.length(), PropertyWriter.MAX_SUMMARY_RECORD_CHARS);
      summary.put(keys.committedRecord(), record);
    }
    return summary;
  }

  private String commitId(Iterable<WriterResult> results) {
    return request.writerId() + "/" + ledger.committedText(results);
  }

  private CommitFacts facts(long snapshotId, long nowMillis, EventTimeStats stats) {
    return CommitFacts.of(
        request.writerId(), snapshotId, nowMillis, stats, request.inputWatermarkMillis());
  }

  /**
   * The event time of all rows; null if that of some is not known, as part of it would be taken for
   * the whole.
   */
  private static @Nullable EventTimeStats mergedStats(List<WriterResult> results) {
    ImmutableList.Builder<EventTimeStats> stats = ImmutableList.builder();
    for (WriterResult result : results) {
      if (result.eventTime() != null) {
        stats.add(result.eventTime());
      } else if (result.rows() > 0) {
        return null;
      }
    }
    ImmutableList<EventTimeStats> all = stats.build();
    return all.isEmpty() ? null : EventTimeStats.merge(all);
  }

  private @Nullable LatenessReport lateness(@Nullable CommitFacts facts, @Nullable Long watermark) {
    return facts == null || watermark == null
        ? null
        : LatenessReport.of(facts, watermark, request.granularityMillis());
  }

  private CommitOutcome outcome(
      PinnedTableOperations operations, CommitPlan plan, @Nullable Tried now) {
    TableMetadata base = operations.base();
    BaseTable view = new BaseTable(operations, request.table().toString());
    ImmutableList.Builder<LandedCommit> commits = ImmutableList.builder();
    ImmutableList.Builder<Exception> failures = ImmutableList.builder();
    ImmutableList.Builder<Tried> own = ImmutableList.builder();
    for (Map.Entry<Landing, Collection<WriterResult>> done : plan.done().asMap().entrySet()) {
      Tried earlier = tried.get(done.getKey().snapshotId());
      if (earlier != null) {
        own.add(earlier);
        continue;
      }
      LandedCommit commit = recovered(base, done.getKey(), ImmutableList.copyOf(done.getValue()));
      commits.add(commit);
      hooks.after(
          view,
          commitId(done.getValue()),
          ImmutableList.copyOf(done.getValue()),
          ImmutableMap.of(),
          commit.snapshotId(),
          failures);
    }
    if (now != null) {
      own.add(now);
    }
    ImmutableList<Tried> mine = own.build();
    for (Tried each : mine) {
      commits.add(each.commit());
      hooks.after(
          view,
          commitId(each.results()),
          each.results(),
          each.accumulators(),
          each.commit().snapshotId(),
          failures);
    }
    return CommitOutcome.builder()
        .setStatus(status(mine, plan))
        .setCommits(commits.build())
        .setFiles(
            mine.stream().flatMap(t -> t.results().stream()).mapToInt(r -> r.files().size()).sum())
        .setRows(mine.stream().flatMap(t -> t.results().stream()).mapToLong(r -> r.rows()).sum())
        .setStoredWatermarkBefore(WatermarkState.inForce(base, keys))
        .setOrphanFiles(plan.orphans() == null ? ImmutableList.of() : plan.orphans())
        .setOrphansUnknown(plan.orphans() == null)
        .setRefusedFiles(plan.refusedFiles())
        .setAcceptedRewind(mine.stream().anyMatch(Tried::acceptedRewind))
        .setDroppedFacts(mine.stream().mapToInt(Tried::droppedFacts).sum())
        .setPropertiesRefused(propertiesRefused)
        .setAttempts(attempts)
        .setUnknownOutcomes(unknownOutcomes)
        .setWindowReset(mine.stream().anyMatch(Tried::windowReset))
        .setMetadataBytes(metadataBytes(operations))
        .setHookFailures(failures.build())
        .build();
  }

  private static CommitOutcome.Status status(List<Tried> mine, CommitPlan plan) {
    if (!mine.isEmpty()) {
      return CommitOutcome.Status.COMMITTED;
    }
    return plan.done().isEmpty()
        ? CommitOutcome.Status.NOTHING
        : CommitOutcome.Status.ALREADY_COMMITTED;
  }

  /** What is still known of a commit that an earlier request made. */
  private LandedCommit recovered(
      TableMetadata base, Landing landing, ImmutableList<WriterResult> results) {
    Snapshot live = base.snapshot(landing.snapshotId());
    CommitFacts facts = PropertyWriter.storedFacts(base, keys, request.writerId(), landing);
    Long watermark = null;
    if (live != null) {
      facts = facts == null ? FactsSummary.decode(keys, request.writerId(), live) : facts;
      watermark = WatermarkState.metBy(live, keys);
    }
    return LandedCommit.of(
        landing.snapshotId(),
        SequenceRanges.of(results),
        true,
        facts,
        watermark,
        lateness(facts, watermark));
  }

  private long metadataBytes(PinnedTableOperations operations) {
    String location = operations.base().metadataFileLocation();
    if (location == null) {
      return -1;
    }
    try {
      long bytes = operations.io().newInputFile(location).getLength();
      if (bytes > CommitOutcome.METADATA_WARN_BYTES) {
        LOG.warn(
            "Metadata of table {} takes {} bytes, read and written with each commit. Expire snapshots and set {}=gzip",
            request.table(),
            bytes,
            TableProperties.METADATA_COMPRESSION);
      }
      return bytes;
    } catch (RuntimeException e) {
      // The commit is made; a catalog that hides its metadata files must not turn it into a
      // failure.
      LOG.debug("Cannot size the metadata file of table {}", request.table(), e);
      return -1;
    }
  }
}
