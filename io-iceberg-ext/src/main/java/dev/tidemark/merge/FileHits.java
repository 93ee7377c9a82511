package dev.tidemark.merge;

import java.util.Arrays;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;

/** Rows of one data file of the base table that are to go. */
final class FileHits {
  private final DataFile file;
  private final List<DeleteFile> deletes;
  private final long[] positions;

  FileHits(DataFile file, List<DeleteFile> deletes, long[] positions) {
    this.file = file;
    this.deletes = deletes;
    this.positions = positions;
  }

  DataFile file() {
    return file;
  }

  /** What is deleted in the file already. */
  List<DeleteFile> deletes() {
    return deletes;
  }

  /** Where the rows are, ascending. */
  long[] positions() {
    return positions;
  }

  /** The hits of both, which are of one file. */
  FileHits with(FileHits other) {
    long[] all = Arrays.copyOf(positions, positions.length + other.positions.length);
    System.arraycopy(other.positions, 0, all, positions.length, other.positions.length);
    Arrays.sort(all);
    return new FileHits(file, deletes, all);
  }

  /** Positions as they are met, one after the other. */
  static final class Positions {
    private long[] values = new long[64];
    private int size;

    void add(long position) {
      if (size == values.length) {
        values = Arrays.copyOf(values, size * 2);
      }
      values[size++] = position;
    }

    boolean isEmpty() {
      return size == 0;
    }

    long[] toArray() {
      return Arrays.copyOf(values, size);
    }
  }
}
