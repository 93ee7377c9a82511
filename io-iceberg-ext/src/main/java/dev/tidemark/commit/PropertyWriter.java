package dev.tidemark.commit;

import dev.tidemark.finalization.Attestation;
import dev.tidemark.finalization.CommitFacts;
import dev.tidemark.finalization.WriterWindow;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.util.SnapshotUtil;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * The properties that go with a data commit: what was committed, the window of facts, and what is
 * recorded once.
 */
final class PropertyWriter {
  /**
   * Without properties the record sits in the summary, of which each retained snapshot keeps one.
   */
  static final int MAX_SUMMARY_RECORD_CHARS = 16_384;

  private final CommitRequest request;
  private final TidemarkKeys keys;
  private final PinnedTableOperations operations;
  private final Lineage lineage;
  private final long nowMillis;
  private int droppedFacts;
  private boolean windowReset;

  PropertyWriter(
      CommitRequest request,
      TidemarkKeys keys,
      PinnedTableOperations operations,
      Lineage lineage,
      long nowMillis) {
    this.request = request;
    this.keys = keys;
    this.operations = operations;
    this.lineage = lineage;
    this.nowMillis = nowMillis;
  }

  PropertyChange change(
      PropertyChunks chunks,
      CommitPlan.Recorder recorder,
      Landing landing,
      List<WriterResult> results,
      @Nullable CommitFacts facts) {
    Map<String, String> properties = operations.base().properties();
    PropertyChange.Builder change = PropertyChange.builder();
    String record = recorder.text(landing, nowMillis);
    checkRecord(request, record.length(), chunks.capacity());
    chunks.write(record, properties, change);
    long rows = results.stream().mapToLong(WriterResult::rows).sum();
    writeWindow(landing, rows, facts, change);
    writeSince(facts, change);
    change.set(keys.fence(), fence(operations, keys).text());
    if (request.inputWatermarkMillis() != null) {
      change.set(
          keys.attested(request.writerId()),
          AttestationText.toText(Attestation.of(request.inputWatermarkMillis(), nowMillis)));
    }
    if (request.eventTimeColumn() != null) {
      change.set(keys.eventTimeColumn(), request.eventTimeColumn());
    }
    if (request.eventTimeZone() != null) {
      change.set(keys.eventTimeZone(), request.eventTimeZone());
    }
    return change.against(properties);
  }

  /** Entries of the window that no property had room for. */
  int droppedFacts() {
    return droppedFacts;
  }

  /** Whether the stored window could not be read. */
  boolean windowReset() {
    return windowReset;
  }

  /**
   * The fence that this table uses from now on: metadata only as long as every writer can rely on
   * it.
   */
  static FenceKind fence(PinnedTableOperations operations, TidemarkKeys keys) {
    String stored = operations.base().properties().get(keys.fence());
    boolean metadata =
        operations.comparesWholeMetadata()
            && (stored == null || stored.equals(FenceKind.METADATA.text()));
    return metadata ? FenceKind.METADATA : FenceKind.SNAPSHOT;
  }

  static void checkRecord(CommitRequest request, int chars, int limit) {
    if (chars > limit) {
      throw new CommitException(
          CommitException.Kind.RECORD_OVERFLOW,
          "Cannot commit to table %s: the record of what writer %s committed takes %d characters (must be <= %d). Commit fewer results at once, or raise the replay floor."
              .formatted(request.table(), request.writerId(), chars, limit));
    }
  }

  /** The facts of a snapshot from the stored window; null if it has none of just this snapshot. */
  static @Nullable CommitFacts storedFacts(
      TableMetadata base, TidemarkKeys keys, String writerId, Landing landing) {
    try {
      WriterWindow window = WindowProperty.read(base.properties(), keys, writerId);
      if (window == null) {
        return null;
      }
      return window.facts().stream()
          .filter(facts -> facts.snapshotId() == landing.snapshotId() && facts.commits() == 1)
          .findFirst()
          .orElse(null);
    } catch (IllegalArgumentException e) {
      // The summary may still have them.
      return null;
    }
  }

  private void writeWindow(
      Landing landing, long rows, @Nullable CommitFacts facts, PropertyChange.Builder change) {
    PropertyChunks chunks = WindowProperty.chunks(keys, request.writerId());
    WriterWindow stored = storedWindow();
    if (facts == null && (stored.facts().isEmpty() || rows == 0)) {
      return;
    }
    CommitFacts added =
        facts == null
            ? CommitFacts.unknown(request.writerId(), landing.snapshotId(), nowMillis, rows)
            : request.keepSketchInWindow() ? facts : facts.withoutSketch();
    WriterWindow window = WindowProperty.held(stored, lineage).add(added).trim(request.lookback());
    WriterWindow fitted = WindowProperty.fitted(window, chunks);
    droppedFacts = fitted.equals(window) ? 0 : 1;
    chunks.write(fitted.toText(), operations.base().properties(), change);
  }

  private WriterWindow storedWindow() {
    try {
      WriterWindow window =
          WindowProperty.read(operations.base().properties(), keys, request.writerId());
      return window == null ? WriterWindow.empty(request.writerId()) : window;
    } catch (IllegalArgumentException e) {
      // Without evidence the watermark waits, which is safe; rows must not wait for it.
      windowReset = true;
      return WriterWindow.empty(request.writerId());
    }
  }

  /**
   * The first hour whose rows all passed through facts: that of the earliest row on a new table.
   * Rows that were there before have no facts, so a table that is taken over claims nothing up to
   * the latest row of the first commit.
   */
  private void writeSince(@Nullable CommitFacts facts, PropertyChange.Builder change) {
    TableMetadata base = operations.base();
    if (facts == null
        || facts.minMillis() == null
        || facts.maxMillis() == null
        || base.properties().containsKey(keys.finalizedSince())) {
      return;
    }
    long width = request.granularityMillis();
    Snapshot head = SnapshotUtil.latestSnapshot(base, request.branch());
    boolean takenOver =
        head != null && !"0".equals(Lineage.summary(head).get(SnapshotSummary.TOTAL_RECORDS_PROP));
    long since =
        takenOver
            ? (Math.floorDiv(facts.maxMillis(), width) + 1) * width
            : Math.floorDiv(facts.minMillis(), width) * width;
    change.set(keys.finalizedSince(), WatermarkState.text(since));
  }
}
