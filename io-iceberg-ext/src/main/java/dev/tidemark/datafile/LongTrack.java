package dev.tidemark.datafile;

import java.util.Arrays;

/** Values that fit 64 bits: numbers, switches, times, and the raw bits of floats and doubles. */
final class LongTrack extends Track {
  private long[] values = new long[1];
  private boolean[] nulls = new boolean[1];

  void add(long value) {
    int position = room();
    values[position] = value;
    nulls[position] = false;
  }

  void addNull() {
    int position = room();
    nulls[position] = true;
  }

  boolean isNull(int position) {
    return nulls[position];
  }

  long get(int position) {
    return values[position];
  }

  private int room() {
    int position = append();
    if (position == values.length) {
      values = Arrays.copyOf(values, 2 * position);
      nulls = Arrays.copyOf(nulls, 2 * position);
    }
    return position;
  }

  @Override
  void writeEntry(ByteSink sink, int position) {
    sink.writeByte(nulls[position] ? 0 : 1);
    if (!nulls[position]) {
      sink.writeLong(values[position]);
    }
  }

  @Override
  void readEntry(ByteSource source) {
    if (source.readByte() == 0) {
      addNull();
    } else {
      add(source.readLong());
    }
  }
}
