package dev.tidemark.datafile;

import com.google.common.base.Preconditions;
import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.encryption.EncryptedOutputFile;
import org.apache.iceberg.encryption.PlaintextEncryptionManager;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.util.PropertyUtil;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the rows of one table for one bundle into Parquet data files. Single-threaded.
 *
 * <p>A row is checked as a whole before any file sees it: it is written entirely or rejected
 * entirely. Files are named uniquely per writer, lie where the table's location provider puts them,
 * and follow the table's schema, default partition spec and Parquet properties as they were at
 * {@link #open}. The table's FileIO is used and never closed. See the package documentation for how
 * many files there are and what memory they take.
 *
 * <pre>{@code
 * try (TableFileWriter writer = TableFileWriter.open(table, rowSchema, FileOptions.defaults())) {
 *   for (Row row : rows) {
 *     writer.write(row);
 *   }
 *   AppendFiles append = table.newAppend();
 *   writer.complete().forEach(append::appendFile);
 *   append.commit();
 * }
 * }</pre>
 */
public final class TableFileWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TableFileWriter.class);

  /** A file without a row for this long gives way to the file of a new partition. */
  private static final long IDLE_ROWS = 100_000;

  private enum State {
    OPEN,
    FAILED,
    COMPLETE,
    ABORTED
  }

  private final Table table;
  private final ColumnPlan.Struct plan;
  private final FileOptions options;
  private final long targetFileSizeBytes;
  private final RowShredder shredder;
  private final PartitionRouter router;
  private final OutputFileFactory files;
  private final PartitionSpill spill;
  private final Map<PartitionTuple, OpenFile> openFiles = new LinkedHashMap<>();
  private final List<DataFile> finished = new ArrayList<>();
  private final List<String> locations = new ArrayList<>();

  private State state = State.OPEN;
  private @Nullable OpenFile currentFile;
  private PartitionSpill.@Nullable Partition currentSpill;
  private long allocatedBytes;
  private long rows;
  private long nextIdleRow = IDLE_ROWS;

  private TableFileWriter(Table table, RowBinding binding, FileOptions options) {
    this.table = table;
    this.plan = binding.plan();
    this.options = options;
    Long target = options.targetFileSizeBytes();
    this.targetFileSizeBytes =
        target != null
            ? target
            : PropertyUtil.propertyAsLong(
                table.properties(),
                TableProperties.WRITE_TARGET_FILE_SIZE_BYTES,
                TableProperties.WRITE_TARGET_FILE_SIZE_BYTES_DEFAULT);
    this.shredder = new RowShredder(plan);
    this.router = new PartitionRouter(table.spec(), shredder);
    String prefix = options.fileNamePrefix();
    this.files =
        OutputFileFactory.builderFor(table, 0, 0)
            .format(FileFormat.PARQUET)
            .operationId((prefix.isEmpty() ? "" : prefix + "-") + UUID.randomUUID())
            .build();
    this.spill =
        new PartitionSpill(options, !(table.encryption() instanceof PlaintextEncryptionManager));
  }

  /**
   * Opens a writer; nothing is created before the first row.
   *
   * @throws IllegalArgumentException when rows of this schema cannot be written to the table, with
   *     what is wrong and the remedy, see {@link RowSchemas#bind}
   */
  public static TableFileWriter open(Table table, Schema rowSchema, FileOptions options) {
    return new TableFileWriter(table, RowSchemas.bind(rowSchema, table.schema()), options);
  }

  /**
   * Writes one row.
   *
   * @throws RowRejectedException when the table cannot hold the row; nothing of it is written and
   *     this writer goes on
   * @throws UncheckedIOException when a file cannot be written; only {@link #abort} may follow
   * @throws IllegalArgumentException when the row has another schema than the writer was opened for
   */
  public void write(Row row) {
    checkOpen();
    shredder.load(row);
    // Until the row is written as a whole, the files are fit for nothing but to be deleted.
    state = State.FAILED;
    try {
      if (router.moved() || (currentFile == null && currentSpill == null)) {
        route();
      }
      rows++;
      if (currentFile != null) {
        currentFile.use(rows);
        append(currentFile);
      } else {
        currentSpill.add(shredder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          String.format("Cannot write row to table %s: %s", table.name(), e.getMessage()), e);
    }
    state = State.OPEN;
  }

  /**
   * Closes all files and returns them, ordered by location. They are the caller's from here on.
   *
   * @throws UncheckedIOException when a file cannot be written; only {@link #abort} may follow
   */
  public List<DataFile> complete() {
    checkOpen();
    state = State.FAILED;
    try {
      for (OpenFile file : List.copyOf(openFiles.values())) {
        finish(file);
      }
      for (PartitionSpill.Partition partition : spill.partitions()) {
        partition.forEach(shredder, () -> appendSpilled(partition.tuple()));
        OpenFile file = openFiles.get(partition.tuple());
        if (file != null) {
          finish(file);
        }
      }
      spill.close();
    } catch (IOException e) {
      throw new UncheckedIOException(
          String.format("Cannot complete files of table %s: %s", table.name(), e.getMessage()), e);
    }
    state = State.COMPLETE;
    LOG.debug("Wrote {} rows to {} files of table {}", rows, finished.size(), table.name());
    return ImmutableList.sortedCopyOf(Comparator.comparing(DataFile::location), finished);
  }

  /**
   * Closes and deletes everything this writer made. Does nothing once it is complete: its files
   * then belong to whom they were given to. A file that cannot be deleted is logged; it is an
   * orphan that no table refers to.
   */
  public void abort() {
    if (state == State.COMPLETE || state == State.ABORTED) {
      return;
    }
    state = State.ABORTED;
    for (OpenFile file : openFiles.values()) {
      try {
        file.discard();
      } catch (IOException | RuntimeException e) {
        LOG.debug("Closing {} failed while it was thrown away", file.location(), e);
      }
    }
    openFiles.clear();
    try {
      spill.close();
    } catch (IOException e) {
      LOG.debug("Closing the spill file failed", e);
    }
    locations.forEach(this::delete);
  }

  /** Aborts, unless the writer is complete. */
  @Override
  public void close() {
    abort();
  }

  /** Files that are open at the moment. */
  public int openWriters() {
    return openFiles.size();
  }

  /** Rows written so far; rejected ones are not counted. */
  public long rows() {
    return rows;
  }

  private void checkOpen() {
    Preconditions.checkState(
        state == State.OPEN,
        "Cannot write to table %s: this writer is %s. Open a new one per bundle.",
        table.name(),
        state);
  }

  /**
   * Finds where the rows of the partition in hand go: its file, its spilled rows, or a new file.
   */
  private void route() throws IOException {
    PartitionTuple tuple = router.tuple();
    currentFile = openFiles.get(tuple);
    currentSpill = null;
    if (currentFile != null) {
      return;
    }
    currentSpill = spill.find(tuple);
    if (currentSpill != null) {
      return;
    }
    if (hasRoom() || makeRoom()) {
      currentFile = start(tuple);
    } else {
      currentSpill = spill.start(tuple);
    }
  }

  private boolean hasRoom() {
    return openFiles.size() < options.maxOpenWriters()
        && (openFiles.isEmpty() || allocatedBytes < options.maxBufferedBytes());
  }

  /**
   * Closes the file that has waited longest for a row, if that is long. Data ordered by partition
   * so needs no spilling; a partition that does come back has its further rows spilled, hence two
   * files at most.
   */
  private boolean makeRoom() throws IOException {
    if (rows < nextIdleRow) {
      return false;
    }
    OpenFile oldest = null;
    for (OpenFile file : openFiles.values()) {
      if (oldest == null || file.lastUsed() < oldest.lastUsed()) {
        oldest = file;
      }
    }
    if (oldest == null || oldest.lastUsed() + IDLE_ROWS > rows) {
      nextIdleRow = oldest == null ? rows : oldest.lastUsed() + IDLE_ROWS;
      return false;
    }
    finish(oldest);
    return hasRoom();
  }

  private OpenFile start(PartitionTuple tuple) throws IOException {
    EncryptedOutputFile output =
        table.spec().isPartitioned() ? files.newOutputFile(tuple) : files.newOutputFile();
    locations.add(output.encryptingOutputFile().location());
    OpenFile file = OpenFile.create(table, plan, shredder, output, tuple);
    openFiles.put(tuple, file);
    allocatedBytes += file.allocatedBytes();
    return file;
  }

  private void append(OpenFile file) throws IOException {
    if (!file.write(shredder)) {
      return;
    }
    allocatedBytes += file.look();
    if (file.length() >= targetFileSizeBytes) {
      finish(file);
    }
    if (allocatedBytes > options.maxBufferedBytes()) {
      finishLargest();
    }
  }

  /** Rows that waited: their partition has at most one file open, and no other is. */
  private void appendSpilled(PartitionTuple tuple) throws IOException {
    OpenFile file = openFiles.get(tuple);
    append(file != null ? file : start(tuple));
  }

  private void finishLargest() throws IOException {
    OpenFile largest = null;
    for (OpenFile file : openFiles.values()) {
      if (largest == null || file.allocatedBytes() > largest.allocatedBytes()) {
        largest = file;
      }
    }
    if (largest != null) {
      finish(largest);
    }
  }

  private void finish(OpenFile file) throws IOException {
    openFiles.remove(file.partition());
    allocatedBytes -= file.allocatedBytes();
    if (file == currentFile) {
      currentFile = null;
    }
    finished.add(file.finish());
  }

  private void delete(String location) {
    try {
      table.io().deleteFile(location);
    } catch (RuntimeException e) {
      LOG.warn(
          "Cannot delete {} of an aborted bundle; remove orphan files of table {}",
          location,
          table.name(),
          e);
    }
  }
}
