package dev.tidemark.doris;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Joins parts to one load in which each key is once. Equal keys are found by their hashes when the
 * load is complete; a part is only opened where hashes are equal, and only written again where rows
 * of it are outdone.
 */
final class LoadBuilder implements AutoCloseable {
  private static final long UPPER_HALF = -1L << Integer.SIZE;

  /** Of which the table stays in a processor's fastest cache. */
  private static final int PARTITION_ROWS = 1 << 10;

  private static final int MOST_PARTITIONS = 1 << 11;

  /** A part and what came of it. */
  private static final class Entry {
    final Part part;

    /** Rows of the entries before it. */
    final int firstRow;

    final BitSet outdone = new BitSet();
    @Nullable ArrowStreamReader reader;
    @Nullable KeyVectors keys;
    @Nullable SequenceVector sequence;

    Entry(Part part, int firstRow) {
      this.part = part;
      this.firstRow = firstRow;
    }
  }

  private final ShardKey shard;
  private final @Nullable String sequenceColumn;
  private final BufferAllocator allocator;
  private final List<Entry> entries = new ArrayList<>();
  private long bytes;
  private int rows;

  LoadBuilder(ShardKey shard, @Nullable String sequenceColumn, BufferAllocator allocator) {
    this.shard = shard;
    this.sequenceColumn = sequenceColumn;
    this.allocator = allocator;
  }

  /** Of the parts as they came. */
  long bytes() {
    return bytes;
  }

  /** Of the parts as they came. */
  int rows() {
    return rows;
  }

  /** Whether a part has the columns of those before it, and so can be in a load with them. */
  boolean takes(Part part) {
    return entries.isEmpty() || entries.get(0).part.columns().equals(part.columns());
  }

  void add(Part part) {
    entries.add(new Entry(part, rows));
    bytes += part.stream().length;
    rows += part.rows();
  }

  /**
   * Marks all rows but the last one of each key. One table of all keys would miss the cache with
   * each row; rows are therefore put in partitions by the lower half of their hashes first.
   */
  private void markOutdone() {
    if (entries.size() < 2 || entries.get(0).part.hashes().length == 0) {
      return;
    }
    int partitions =
        Math.min(Integer.highestOneBit(Math.max(1, rows / PARTITION_ROWS)), MOST_PARTITIONS);
    int[] ends = new int[partitions];
    long[] partitioned = partition(ends);
    long[] slots = {};
    int start = 0;
    for (int end : ends) {
      int length = Integer.highestOneBit(Math.max(8, 2 * (end - start) - 1)) * 2;
      if (slots.length < length) {
        slots = new long[length];
      } else {
        Arrays.fill(slots, 0, length, 0);
      }
      markOutdone(partitioned, start, end, slots, length - 1);
      start = end;
    }
  }

  /**
   * Rows by partition, in their order: the upper half of the hash, then the number of the row in
   * all entries, plus one.
   *
   * @param ends takes where each partition ends
   */
  private long[] partition(int[] ends) {
    int mask = ends.length - 1;
    int[] next = new int[ends.length + 1];
    for (Entry entry : entries) {
      for (long hash : entry.part.hashes()) {
        next[((int) hash & mask) + 1]++;
      }
    }
    for (int i = 0; i < ends.length; i++) {
      next[i + 1] += next[i];
      ends[i] = next[i + 1];
    }
    long[] partitioned = new long[rows];
    int number = 0;
    for (Entry entry : entries) {
      for (long hash : entry.part.hashes()) {
        partitioned[next[(int) hash & mask]++] = (hash & UPPER_HALF) | ++number;
      }
    }
    return partitioned;
  }

  private void markOutdone(long[] partitioned, int start, int end, long[] slots, int mask) {
    for (int i = start; i < end; i++) {
      long at = partitioned[i];
      int slot = (int) (at >>> Integer.SIZE) & mask;
      long found = slots[slot];
      while (found != 0 && !sameKey(found, at)) {
        slot = (slot + 1) & mask;
        found = slots[slot];
      }
      if (found == 0 || outdo(found, at)) {
        slots[slot] = at;
      }
    }
  }

