package dev.tidemark.commit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSet;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.io.FileIO;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * The ledger of batches: one commit per run and window. A retried batch makes new files, so the
 * first commit wins and the files of later attempts are orphans.
 */
final class BatchLedger implements Ledger {
  private static final Pattern RUN = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final Pattern WINDOW = Pattern.compile("[\\x21-\\x7e]{1,128}");

  private final CommitRequest request;
  private final TidemarkKeys keys;
  private final String token;

  BatchLedger(CommitRequest request, TidemarkKeys keys, String runId, String window) {
    if (!RUN.matcher(runId).matches()) {
      throw new IllegalArgumentException(
          "Invalid run id: %s (must match %s)".formatted(runId, RUN.pattern()));
    }
    if (!WINDOW.matcher(window).matches()) {
      throw new IllegalArgumentException(
          "Invalid window: %s (must be 1 to 128 visible ASCII characters)".formatted(window));
    }
    this.request = request;
    this.keys = keys;
    this.token = "batch:" + runId + ":" + window;
  }

  @Override
  public PropertyChunks chunks() {
    return BatchRecord.chunks(keys, request.writerId());
  }

  @Override
  public String committedText(Iterable<WriterResult> results) {
    return token;
  }

  @Override
  public CommitPlan plan(TableMetadata base, Lineage lineage, FileIO io) {
    ImmutableList<WriterResult> refused = StreamLedger.ofOtherTables(request, base);
    List<WriterResult> results =
        request.results().stream().filter(result -> !refused.contains(result)).toList();
    BatchRecord record = stored(base);
    BatchRecord.Entry entry = record.entries().get(token);
    long digest = digest(results);
    Landing landing = entry != null && lineage.holds(entry.landing()) ? entry.landing() : null;
    boolean same = landing != null && entry != null && entry.digest() == digest;
    if (landing == null) {
      landing = bySummary(lineage);
    }
    if (landing == null) {
      return new CommitPlan(
          ImmutableList.copyOf(results),
          ImmutableListMultimap.of(),
          refused,
          ImmutableList.of(),
          false,
          (at, now) -> record.with(token, new BatchRecord.Entry(digest, at, now)).toText());
    }
    return new CommitPlan(
        ImmutableList.of(),
        ImmutableListMultimap.<Landing, WriterResult>builder().putAll(landing, results).build(),
        refused,
        same ? ImmutableList.of() : orphans(base, io, landing, results),
        false,
        (at, now) -> record.toText());
  }

  private BatchRecord stored(TableMetadata base) {
    try {
      String text = chunks().read(base.properties());
      BatchRecord record = text == null ? null : BatchRecord.fromText(text);
      return record == null || !record.tableUuid().equals(base.uuid())
          ? BatchRecord.empty(base.uuid())
          : record;
    } catch (IllegalArgumentException e) {
      throw RewindMessages.unreadable(request, e);
    }
  }

  private @Nullable Landing bySummary(Lineage lineage) {
    Snapshot snapshot =
        lineage.newest(
            summary ->
                request.writerId().equals(summary.get(keys.writer()))
                    && token.equals(summary.get(keys.committed())));
    return snapshot == null ? null : Lineage.landing(snapshot);
  }

  /**
   * Files that the winning attempt did not add; null if its snapshot is gone. A live file must
   * never be among them.
   */
  private static @Nullable ImmutableList<String> orphans(
      TableMetadata base, FileIO io, Landing landing, List<WriterResult> results) {
    Snapshot winner = base.snapshot(landing.snapshotId());
    if (winner == null) {
      return null;
    }
    ImmutableSet<String> added = AddedFiles.paths(base, winner, io);
    return results.stream()
        .flatMap(result -> result.files().stream())
        .map(file -> file.location())
        .filter(path -> !added.contains(path))
        .collect(ImmutableList.toImmutableList());
  }

  private static long digest(List<WriterResult> results) {
    return WriterResult.of(1, "", results.stream().flatMap(r -> r.files().stream()).toList())
        .digest();
  }
}
