package dev.tidemark.datafile;

import java.io.IOException;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.Table;
import org.apache.iceberg.encryption.EncryptedOutputFile;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.parquet.Parquet;
import org.checkerframework.checker.nullness.qual.Nullable;

/** One data file while it is written. */
final class OpenFile {
  private static final int MAX_ROWS_BETWEEN_LOOKS = 1_000;
  private static final long MAX_BYTES_BETWEEN_LOOKS = 1 << 20;

  private final PartitionTuple partition;
  private final String location;
  private final DataWriter<RowShredder> writer;
  private @Nullable RowFileModel model;
  private long rows;
  private long nextLook = 1;
  private long allocatedBytes;
  private long lastUsed;

  private OpenFile(
      Table table,
      ColumnPlan.Struct plan,
      RowShredder shredder,
      EncryptedOutputFile file,
      PartitionTuple partition)
      throws IOException {
    this.partition = partition;
    this.location = file.encryptingOutputFile().location();
    this.writer =
        Parquet.writeData(file)
            .forTable(table)
            .createWriterFunc(
                message -> {
                  model = new RowFileModel(plan, shredder, message);
                  return model;
                })
            .withPartition(table.spec().isPartitioned() ? partition : null)
            .withKeyMetadata(file.keyMetadata())
            // Rows keep their order of arrival, whatever order the table asks for.
            .withSortOrder(SortOrder.unsorted())
            // Names are unique, so there is nothing to overwrite and nothing to look for.
            .overwrite()
            .build();
    this.allocatedBytes = model.allocatedBytes();
  }

  static OpenFile create(
      Table table,
      ColumnPlan.Struct plan,
      RowShredder shredder,
      EncryptedOutputFile file,
      PartitionTuple partition)
      throws IOException {
    return new OpenFile(table, plan, shredder, file, partition);
  }

  PartitionTuple partition() {
    return partition;
  }

  String location() {
    return location;
  }

  /** Writes the row in hand and returns whether it is time for {@link #look}. */
  boolean write(RowShredder row) {
    writer.write(row);
    return ++rows >= nextLook;
  }

  /**
   * Measures the file, returns by how much its memory has grown, and fixes the next look: after a
   * thousand rows, or earlier where rows are large.
   */
  long look() {
    long before = allocatedBytes;
    allocatedBytes = model.allocatedBytes();
    long bytesPerRow = Math.max(1, Math.max(writer.length(), allocatedBytes) / rows);
    long step =
        Math.max(1, Math.min(MAX_ROWS_BETWEEN_LOOKS, MAX_BYTES_BETWEEN_LOOKS / bytesPerRow));
    // Slow start: the first rows say little about those to come.
    nextLook = rows + Math.min(step, rows);
    return allocatedBytes - before;
  }

  /** Bytes of the file as far as it is known before it is closed. */
  long length() {
    return writer.length();
  }

  long allocatedBytes() {
    return allocatedBytes;
  }

  /** Number of the writer's row that came here last. */
  long lastUsed() {
    return lastUsed;
  }

  void use(long row) {
    lastUsed = row;
  }

  DataFile finish() throws IOException {
    writer.close();
    return writer.toDataFile();
  }

  /** Releases what the writer holds; the file is deleted afterwards. */
  void discard() throws IOException {
    writer.close();
  }
}
