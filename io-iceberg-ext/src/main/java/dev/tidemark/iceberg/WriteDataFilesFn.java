package dev.tidemark.iceberg;

import dev.tidemark.datafile.FileOptions;
import dev.tidemark.datafile.RowRejectedException;
import dev.tidemark.datafile.TableFileWriter;
import dev.tidemark.eventtime.CollectEventTimeFn;
import dev.tidemark.eventtime.EventTimeExtractor;
import dev.tidemark.eventtime.MissingEventTimeException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.RowCoder;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.iceberg.Table;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the rows of a bundle to data files and hands them over when the bundle ends, never before:
 * where a bundle spans a checkpoint, its files are in the checkpoint that ends it.
 */
final class WriteDataFilesFn extends DoFn<Row, KV<String, BundleResult>> {
  private static final Logger LOG = LoggerFactory.getLogger(WriteDataFilesFn.class);

  /** What a bundle writes to: a table within a window. */
  private record Target(String table, BoundedWindow window) {}

  private final TableDestinations destinations;
  private final TableSetup setup;
  private final FileOptions files;
  private final Coder<Row> rowCoder;
  private final @Nullable CollectEventTimeFn eventTimeFn;
  private final EventTimeExtractor.@Nullable Bound eventTime;
  private final Accumulating accumulating;
  private final TupleTag<BadRecord> failed;
  private final IcebergWriteMetrics metrics = new IcebergWriteMetrics();

  private transient Map<Target, OpenTable> open;
  private transient Map<String, RuntimeException> refused;

  /** Tables as they were last loaded, across bundles. */
  private transient Map<String, Table> known;

  private transient @Nullable String lastTable;
  private transient @Nullable BoundedWindow lastWindow;
  private transient @Nullable OpenTable last;
  private transient long minTimestampMillis;

  WriteDataFilesFn(
      WriteRows write,
      TableSetup setup,
      Coder<Row> rowCoder,
      @Nullable CollectEventTimeFn eventTimeFn,
      EventTimeExtractor.@Nullable Bound bound,
      Accumulating accumulating,
      TupleTag<BadRecord> failed) {
    this.destinations = write.destinations();
    this.setup = setup;
    this.files = write.fileOptions();
    this.rowCoder = rowCoder;
    this.eventTimeFn = eventTimeFn;
    this.eventTime = bound;
    this.accumulating = accumulating;
    this.failed = failed;
  }

  @Setup
  public void setup() {
    known = new HashMap<>();
  }

  @StartBundle
  public void start() {
    open = new HashMap<>();
    refused = new HashMap<>();
    forgetLast();
    minTimestampMillis = Long.MAX_VALUE;
  }

  @ProcessElement
  public void process(
      @Element Row row,
      @Timestamp Instant timestamp,
      BoundedWindow window,
      MultiOutputReceiver out) {
    String table = destinations.tableOf(row);
    try {
      if (last == null || window != lastWindow || !table.equals(lastTable)) {
        last = find(table, window);
      }
      last.write(row, eventTime == null ? EventTimeExtractor.NULL : eventTime.extract(row));
      minTimestampMillis = Math.min(minTimestampMillis, timestamp.getMillis());
    } catch (RowRejectedException | MissingEventTimeException | RefusedTableException e) {
      metrics.rejectedRows.inc();
      out.get(failed).output(FailedRecords.row(String.valueOf(table), row, rowCoder, e));
    }
  }

  @FinishBundle
  public void finish(FinishBundleContext context) throws IOException {
    Instant timestamp =
        Instant.ofEpochMilli(
            Math.max(minTimestampMillis, BoundedWindow.TIMESTAMP_MIN_VALUE.getMillis()));
    for (Map.Entry<Target, OpenTable> entry : open.entrySet()) {
      BundleResult result = entry.getValue().complete(metrics);
      if (result != null) {
        BoundedWindow window = entry.getKey().window();
        Instant at = timestamp.isAfter(window.maxTimestamp()) ? window.maxTimestamp() : timestamp;
        context.output(KV.of(entry.getKey().table(), result), at, window);
      }
    }
    open.clear();
    forgetLast();
  }

  @Teardown
  public void teardown() {
    // A failed bundle has no end: what it wrote belongs to nobody.
    if (open != null) {
      open.values().forEach(OpenTable::abort);
    }
  }

  /** Only what is asked for is done for each row. */
  @Override
  public void populateDisplayData(DisplayData.Builder builder) {
    super.populateDisplayData(builder);
    builder
        .add(DisplayData.item("collectsEventTime", eventTimeFn != null))
        .add(DisplayData.item("accumulates", !accumulating.isEmpty()));
  }

  private void forgetLast() {
    last = null;
    lastTable = null;
    lastWindow = null;
  }

  private OpenTable find(@Nullable String table, BoundedWindow window) {
    forgetLast();
    if (table == null) {
      throw new RefusedTableException(
          "The destination function names no table. Return a name, or drop such rows before", null);
    }
    RuntimeException refusal = refused.get(table);
    if (refusal != null) {
      throw new RefusedTableException(refusal.getMessage(), refusal);
    }
    OpenTable found = open.get(new Target(table, window));
    if (found == null) {
      found = openTable(table);
      open.put(new Target(table, window), found);
    }
    lastTable = table;
    lastWindow = window;
    return found;
  }

  /**
   * Where a function names the tables, one that is missing or does not take the rows fails its own
   * rows, not the pipeline. A single table fails the bundle: a permission that is away for a while
   * must not empty the stream into the failed output.
   */
  private OpenTable openTable(String name) {
    try {
      Table table = load(name);
      return new OpenTable(
          table,
          TableFileWriter.open(table, rowSchema(), files),
          eventTimeFn,
          accumulating.start());
    } catch (RuntimeException e) {
      if (destinations instanceof OneTable || !concernsOneTable(e)) {
        throw e;
      }
      refused.put(name, e);
      throw new RefusedTableException(e.getMessage(), e);
    }
  }

  /** The table as it is now; as it was at the last bundle, where the catalog does not answer. */
  private Table load(String name) {
    try {
      Table table = setup.open(name);
      known.put(name, table);
      return table;
    } catch (RuntimeException e) {
      Table before = known.get(name);
      if (before == null || concernsOneTable(e)) {
        throw e;
      }
      LOG.warn("Cannot load table {}; writing to it as it was at the last bundle", name, e);
      return before;
    }
  }

  private static boolean concernsOneTable(RuntimeException e) {
    return e instanceof IllegalArgumentException || TableCommitter.isForGood(e);
  }

  private Schema rowSchema() {
    return ((RowCoder) rowCoder).getSchema();
  }

  /** All rows of a table are refused. */
  private static final class RefusedTableException extends RuntimeException {
    RefusedTableException(String message, @Nullable Throwable cause) {
      super(message, cause, false, false);
    }
  }
}
