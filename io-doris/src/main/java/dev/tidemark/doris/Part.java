package dev.tidemark.doris;

import com.google.common.collect.ImmutableList;

/**
 * Rows of one table and shard as they go over the wire, each key once: a complete Arrow IPC stream.
 */
final class Part {
  private static final long[] NONE = {};

  private final ImmutableList<String> columns;
  private final int rows;
  private final int deletes;
  private final long[] hashes;
  private final byte[] stream;

  /**
   * The arrays are not copied.
   *
   * @param hashes of the key of each row; empty if rows are appended
   */
  Part(ImmutableList<String> columns, int rows, int deletes, long[] hashes, byte[] stream) {
    this.columns = columns;
    this.rows = rows;
    this.deletes = deletes;
    this.hashes = hashes;
    this.stream = stream;
  }

  static Part appended(ImmutableList<String> columns, int rows, byte[] stream) {
    return new Part(columns, rows, 0, NONE, stream);
  }

  /** In the order of the stream, in the table's spelling, the delete sign last. */
  ImmutableList<String> columns() {
    return columns;
  }

  int rows() {
    return rows;
  }

  int deletes() {
    return deletes;
  }

  long[] hashes() {
    return hashes;
  }

  byte[] stream() {
    return stream;
  }
}
