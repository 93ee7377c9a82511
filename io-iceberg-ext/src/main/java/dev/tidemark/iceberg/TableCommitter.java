package dev.tidemark.iceberg;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.commit.CommitHook;
import dev.tidemark.commit.CommitOutcome;
import dev.tidemark.commit.CommitProtocol;
import dev.tidemark.commit.CommitRequest;
import dev.tidemark.commit.LandedCommit;
import dev.tidemark.commit.RewindPolicy;
import dev.tidemark.commit.WriterResult;
import dev.tidemark.datafile.DataFileCodec;
import dev.tidemark.eventtime.EventTimeExtractor;
import dev.tidemark.eventtime.EventTimeStats;
import dev.tidemark.finalization.Attestation;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Turns results of writers into commits of a table; shared by streaming and batch. */
final class TableCommitter implements Serializable {
  private final CatalogConfig catalog;
  private final String writerId;
  private final String branch;
  private final RewindPolicy onRewind;
  private final @Nullable FinalizationOptions finalization;
  private final @Nullable EventTimeExtractor eventTime;
  private final Accumulating accumulating;
  private final ImmutableList<SerializableCommitHook> hooks;

  TableCommitter(WriteRows write, Accumulating accumulating) {
    this.catalog = write.requiredCatalog();
    this.writerId = write.requiredWriterId();
    this.branch = write.branch();
    this.onRewind = write.onRewind();
    this.finalization = write.finalization();
    this.eventTime = write.eventTime();
    this.accumulating = accumulating;
    this.hooks = write.hooks();
  }

  /** Decodes what a writer handed over; the table's specs give the types of partition values. */
  List<WriterResult> decode(String table, List<BundleResult> results, long firstSequence) {
    Table live = catalog.loadTable(TableIdentifier.parse(table));
    Map<Integer, PartitionSpec> specs = live.specs();
    List<WriterResult> decoded = new ArrayList<>(results.size());
    long sequence = firstSequence;
    for (BundleResult result : results) {
      List<DataFile> files = new ArrayList<>(result.files().size());
      for (byte[] file : result.files()) {
        files.add(DataFileCodec.decode(file, specs));
      }
      WriterResult next =
          WriterResult.of(sequence++, result.tableUuid(), files)
              .withAccumulators(result.accumulators());
      EventTimeStats stats = result.eventTime();
      decoded.add(stats == null ? next : next.withEventTime(stats));
    }
    return decoded;
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
    return CommitProtocol.of(catalog.catalog());
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
    Tallies tallies = Tallies.of(outcome);
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
