package dev.tidemark.datafile;

/**
 * What the row in hand has for one column: a queue that is filled while the row is checked and
 * emptied while it is written. A column outside lists and maps has at most one entry.
 */
abstract class Track {
  private int size;
  private int next;

  final int size() {
    return size;
  }

  final void clear() {
    size = 0;
    next = 0;
  }

  /** Position of the entry to write next. */
  final int take() {
    return next++;
  }

  /** Position of a new entry; the caller has made room for it. */
  final int append() {
    return size++;
  }

  /** Writes all entries; {@link #read} gives them back. */
  final void write(ByteSink sink) {
    sink.writeVarint(size);
    for (int i = 0; i < size; i++) {
      writeEntry(sink, i);
    }
  }

  final void read(ByteSource source) {
    clear();
    for (int left = source.readCount(); left > 0; left--) {
      readEntry(source);
    }
  }

  abstract void writeEntry(ByteSink sink, int position);

  abstract void readEntry(ByteSource source);
}
