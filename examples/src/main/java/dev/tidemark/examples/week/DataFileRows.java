package dev.tidemark.examples.week;

import java.io.IOException;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotChanges;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetReaders;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.parquet.Parquet;

/** Reads data files with Iceberg's own reader. */
final class DataFileRows {
  private DataFileRows() {}

  /** The event times of the rows that a snapshot added, by id. */
  static Map<Long, Long> addedBy(Snapshot snapshot, Table table) throws IOException {
    Map<Long, Long> rows = new HashMap<>();
    SnapshotChanges changes = SnapshotChanges.builderFor(table).snapshot(snapshot).build();
    for (DataFile file : changes.addedDataFiles()) {
      try (CloseableIterable<Record> records =
          Parquet.read(table.io().newInputFile(file.location()))
              .project(table.schema())
              .createReaderFunc(schema -> GenericParquetReaders.buildReader(table.schema(), schema))
              .build()) {
        for (Record record : records) {
          OffsetDateTime at = (OffsetDateTime) record.getField(Delivery.EVENT_TIME);
          Long other = rows.put((Long) record.getField("id"), at.toInstant().toEpochMilli());
          if (other != null) {
            throw new IllegalStateException("Id " + record.getField("id") + " twice in one commit");
          }
        }
      }
    }
    return rows;
  }
}
