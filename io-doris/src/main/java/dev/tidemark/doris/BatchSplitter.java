package dev.tidemark.doris;

import com.google.common.collect.ImmutableList;
import dev.tidemark.change.ChangeKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Cuts a batch into parts of loads, one for each shard, with the last row of each key. Where all
 * rows of a batch go one way, its buffers are written as they are.
 */
final class BatchSplitter {
  /** Takes parts. */
  @FunctionalInterface
  interface Parts {
    void part(ShardKey shard, Part part);
  }

  private final LoadPlan plan;
  private final RowFilter filter;
  private final ImmutableList<ShardKey> shards;
  private final BufferAllocator allocator;
  private final ImmutableList<String> columnNames;

  /** Where the next batch of a table without a key goes. */
  private int nextShard;

  private long outdone;

  BatchSplitter(LoadPlan plan, WriteSettings settings, BufferAllocator allocator) {
    this.plan = plan;
    this.filter = new RowFilter(plan, settings.rules().datetimeEncoding());
    this.shards = settings.shards().keysOf(plan.table());
    this.allocator = allocator;
    this.columnNames =
        plan.loadSchema().getFields().stream()
            .map(field -> field.getName())
            .collect(ImmutableList.toImmutableList());
  }

  /**
   * Hands over the parts of a batch.
   *
   * @param vectors of the plan's columns in their order
   * @param owned whether the vectors may be changed in place
   * @param kinds codes of {@link ChangeKind}, or null if all rows are upserts
   */
  void split(
      List<FieldVector> vectors,
      boolean owned,
      byte @Nullable [] kinds,
      int rows,
      RowFilter.Rejections rejections,
      Parts parts) {
    List<FieldVector> copies = new ArrayList<>();
    try {
      List<FieldVector> writable =
          owned ? vectors : filter.writable(vectors, kinds, rows, allocator, copies);
      splitWritable(writable, kinds, rows, rejections, parts);
    } finally {
      copies.forEach(FieldVector::close);
    }
  }

  private void splitWritable(
      List<FieldVector> vectors,
      byte @Nullable [] kinds,
      int rows,
      RowFilter.Rejections rejections,
      Parts parts) {
    BitSet selected = filter.select(vectors, kinds, rows, rejections);
    if (selected.isEmpty()) {
      return;
    }
    if (!plan.keyed()) {
      ShardKey shard = shards.get(nextShard);
      nextShard = (nextShard + 1) % shards.size();
      parts.part(shard, part(vectors, kinds, rows, rowsOf(selected, rows), null));
      return;
    }
    KeyVectors keys = KeyVectors.of(vectors, plan.key());
    long[] hashes = keys.hashes(rows);
    keepLast(vectors, keys, hashes, selected);
    if (shards.size() == 1) {
      parts.part(shards.get(0), part(vectors, kinds, rows, rowsOf(selected, rows), hashes));
      return;
    }
    int[][] byShard = byShard(hashes, selected);
    for (int shard = 0; shard < byShard.length; shard++) {
      if (byShard[shard].length > 0) {
        parts.part(shards.get(shard), part(vectors, kinds, rows, byShard[shard], hashes));
      }
    }
  }

  /** Rows since the last call that were left out, as a later one had their key. */
  long takeOutdone() {
    long taken = outdone;
    outdone = 0;
    return taken;
  }

  /** Of rows with equal keys, only the last one stays: the later, or the one of higher sequence. */
  private void keepLast(
      List<FieldVector> vectors, KeyVectors keys, long[] hashes, BitSet selected) {
    SequenceVector sequence =
        plan.sequence() < 0 ? null : SequenceVector.of(vectors.get(plan.sequence()));
    int mask = Integer.highestOneBit(Math.max(8, 2 * selected.cardinality() - 1)) * 2 - 1;
    int[] slots = new int[mask + 1];
    Arrays.fill(slots, -1);
    for (int row = selected.nextSetBit(0); row >= 0; row = selected.nextSetBit(row + 1)) {
      int slot = (int) hashes[row] & mask;
      while (slots[slot] >= 0
          && (hashes[slots[slot]] != hashes[row] || !keys.equal(row, keys, slots[slot]))) {
        slot = (slot + 1) & mask;
      }
      int other = slots[slot];
      if (other < 0) {
        slots[slot] = row;
      } else if (sequence != null && sequence.valueOf(other) > sequence.valueOf(row)) {
        selected.clear(row);
        outdone++;
      } else {
        selected.clear(other);
        slots[slot] = row;
        outdone++;
      }
    }
  }

