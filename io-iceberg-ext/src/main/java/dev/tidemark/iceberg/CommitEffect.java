package dev.tidemark.iceberg;

import com.google.common.collect.Iterables;
import dev.tidemark.commit.CommitException;
import dev.tidemark.commit.CommitOutcome;
import dev.tidemark.commit.CommitProtocol;
import dev.tidemark.commit.CommitRequest;
import dev.tidemark.commit.RewindPolicy;
import dev.tidemark.commit.WriterResult;
import dev.tidemark.datafile.DataFileCodec;
import dev.tidemark.finalization.Attestation;
import dev.tidemark.once.Batch;
import dev.tidemark.once.Effect;
import dev.tidemark.once.Heartbeat;
import dev.tidemark.once.Numbered;
import dev.tidemark.once.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
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
  private static final Duration FIRST_DELAY = Duration.standardSeconds(1);
  private static final Duration LONGEST_DELAY = Duration.standardMinutes(1);

  private final TableCommitter committer;
  private final Duration parkedRetry;

  private transient CommitProtocol protocol;
  private transient Set<String> parked;
  private transient Map<String, Integer> failures;

  CommitEffect(TableCommitter committer, Duration parkedRetry) {
    this.committer = committer;
    this.parkedRetry = parkedRetry;
  }

  @Override
  public void setup(PipelineOptions options) {
    protocol = committer.protocol();
    parked = ConcurrentHashMap.newKeySet();
    failures = new ConcurrentHashMap<>();
  }

  @Override
  public Outcome<TableEvent> perform(String table, Batch<BundleResult> batch) {
    Attestation attestation = attestation(batch.heartbeat());
    if (batch.elements().isEmpty()) {
      return Outcome.done(
          attestation == null ? List.of() : List.of(TableEvent.heartbeat(table, attestation)));
    }
    CommitRequest request;
    try {
      request = request(table, batch, attestation);
    } catch (NoSuchTableException | NoSuchNamespaceException | ForbiddenException e) {
      return park(table, batch, e);
    } catch (IllegalArgumentException e) {
      throw e;
    } catch (RuntimeException e) {
      // Catalog or storage does not answer; nothing was committed.
      return later(table, e);
    }
    try {
      CommitOutcome outcome = protocol.commit(request, committer.hooks());
      failures.remove(table);
      if (parked.remove(table)) {
        LOG.info("Table {} takes commits again", table);
      }
      return Outcome.done(TableCommitter.events(request, outcome, attestation));
    } catch (CommitException e) {
      if (!e.permanent()) {
        return later(table, e);
      }
      if (e.park() || !isRewind(e)) {
        return park(table, batch, e);
      }
      throw e;
    }
  }

  @Override
  public List<TableEvent> abandon(String table, Batch<BundleResult> batch) {
    if (!parked.contains(table)) {
      throw new IllegalStateException(
          String.format(
              "Cannot finish the input of table %s: %d results are not committed. The last completed"
                  + " checkpoint has them; see the cause logged before, mend it, and restart",
              table, batch.elements().size()));
    }
    return List.of(
        failure(
            table, batch, "The input ended while the table was parked; its files are left over"));
  }

  /** Kinds for which {@link RewindPolicy} is asked. */
  private static boolean isRewind(CommitException e) {
    return switch (e.kind()) {
      case REWOUND, ROLLED_BACK, RESULTS_MISSING, TABLE_RECREATED -> true;
      default -> false;
    };
  }

  private CommitRequest request(
      String table, Batch<BundleResult> batch, @Nullable Attestation attestation) {
    long first = batch.elements().get(0).sequence();
    List<BundleResult> results = batch.elements().stream().map(Numbered::element).toList();
    List<WriterResult> decoded = committer.decode(table, results, first);
    return committer
        .request(table, decoded, attestation)
        .withReplayFloor(Math.min(first, batch.replayFloor()));
  }

  private Outcome<TableEvent> later(String table, RuntimeException e) {
    int failed = failures.merge(table, 1, Integer::sum);
    long delay =
        Math.min(LONGEST_DELAY.getMillis(), FIRST_DELAY.getMillis() << Math.min(failed - 1, 10));
    LOG.warn("Cannot commit to table {} for now; trying again in {} ms", table, delay, e);
    return Outcome.later(Duration.millis(delay), List.of());
  }

  private Outcome<TableEvent> park(String table, Batch<BundleResult> batch, RuntimeException e) {
    if (!parked.add(table)) {
      return Outcome.later(parkedRetry, List.of());
    }
    LOG.warn("Parked table {}: {} results wait in state", table, batch.elements().size(), e);
    return Outcome.later(parkedRetry, List.of(failure(table, batch, e.getMessage())));
  }

  private static TableEvent failure(String table, Batch<BundleResult> batch, String reason) {
    List<Numbered<BundleResult>> elements = batch.elements();
    String what = elements.get(0).sequence() + " to " + Iterables.getLast(elements).sequence();
    List<String> files =
        elements.stream()
            .flatMap(numbered -> numbered.element().files().stream())
            .map(DataFileCodec::location)
            .toList();
    return TableEvent.failure(
        table, FailedRecords.table(table, what, files, reason), Tallies.parked(elements.size()));
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
