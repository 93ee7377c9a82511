package dev.tidemark.datafile;

import java.util.Arrays;

/** How many parts nested values have: entries of a list or map, 1 for a struct, -1 for null. */
final class CountTrack extends Track {
  static final int NULL = -1;

  private int[] counts = new int[1];

  /** Appends a count that {@link #set} corrects once it is known. */
  int add(int count) {
    int position = append();
    if (position == counts.length) {
      counts = Arrays.copyOf(counts, 2 * position);
    }
    counts[position] = count;
    return position;
  }

  void set(int position, int count) {
    counts[position] = count;
  }

  int get(int position) {
    return counts[position];
  }

  @Override
  void writeEntry(ByteSink sink, int position) {
    sink.writeVarint(counts[position] + 1L);
  }

  @Override
  void readEntry(ByteSource source) {
    add(source.readVarint32() - 1);
  }
}
