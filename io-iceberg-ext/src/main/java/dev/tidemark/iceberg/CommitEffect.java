package dev.tidemark.iceberg;

import com.google.common.collect.Iterables;
import dev.tidemark.commit.CommitException;
import dev.tidemark.commit.CommitOutcome;
import dev.tidemark.commit.CommitProtocol;
import dev.tidemark.commit.CommitRequest;
import dev.tidemark.commit.WriterResult;
import dev.tidemark.datafile.DataFileCodec;
import dev.tidemark.finalization.Attestation;
import dev.tidemark.once.Batch;
import dev.tidemark.once.Effect;
import dev.tidemark.once.Heartbeat;
import dev.tidemark.once.Numbered;
import dev.tidemark.once.Outcome;
import dev.tidemark.once.RetryDelays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.iceberg.Table;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits what a completed checkpoint holds. A table that fails for good is parked: its results
 * stay in state and are tried again now and then, and other tables go on.
 */
final class CommitEffect implements Effect<String, BundleResult, TableEvent> {
  private static final Logger LOG = LoggerFactory.getLogger(CommitEffect.class);

  private final TableCommitter committer;
  private final Duration parkedRetry;

  private transient CommitProtocol protocol;

  /** The last sequence that was reported as parked, by table. */
  private transient Map<String, Long> parked;

  private transient RetryDelays<String> delays;

  /** Tables that were found parked at the last try. */
  private transient Set<String> hopeless;

  CommitEffect(TableCommitter committer, Duration parkedRetry) {
    this.committer = committer;
    this.parkedRetry = parkedRetry;
  }

  @Override
  public void setup(PipelineOptions options) {
    protocol = committer.protocol();
    parked = new ConcurrentHashMap<>();
    delays = new RetryDelays<>();
    hopeless = ConcurrentHashMap.newKeySet();
  }

  @Override
  public Outcome<TableEvent> perform(String table, Batch<BundleResult> batch) {
    Attestation attestation = attestation(batch.heartbeat());
    if (batch.elements().isEmpty()) {
      return Outcome.done(
          attestation == null ? List.of() : List.of(TableEvent.heartbeat(table, attestation)));
    }
    Table live;
    try {
      live = committer.load(table);
    } catch (RuntimeException e) {
      return TableCommitter.isForGood(e)
          ? park(table, batch, e)
          : later(table, "it cannot be loaded", e);
    }
    List<WriterResult> results;
    try {
      results = TableCommitter.decode(live, elements(batch), firstSequence(batch));
    } catch (IllegalArgumentException e) {
      // A partition spec that the table dropped; of damaged bytes not even the files can be named.
      return park(table, batch, e);
    }
    return commit(table, request(table, batch, results, attestation), batch, attestation);
  }

  private Outcome<TableEvent> commit(
      String table,
      CommitRequest request,
      Batch<BundleResult> batch,
      @Nullable Attestation attestation) {
    try {
      CommitOutcome outcome = protocol.commit(request, committer.hooks());
      delays.succeeded(table);
      hopeless.remove(table);
      if (parked.remove(table) != null) {
        LOG.info("Table {} takes commits again", table);
      }
      return Outcome.done(TableCommitter.events(request, outcome, attestation));
    } catch (CommitException e) {
      if (TableCommitter.isForGood(e)) {
        return park(table, batch, e);
      }
      if (e.kind() == CommitException.Kind.RECORD_OVERFLOW) {
        // A backlog: the next checkpoint lets the record forget what was committed of it.
        return later(table, e.kind().name(), e);
      }
      if (e.permanent()) {
        throw e;
      }
      return later(table, e.kind().name(), e);
    }
  }

  @Override
  public List<TableEvent> abandon(String table, Batch<BundleResult> batch) {
    if (!hopeless.contains(table)) {
      throw new IllegalStateException(
          String.format(
              "Cannot finish the input of table %s: %d results are not committed. The last completed"
                  + " checkpoint has them; see the cause logged before, mend it, and restart",
              table, batch.elements().size()));
    }
    return List.of(
        failure(
            table,
            batch.elements(),
            "The input ended while the table was parked; its files are left over",
            Tallies.NONE));
  }

  private CommitRequest request(
      String table,
      Batch<BundleResult> batch,
      List<WriterResult> results,
      @Nullable Attestation attestation) {
    return committer
        .request(table, results, attestation)
        .withReplayFloor(Math.min(firstSequence(batch), batch.replayFloor()));
  }

  private static long firstSequence(Batch<BundleResult> batch) {
    return batch.elements().get(0).sequence();
  }

  private static List<BundleResult> elements(Batch<BundleResult> batch) {
    return batch.elements().stream().map(Numbered::element).toList();
  }

  private Outcome<TableEvent> later(String table, String reason, RuntimeException e) {
    hopeless.remove(table);
    Duration delay = delays.failed(table);
    LOG.warn(
        "Cannot commit to table {} for now ({}); trying again in {} ms",
        table,
        reason,
        delay.getMillis(),
        e);
    return Outcome.later(delay, List.of());
  }

  /** Reports each result once, when it is found that it cannot be committed. */
  private Outcome<TableEvent> park(String table, Batch<BundleResult> batch, RuntimeException e) {
    hopeless.add(table);
    Long reported = parked.put(table, Iterables.getLast(batch.elements()).sequence());
    List<Numbered<BundleResult>> fresh =
        batch.elements().stream()
            .filter(result -> reported == null || result.sequence() > reported)
            .toList();
    if (reported == null) {
      LOG.warn("Parked table {}: {} results wait in state", table, batch.elements().size(), e);
    }
    return Outcome.later(
        parkedRetry,
        fresh.isEmpty()
            ? List.of()
            : List.of(failure(table, fresh, e.getMessage(), Tallies.parked(fresh.size()))));
  }

  private static TableEvent failure(
      String table, List<Numbered<BundleResult>> results, String reason, Tallies tallies) {
    String what = results.get(0).sequence() + " to " + Iterables.getLast(results).sequence();
    List<String> files =
        results.stream()
            .flatMap(numbered -> numbered.element().files().stream())
            .map(DataFileCodec::location)
            .toList();
    return TableEvent.failure(table, FailedRecords.table(table, what, files, reason), tallies);
  }

  private static @Nullable Attestation attestation(@Nullable Heartbeat heartbeat) {
    if (heartbeat == null) {
      return null;
    }
    Instant watermark = heartbeat.inputWatermark();
    boolean known =
        watermark.isAfter(BoundedWindow.TIMESTAMP_MIN_VALUE)
            && watermark.isBefore(GlobalWindow.INSTANCE.maxTimestamp());
    return Attestation.of(known ? watermark.getMillis() : null, heartbeat.at().getMillis());
  }
}
