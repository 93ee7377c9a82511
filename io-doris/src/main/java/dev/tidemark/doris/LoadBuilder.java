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
  /** A part and what came of it. */
  private static final class Entry {
    final Part part;
    final BitSet outdone = new BitSet();
    @Nullable ArrowStreamReader reader;
    @Nullable KeyVectors keys;
    @Nullable SequenceVector sequence;

    Entry(Part part) {
      this.part = part;
    }
  }

  private final ShardKey shard;
  private final @Nullable String sequenceColumn;
  private final BufferAllocator allocator;
  private final List<Entry> entries = new ArrayList<>();
  private long bytes;
  private int rows;

  /** Where the keys of all entries are: number of the entry and row, plus one; 0 is free. */
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
    Entry entry = new Entry(part);
    entries.add(entry);
    bytes += part.stream().length;
    rows += part.rows();
    if (entries.size() == 2) {
      indexKeys(entries.get(0), 0);
    }
    if (entries.size() > 1) {
      indexKeys(entry, entries.size() - 1);
    }
  }

  private void indexKeys(Entry entry, int number) {
    long[] hashes = entry.part.hashes();
    reserve(hashes.length);
    int mask = slots.length - 1;
    for (int row = 0; row < hashes.length; row++) {
      int slot = (int) hashes[row] & mask;
      while (slots[slot] != 0 && !isKeyAt(slot, entry, row)) {
        slot = (slot + 1) & mask;
      }
      long at = ((long) number << 32 | row) + 1;
      if (slots[slot] == 0) {
        slots[slot] = at;
        filled++;
      } else if (outdo(entries.get(entryAt(slot)), rowAt(slot), entry, row)) {
        slots[slot] = at;
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

  private boolean isKeyAt(int slot, Entry entry, int row) {
    Entry other = entries.get(entryAt(slot));
    int otherRow = rowAt(slot);
    return other.part.hashes()[otherRow] == entry.part.hashes()[row]
        && keys(other).equal(otherRow, keys(entry), row);
  }

  private int entryAt(int slot) {
    return (int) ((slots[slot] - 1) >>> 32);
  }

  private int rowAt(int slot) {
    return (int) (slots[slot] - 1);
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
        long hash = entries.get((int) ((at - 1) >>> 32)).part.hashes()[(int) (at - 1)];
        int slot = (int) hash & mask;
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
      entry.reader = IpcStreams.open(entry.part.stream(), allocator);
    }
    return IpcStreams.root(entry.reader).getFieldVectors();
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
      byte[] stream = IpcStreams.write(root.getSchema(), vectors, chosen.length);
      int deletes = BodyRows.deletes(vectors);
      return new Part(entry.part.columns(), chosen.length, deletes, new long[0], stream);
    }
  }

  private VectorSchemaRoot root(Entry entry) {
    vectors(entry);
    return IpcStreams.root(entry.reader);
  }

  /** Lets go of what was opened. */
  @Override
  public void close() {
    for (Entry entry : entries) {
      if (entry.reader != null) {
        IpcStreams.close(entry.reader);
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