  private int[][] byShard(long[] hashes, BitSet selected) {
    int[] counts = new int[shards.size()];
    for (int row = selected.nextSetBit(0); row >= 0; row = selected.nextSetBit(row + 1)) {
      counts[shardOf(hashes[row])]++;
    }
    int[][] byShard = new int[counts.length][];
    for (int shard = 0; shard < counts.length; shard++) {
      byShard[shard] = new int[counts[shard]];
    }
    int[] filled = new int[counts.length];
    for (int row = selected.nextSetBit(0); row >= 0; row = selected.nextSetBit(row + 1)) {
      int shard = shardOf(hashes[row]);
      byShard[shard][filled[shard]++] = row;
    }
    return byShard;
  }

  /** By the upper bits; the lower ones find keys within a shard. */
  private int shardOf(long hash) {
    return (int) (((hash >>> 32) * shards.size()) >>> 32);
  }

  /** The rows, or null if they are all. */
  private static int @Nullable [] rowsOf(BitSet selected, int rows) {
    return selected.cardinality() == rows ? null : selected.stream().toArray();
  }

  private Part part(
      List<FieldVector> vectors,
      byte @Nullable [] kinds,
      int rows,
      int @Nullable [] chosen,
      long @Nullable [] hashes) {
    if (chosen == null || chosen.length == rows) {
      return write(vectors, kinds, rows, hashes);
    }
    try (VectorSchemaRoot gathered = Gathering.rows(vectors, rows, chosen, allocator)) {
      return write(
          gathered.getFieldVectors(),
          kinds == null ? null : of(kinds, chosen),
          chosen.length,
          hashes == null ? null : of(hashes, chosen));
    }
  }

  private Part write(
      List<FieldVector> vectors, byte @Nullable [] kinds, int rows, long @Nullable [] hashes) {
    filter.shift(vectors);
    try (TinyIntVector signs = new TinyIntVector(LoadPlan.DELETE_SIGN, allocator)) {
      List<FieldVector> written = new ArrayList<>(vectors);
      int deletes = 0;
      if (plan.deleteSign()) {
        deletes = setSigns(signs, kinds, rows);
        written.add(signs);
      }
      byte[] stream = BatchStreams.write(plan.loadSchema(), written, rows);
      return hashes == null
          ? Part.appended(columnNames, rows, stream)
          : new Part(columnNames, rows, deletes, hashes, stream);
    }
  }

  private static int setSigns(TinyIntVector signs, byte @Nullable [] kinds, int rows) {
    signs.allocateNew(rows);
    ArrowBuf data = signs.getDataBuffer();
    data.setZero(0, rows);
    ArrowBuf present = signs.getValidityBuffer();
    present.setZero(0, present.capacity());
    present.setOne(0L, (long) (rows / Byte.SIZE));
    for (int row = rows / Byte.SIZE * Byte.SIZE; row < rows; row++) {
      BitVectorHelper.setBit(present, row);
    }
    int deletes = 0;
    for (int row = 0; kinds != null && row < rows; row++) {
      if (kinds[row] == ChangeKind.DELETE.code()) {
        data.setByte(row, 1);
        deletes++;
      }
    }
    signs.setValueCount(rows);
    return deletes;
  }

  private static long[] of(long[] hashes, int[] chosen) {
    long[] some = new long[chosen.length];
    for (int i = 0; i < chosen.length; i++) {
      some[i] = hashes[chosen[i]];
    }
    return some;
  }

  private static byte[] of(byte[] kinds, int[] chosen) {
    byte[] some = new byte[chosen.length];
    for (int i = 0; i < chosen.length; i++) {
      some[i] = kinds[chosen[i]];
    }
    return some;
  }
}
