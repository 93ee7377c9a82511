package dev.tidemark.candidates;

import java.util.Arrays;

/**
 * The candidates of a key that has few. They lie in one record, in order, and are searched one
 * after the other. One instance serves all keys, so that a key costs no objects.
 */
final class InlineList {
  /** More objects than this are not kept for the next batch. */
  private static final int MAX_KEPT_RUNS = 1 << 10;

  private final Matching matching;

  /** The runs of the list, then candidates for further ones. */
  private Candidate[] runs = new Candidate[0];

  private int length;
  private int size;

  InlineList(Matching matching) {
    this.matching = matching;
    grow(8);
  }

  int size() {
    return size;
  }

  int length() {
    return length;
  }

  Candidate run(int index) {
    return runs[index];
  }

  void clear() {
    length = 0;
    size = 0;
  }

  /** Lets go of the arrays of the candidates. */
  void release() {
    clear();
    if (runs.length > MAX_KEPT_RUNS) {
      runs = new Candidate[0];
      grow(8);
    }
    for (Candidate run : runs) {
      run.release();
    }
  }

  void read(RecordReader reader) {
    clear();
    long candidates = 0;
    do {
      next().read(reader, matching.hasUpsertKey());
      candidates += runs[length++].count;
    } while (reader.remaining() > 0);
    reader.check(candidates <= Integer.MAX_VALUE, "it counts too many candidates");
    size = (int) candidates;
  }

  void write(RecordWriter writer) {
    Candidate.writeAll(runs, length, writer, matching.hasUpsertKey());
  }

  void append(Candidate candidate) {
    if (size > Integer.MAX_VALUE - candidate.count) {
      throw RecordReader.corrupt("head", "it counts too many candidates");
    }
    size += candidate.count;
    if (!matching.hasUpsertKey() && length > 0 && runs[length - 1].payloadEquals(candidate)) {
      runs[length - 1].add(candidate.count);
      return;
    }
    next().set(candidate);
    length++;
  }

  Match replace(Candidate candidate) {
    int index = find(candidate);
    if (index < 0) {
      return Match.NONE;
    }
    runs[index].set(candidate);
    return length == 1 ? Match.ONLY : index == length - 1 ? Match.LAST : Match.OLDER;
  }

  /** What comes up is then {@link #exposed}. */
  Match remove(Candidate candidate) {
    int index = find(candidate);
    return index < 0 ? Match.NONE : removeAt(index);
  }

  void removeFirst() {
    removeAt(0);
  }

  /** The new last candidate; where there is none, the one that was removed. */
  Candidate exposed() {
    return runs[Math.max(0, length - 1)];
  }

  private Match removeAt(int index) {
    size--;
    if (runs[index].count > 1) {
      runs[index].add(-1);
      return Match.OLDER;
    }
    length--;
    if (index == length) {
      return length == 0 ? Match.ONLY : Match.LAST;
    }
    Candidate removed = runs[index];
    System.arraycopy(runs, index + 1, runs, index, length - index);
    runs[length] = removed;
    return Match.OLDER;
  }

  private int find(Candidate candidate) {
    for (int i = 0; i < length; i++) {
      if (matching.equal(runs[i], candidate, false)) {
        return i;
      }
    }
    return -1;
  }

  private Candidate next() {
    if (length == runs.length) {
      grow(2 * length);
    }
    return runs[length];
  }

  private void grow(int capacity) {
    int from = runs.length;
    runs = Arrays.copyOf(runs, capacity);
    for (int i = from; i < capacity; i++) {
      runs[i] = new Candidate();
    }
  }
}