  /** Marks the row that is not the last of its key; returns whether the new one is the last. */
  private boolean outdo(long found, long at) {
    Entry earlier = entryAt(found);
    Entry later = entryAt(at);
    int earlierRow = rowAt(found, earlier);
    int laterRow = rowAt(at, later);
    if (sequenceColumn != null
        && sequence(earlier).valueOf(earlierRow) > sequence(later).valueOf(laterRow)) {
      later.outdone.set(laterRow);
      return false;
    }
    earlier.outdone.set(earlierRow);
    return true;
  }

  private boolean sameKey(long found, long at) {
    if (((found ^ at) & UPPER_HALF) != 0) {
      return false;
    }
    Entry entry = entryAt(found);
    Entry other = entryAt(at);
    int row = rowAt(found, entry);
    int otherRow = rowAt(at, other);
    return entry.part.hashes()[row] == other.part.hashes()[otherRow]
        && keys(entry).equal(row, keys(other), otherRow);
  }

  private Entry entryAt(long at) {
    int number = (int) at - 1;
    int low = 0;
    int high = entries.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (entries.get(middle).firstRow <= number) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return entries.get(low);
  }

  private static int rowAt(long at, Entry entry) {
    return (int) at - 1 - entry.firstRow;
  }

  private KeyVectors keys(Entry entry) {
    if (entry.keys == null) {
      entry.keys = KeyVectors.of(vectors(entry), positions(entry.part.columns()));
    }
    return entry.keys;
  }

  private SequenceVector sequence(Entry entry) {
    if (entry.sequence == null) {
      entry.sequence =
          SequenceVector.of(vectors(entry).get(position(entry.part.columns(), sequenceColumn)));
    }
    return entry.sequence;
  }

  private List<FieldVector> vectors(Entry entry) {
    if (entry.reader == null) {
      entry.reader = BatchStreams.open(entry.part.stream(), allocator);
    }
    return BatchStreams.root(entry.reader).getFieldVectors();
  }

  private int[] positions(ImmutableList<String> columns) {
    return shard.table().key().stream().mapToInt(name -> position(columns, name)).toArray();
  }

  private static int position(ImmutableList<String> columns, @Nullable String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).equalsIgnoreCase(name)) {
        return i;
      }
    }
    throw new IllegalStateException("Cannot find column " + name + " among " + columns);
  }

  /** The load; the builder is closed then. */
  LoadBody build(long epoch) {
    markOutdone();
    int left = 0;
    int deletes = 0;
    List<byte[]> streams = new ArrayList<>();
    for (Entry entry : entries) {
      int outdone = entry.outdone.cardinality();
      left += entry.part.rows() - outdone;
      if (outdone == 0) {
        deletes += entry.part.deletes();
        streams.add(entry.part.stream());
      } else if (outdone < entry.part.rows()) {
        Part rewritten = rewrite(entry);
        deletes += rewritten.deletes();
        streams.add(rewritten.stream());
      }
    }
    LoadBody body = new LoadBody(epoch, entries.get(0).part.columns(), left, deletes, streams);
    close();
    return body;
  }

  private Part rewrite(Entry entry) {
    VectorSchemaRoot root = root(entry);
    BitSet kept = new BitSet();
    kept.set(0, entry.part.rows());
    kept.andNot(entry.outdone);
    int[] chosen = kept.stream().toArray();
    try (VectorSchemaRoot gathered =
        Gathering.rows(root.getFieldVectors(), root.getRowCount(), chosen, allocator)) {
      List<FieldVector> vectors = gathered.getFieldVectors();
      byte[] stream = BatchStreams.write(root.getSchema(), vectors, chosen.length);
      int deletes = BodyRows.deletes(vectors);
      return new Part(entry.part.columns(), chosen.length, deletes, new long[0], stream);
    }
  }

  private VectorSchemaRoot root(Entry entry) {
    vectors(entry);
    return BatchStreams.root(entry.reader);
  }

  /** Lets go of what was opened. */
  @Override
  public void close() {
    for (Entry entry : entries) {
      if (entry.reader != null) {
        BatchStreams.close(entry.reader);
        entry.reader = null;
      }
    }
    entries.clear();
    bytes = 0;
    rows = 0;
  }
}
