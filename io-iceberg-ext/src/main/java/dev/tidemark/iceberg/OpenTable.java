package dev.tidemark.iceberg;

import com.google.common.collect.ImmutableSortedMap;
import dev.tidemark.datafile.DataFileCodec;
import dev.tidemark.datafile.TableFileWriter;
import dev.tidemark.eventtime.CollectEventTimeFn;
import dev.tidemark.eventtime.EventTimeAccumulator;
import dev.tidemark.eventtime.EventTimeStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The rows of one table in one bundle, under way. */
final class OpenTable {
  private final Table table;
  private final TableFileWriter writer;
  private final @Nullable CollectEventTimeFn eventTimeFn;
  private final Accumulating.Live<?>[] accumulators;
  private final @Nullable EventTimeAccumulator eventTime;

  OpenTable(
      Table table,
      TableFileWriter writer,
      @Nullable CollectEventTimeFn eventTimeFn,
      List<Accumulating.Live<?>> accumulators) {
    this.table = table;
    this.writer = writer;
    this.eventTimeFn = eventTimeFn;
    this.accumulators = accumulators.toArray(new Accumulating.Live<?>[0]);
    this.eventTime = eventTimeFn == null ? null : eventTimeFn.createAccumulator();
  }

  /**
   * Writes a row, or throws without a trace of it. Only then is it accumulated.
   *
   * @param extracted the row's event time as it was extracted, if it is to be measured
   */
  void write(Row row, long extracted) {
    writer.write(row);
    if (eventTime != null) {
      eventTime.add(extracted);
    }
    for (Accumulating.Live<?> accumulator : accumulators) {
      accumulator.add(row);
    }
  }

  /** Closes the files; null if there was no row. */
  @Nullable BundleResult complete(IcebergWriteMetrics metrics) throws IOException {
    List<DataFile> files = writer.complete();
    if (files.isEmpty()) {
      return null;
    }
    List<byte[]> encoded = new ArrayList<>(files.size());
    for (DataFile file : files) {
      encoded.add(DataFileCodec.encode(file, table.specs().get(file.specId())));
      metrics.rowsPerFile.update(file.recordCount());
    }
    metrics.writtenFiles.inc(files.size());
    metrics.writtenRows.inc(writer.rows());
    EventTimeStats stats = eventTime == null ? null : eventTimeFn.extractOutput(eventTime);
    ImmutableSortedMap<String, byte[]> encodedAccumulators =
        Accumulating.encode(List.of(accumulators));
    return BundleResult.of(
        table.uuid().toString(), encoded, writer.rows(), stats, encodedAccumulators);
  }

  void abort() {
    writer.abort();
  }
}
