package dev.tidemark.iceberg;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.commit.CommitException;
import dev.tidemark.commit.CommitHook;
import dev.tidemark.commit.CommitOutcome;
import dev.tidemark.commit.CommitProtocol;
import dev.tidemark.commit.CommitRequest;
import dev.tidemark.commit.LandedCommit;
import dev.tidemark.commit.RewindPolicy;
import dev.tidemark.commit.Sleeper;
import dev.tidemark.commit.TableAccess;
import dev.tidemark.commit.WriterResult;
import dev.tidemark.datafile.DataFileCodec;
import dev.tidemark.eventtime.EventTimeExtractor;
import dev.tidemark.eventtime.EventTimeStats;
import dev.tidemark.finalization.Attestation;
import java.io.Serializable;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.options.ValueProvider;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns results of writers into commits of a table; shared by streaming and batch. */
final class TableCommitter implements Serializable {
  private static final Logger LOG = LoggerFactory.getLogger(TableCommitter.class);

  private final ValueProvider<CatalogConfig> catalog;
  private final String writerId;
  private final String branch;
  private final RewindPolicy onRewind;
  private final Clock clock;
  private final @Nullable FinalizationOptions finalization;
  private final @Nullable EventTimeExtractor eventTime;
  private final Accumulating accumulating;
  private final ImmutableList<SerializableCommitHook> hooks;

  TableCommitter(WriteRows write, Accumulating accumulating) {
    this.catalog = write.requiredCatalog();
    this.writerId = write.requiredWriterId();
    this.branch = write.branch();
    this.onRewind = write.onRewind();
    this.clock = write.clockInUse();
    this.finalization = write.finalization();
    this.eventTime = write.eventTime();
    this.accumulating = accumulating;
    this.hooks = write.hooks();
  }

  /**
   * Loads a table that is about to be committed to.
   *
   * @throws RuntimeException of which {@link #isForGood} tells whether it helps to try again
   */
  Table load(String table) {
    return catalog.get().loadTable(TableIdentifier.parse(table));
  }

  /** Whether a failure concerns one table, and lasts until somebody does something about it. */
  static boolean isForGood(RuntimeException e) {
    if (e instanceof CommitException failure) {
      return failure.permanent()
          && failure.kind() != CommitException.Kind.RECORD_OVERFLOW
          && (failure.park() || !isRewind(failure));
    }
    return e instanceof NoSuchTableException
        || e instanceof NoSuchNamespaceException
        || e instanceof ForbiddenException
        || e instanceof NotAuthorizedException;
  }

  /** Kinds for which {@link RewindPolicy} is asked. */
  private static boolean isRewind(CommitException e) {
    return switch (e.kind()) {
      case REWOUND, ROLLED_BACK, RESULTS_MISSING, TABLE_RECREATED -> true;
      default -> false;
    };
  }

  /** Decodes what a writer handed over; the table's specs give the types of partition values. */
  static List<WriterResult> decode(Table live, List<BundleResult> results, long firstSequence) {
    Map<Integer, PartitionSpec> specs = live.specs();
    String uuid = live.uuid().toString();
    List<WriterResult> decoded = new ArrayList<>(results.size());
    long sequence = firstSequence;
    for (BundleResult result : results) {
      List<DataFile> files = new ArrayList<>(result.files().size());
      for (byte[] file : result.files()) {
        files.add(
            result.tableUuid().equals(uuid) ? DataFileCodec.decode(file, specs) : stranger(file));
      }
      WriterResult next =
          WriterResult.of(sequence++, result.tableUuid(), files)
              .withAccumulators(result.accumulators());
      EventTimeStats stats = result.eventTime();
      decoded.add(stats == null ? next : next.withEventTime(stats));
    }
    return decoded;
  }

