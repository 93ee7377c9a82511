package dev.tidemark.datafile;

import com.google.common.primitives.ImmutableLongArray;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Rows of partitions that have no open file. They wait in memory, grouped by partition, and move to
 * a local file chunk by chunk when the memory is full; nothing is sorted.
 */
final class PartitionSpill implements Closeable {
  private final int memoryBytes;
  private final @Nullable String directory;
  private final boolean encrypted;
  private final Map<PartitionTuple, Partition> partitions = new LinkedHashMap<>();
  private @Nullable SpillFile file;
  private long buffered;

  PartitionSpill(FileOptions options, boolean encrypted) {
    this.memoryBytes = options.spillBufferBytes();
    this.directory = options.spillDirectory();
    this.encrypted = encrypted;
  }

  /** The spilled rows of a partition, or null when it has none. */
  @Nullable Partition find(PartitionTuple tuple) {
    return partitions.get(tuple);
  }

  Partition start(PartitionTuple tuple) {
    Partition partition = new Partition(tuple);
    partitions.put(tuple, partition);
    return partition;
  }

  /** In the order of their first rows. */
  Collection<Partition> partitions() {
    return partitions.values();
  }

  private void flush() throws IOException {
    if (file == null) {
      file = SpillFile.create(directory, encrypted);
    }
    for (Partition partition : partitions.values()) {
      partition.flush(file);
    }
    buffered = 0;
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }

  /** The rows of one partition. */
  final class Partition {
    private static final int FIRST_BYTES = 256;

    private final PartitionTuple tuple;
    private final ImmutableLongArray.Builder chunks = ImmutableLongArray.builder();
    private @Nullable ByteSink buffer;

    private Partition(PartitionTuple tuple) {
      this.tuple = tuple;
    }

    PartitionTuple tuple() {
      return tuple;
    }

    void add(RowShredder row) throws IOException {
      if (buffer == null) {
        buffer = new ByteSink(FIRST_BYTES);
      }
      int before = buffer.size();
      row.write(buffer);
      buffered += buffer.size() - before;
      if (buffered >= memoryBytes) {
        PartitionSpill.this.flush();
      }
    }

    private void flush(SpillFile to) throws IOException {
      if (buffer != null) {
        chunks.add(to.append(buffer.bytes(), buffer.size()));
        chunks.add(buffer.size());
        buffer = null;
      }
    }

    /** Puts each row on the tracks and calls {@code action}, in the order the rows came. */
    void forEach(RowShredder row, RowAction action) throws IOException {
      ImmutableLongArray places = chunks.build();
      for (int i = 0; i < places.length(); i += 2) {
        int length = (int) places.get(i + 1);
        forEach(file.read(places.get(i), length), length, row, action);
      }
      if (buffer != null) {
        forEach(buffer.bytes(), buffer.size(), row, action);
        buffer = null;
      }
    }

    private void forEach(byte[] bytes, int length, RowShredder row, RowAction action)
        throws IOException {
      ByteSource source = new ByteSource(bytes, 0, length);
      while (source.hasMore()) {
        row.read(source);
        action.run();
      }
    }
  }

  /** What is done with a row that came back. */
  interface RowAction {
    void run() throws IOException;
  }
}
