package dev.tidemark.datafile;

import java.util.Arrays;
import org.apache.parquet.io.api.Binary;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Values of any length: strings as UTF-8, bytes, and what Parquet stores as fixed-length bytes. */
final class BinaryTrack extends Track {
  private @Nullable Binary[] values = new Binary[1];
  private byte[] @Nullable [] buffers = new byte[1][];

  void add(@Nullable Binary value) {
    int position = room();
    values[position] = value;
  }

  void addNull() {
    add(null);
  }

  @Nullable Binary get(int position) {
    return values[position];
  }

  /**
   * A buffer of the next entry, kept from row to row, so that values of a fixed length need no
   * array of their own; what is made of it has to be marked as reused.
   */
  byte[] buffer(int length) {
    int position = size();
    if (position == values.length) {
      grow(position);
    }
    byte[] buffer = buffers[position];
    if (buffer == null) {
      buffer = new byte[length];
      buffers[position] = buffer;
    }
    return buffer;
  }

  private int room() {
    int position = append();
    if (position == values.length) {
      grow(position);
    }
    return position;
  }

  private void grow(int size) {
    values = Arrays.copyOf(values, 2 * size);
    buffers = Arrays.copyOf(buffers, 2 * size);
  }

  @Override
  void writeEntry(ByteSink sink, int position) {
    Binary value = values[position];
    sink.writeByte(value == null ? 0 : 1);
    if (value != null) {
      sink.writeBytes(value.getBytesUnsafe());
    }
  }

  @Override
  void readEntry(ByteSource source) {
    if (source.readByte() == 0) {
      addNull();
    } else {
      add(Binary.fromConstantByteArray(source.readBytes()));
    }
  }
}