  /**
   * A file for a table that this one has taken the name of. Its partition cannot be read by the
   * specs of this table, and need not be: the commit protocol refuses it, or leaves it out.
   */
  private static DataFile stranger(byte[] file) {
    return DataFiles.builder(PartitionSpec.unpartitioned())
        .withPath(DataFileCodec.location(file))
        .withFormat(FileFormat.PARQUET)
        .withFileSizeInBytes(0)
        .withRecordCount(0)
        .build();
  }

  CommitRequest request(
      String table, List<WriterResult> results, @Nullable Attestation attestation) {
    CommitRequest request =
        CommitRequest.of(TableIdentifier.parse(table), writerId, results)
            .withBranch(branch)
            .withOnRewind(onRewind);
    if (!accumulating.isEmpty()) {
      request = request.withAccumulatorEntries(accumulating.entries());
    }
    if (attestation != null) {
      request = request.withInputWatermarkMillis(attestation.inputWatermarkMillis());
    }
    if (eventTime != null) {
      request = request.withEventTimeColumn(eventTime.columnPath(), eventTime.zone().getId());
    }
    if (finalization != null) {
      request =
          request
              .withLookback(finalization.policy().lookback())
              .withKeepSketchInWindow(finalization.policy().needsSketch())
              .withGranularityMillis(finalization.granularity().getMillis());
    }
    return request;
  }

  CommitProtocol protocol() {
    return new CommitProtocol(TableAccess.of(catalog.get().catalog()), clock, Sleeper.threads());
  }

  List<CommitHook> hooks() {
    return ImmutableList.copyOf(hooks);
  }

  /** What a commit reports; the attestation goes with the last snapshot. */
  static List<TableEvent> events(
      CommitRequest request, CommitOutcome outcome, @Nullable Attestation attestation) {
    String table = request.table().toString();
    List<TableEvent> events = new ArrayList<>();
    for (LandedCommit landed : outcome.commits()) {
      boolean newest = landed.snapshotId() == outcome.snapshotId();
      events.add(
          TableEvent.commit(
              commit(table, request, landed, request.granularityMillis()),
              newest ? attestation : null));
    }
    if (events.isEmpty() && attestation != null) {
      events.add(TableEvent.heartbeat(table, attestation));
    }
    outcome
        .hookFailures()
        .forEach(e -> LOG.warn("A hook failed after a commit to table {}, which stays", table, e));
    Tallies tallies = Tallies.of(outcome);
    if (outcome.orphansUnknown()) {
      events.add(TableEvent.failure(table, unknownOrphans(request), Tallies.NONE));
    }
    if (!outcome.orphanFiles().isEmpty() || !outcome.refusedFiles().isEmpty()) {
      List<String> files = new ArrayList<>(outcome.orphanFiles());
      files.addAll(outcome.refusedFiles());
      events.add(
          TableEvent.failure(
              table,
              FailedRecords.table(
                  table,
                  "orphans",
                  files,
                  "Files of an attempt that another attempt of the same work came before, or that were"
                      + " written for another table of this name. No table refers to them; delete them"),
              tallies));
    } else if (!tallies.isNone()) {
      events.add(TableEvent.tallies(table, tallies));
    }
    return events;
  }

  private static BadRecord unknownOrphans(CommitRequest request) {
    return FailedRecords.table(
        request.table().toString(),
        "possible orphans",
        request.results().stream()
            .flatMap(result -> result.files().stream())
            .map(DataFile::location)
            .toList(),
        "Files of an attempt that may have come after another one of the same work, whose snapshot"
            + " expired. Delete those that the table does not refer to, by removing orphan files");
  }

  private static TableCommit commit(
      String table, CommitRequest request, LandedCommit landed, long granularityMillis) {
    ImmutableSortedSet<Long> sequences = landed.sequences();
    long rows = 0;
    int files = 0;
    for (WriterResult result : request.results()) {
      if (sequences.contains(result.sequence())) {
        rows += result.rows();
        files += result.files().size();
      }
    }
    return TableCommit.of(
        table,
        landed.snapshotId(),
        landed.replayed(),
        rows,
        files,
        landed.facts(),
        landed.watermarkBeforeMillis(),
        granularityMillis);
  }
}
