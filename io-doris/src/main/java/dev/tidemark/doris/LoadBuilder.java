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
 * Joins parts to one load in which each key is once. Keys are found by their hashes; a part is only
 * opened where hashes are equal, and only written again where rows of it are outdone.
 */
final class LoadBuilder implements AutoCloseable {
  private static final long UPPER_HALF = -1L << Integer.SIZE;

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

  /**
   * Where the keys of all entries are: the upper half of the hash, then the number of the row in
   * all entries, plus one; 0 is free. The upper half's bits also choose the slot, so that rows are
   * only looked at where these halves are equal.
   */
  private long[] slots = {};

  private int filled;

  LoadBuilder(ShardKey shard, @Nullable String sequenceColumn, BufferAllocator allocator) {
    this.shard = shard;
    this.sequenceColumn = sequenceColumn;
    this.allocator = allocator;
  }

  boolean isEmpty() {
    return entries.isEmpty();
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
    Entry entry = new Entry(part, rows);
    entries.add(entry);
    bytes += part.stream().length;
    rows += part.rows();
    if (entries.size() == 2) {
      indexKeys(entries.get(0));
    }
    if (entries.size() > 1) {
      indexKeys(entry);
    }
  }

  private void indexKeys(Entry entry) {
    long[] hashes = entry.part.hashes();
    reserve(hashes.length);
    long[] table = slots;
    int mask = table.length - 1;
    for (int row = 0; row < hashes.length; row++) {
      long hash = hashes[row];
      int slot = (int) (hash >>> Integer.SIZE) & mask;
      long found = table[slot];
      while (found != 0 && !isKeyAt(found, entry, row)) {
        slot = (slot + 1) & mask;
        found = table[slot];
      }
      long at = (hash & UPPER_HALF) | (entry.firstRow + row + 1);
      if (found == 0) {
        table[slot] = at;
        filled++;
      } else {
        Entry earlier = entryAt(found);
        if (outdo(earlier, rowAt(found, earlier), entry, row)) {
          table[slot] = at;
        }
      }
    }
  }

  /** Marks the row that is not the last of its key; returns whether the new one is the last. */
  private boolean outdo(Entry earlier, int earlierRow, Entry later, int laterRow) {
    if (sequenceColumn != null
        && sequence(earlier).valueOf(earlierRow) > sequence(later).valueOf(laterRow)) {
      later.outdone.set(laterRow);
      return false;
    }
    earlier.outdone.set(earlierRow);
    return true;
  }

  private boolean isKeyAt(long found, Entry entry, int row) {
    long hash = entry.part.hashes()[row];
    if (((found ^ hash) & UPPER_HALF) != 0) {
      return false;
    }
    Entry other = entryAt(found);
    int otherRow = rowAt(found, other);
    return other.part.hashes()[otherRow] == hash && keys(other).equal(otherRow, keys(entry), row);
  }

  private Entry entryAt(long found) {
    int number = (int) found - 1;
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

  private static int rowAt(long found, Entry entry) {
    return (int) found - 1 - entry.firstRow;
  }

  private void reserve(int more) {
    int needed = filled + more;
    if (slots.length >= 2L * needed) {
      return;
    }
    long[] old = slots;
    slots = new long[Integer.highestOneBit(Math.max(8, needed) * 2) * 2];
    int mask = slots.length - 1;
    for (long at : old) {
      if (at != 0) {
        int slot = (int) (at >>> Integer.SIZE) & mask;
        while (slots[slot] != 0) {
          slot = (slot + 1) & mask;
        }
        slots[slot] = at;
      }
    }
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
    Arrays.fill(slots, 0);
    filled = 0;
    bytes = 0;
    rows = 0;
  }
}
