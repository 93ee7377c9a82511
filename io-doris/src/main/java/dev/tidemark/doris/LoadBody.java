package dev.tidemark.doris;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * What one load brings, each key once: complete Arrow IPC streams of the same columns.
 *
 * <p>The epoch tells loads of one life of the state from those of another, which counts from the
 * beginning again.
 */
final class LoadBody {
  private final long epoch;
  private final ImmutableList<String> columns;
  private final int rows;
  private final int deletes;
  private final ImmutableList<byte[]> streams;

  /** The arrays are not copied. */
  LoadBody(long epoch, ImmutableList<String> columns, int rows, int deletes, List<byte[]> streams) {
    this.epoch = epoch;
    this.columns = columns;
    this.rows = rows;
    this.deletes = deletes;
    this.streams = ImmutableList.copyOf(streams);
  }

  long epoch() {
    return epoch;
  }

  ImmutableList<String> columns() {
    return columns;
  }

  int rows() {
    return rows;
  }

  int deletes() {
    return deletes;
  }

  ImmutableList<byte[]> streams() {
    return streams;
  }

  long bytes() {
    long bytes = 0;
    for (byte[] stream : streams) {
      bytes += stream.length;
    }
    return bytes;
  }
}
