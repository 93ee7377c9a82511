package dev.tidemark.rocksdb;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Records in few large arrays instead of many small objects: entries one after another in chunks,
 * and an open-addressing index of hash and address. An address is a chunk's number and an offset,
 * 16 bits each; a record that does not fit has a chunk of its own.
 *
 * <p>An entry is: flags and the key's length, the value's length, the room for the value (4 bytes
 * each), key, value. It stays where it is until its value outgrows its room or the arena is
 * compacted.
 */
final class RecordArena {
  /** A longer key is refused. */
  static final int MAX_KEY_BYTES = (1 << 24) - 1;

  /** No address. */
  static final int NONE = -1;

  /** Not what the files have. */
  static final int DIRTY = 1 << 24;

  /** The files have a record of this key, perhaps an older one. */
  static final int BELOW = 1 << 25;

  /** There is no such record: it is removed, or was looked for in vain. */
  static final int REMOVED = 1 << 26;

  /** Changed by the running batch. */
  static final int TOUCHED = 1 << 27;

  /** Touched, and there was such a record before. */
  static final int WAS_LIVE = 1 << 28;

  /** Need not go to the base image under way; or, in the next build, the opposite. */
  static final int IN_BASE = 1 << 29;

  /** Read ahead and not asked for yet. */
  static final int READ_AHEAD = 1 << 30;

  /** The entry is at another address now, or nowhere. */
  static final int DEAD = 1 << 31;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int ENTRY_BYTES = 12;
  private static final int CHUNK_BYTES = 1 << 16;
  private static final int FIRST_CHUNK_BYTES = 512;
  private static final int MAX_CHUNKS = 0xffff;
  private static final long[] NO_SLOTS = new long[1];

  private final MemoryMeter meter;
  private byte[][] chunks = new byte[4][];
  private int[] used = new int[4];
  private int chunkCount;
  private long[] slots = NO_SLOTS;
  private int count;
  private long allocated;
  private long needed;
  private long charged;

  RecordArena(MemoryMeter meter) {
    this.meter = meter;
  }

  int count() {
    return count;
  }

  /** Whether more than half of it would be freed by a copy. */
  boolean isSparse() {
    return allocated > 2 * needed + 4096;
  }

  /** Gives all memory back; the arena is empty then. */
  void clear() {
    chunks = new byte[4][];
    used = new int[4];
    chunkCount = 0;
    slots = NO_SLOTS;
    count = 0;
    allocated = 0;
    needed = 0;
    meter.bytes -= charged;
    charged = 0;
  }

  int find(byte[] array, int offset, int length, long hash) {
    int tag = tag(hash);
    int mask = slots.length - 1;
    for (int i = tag & mask; ; i = (i + 1) & mask) {
      long slot = slots[i];
      if (slot == 0) {
        return NONE;
      }
      if ((int) (slot >>> 32) == tag && keyEquals((int) slot, array, offset, length)) {
        return (int) slot;
      }
    }
  }

  /** Adds a record that is not there. */
  int insert(
      byte[] keyArray,
      int keyAt,
      int keyLength,
      long hash,
      byte[] valueArray,
      int valueAt,
      int valueLength,
      int flags) {
    if (keyLength > MAX_KEY_BYTES) {
      throw new IllegalArgumentException(
          "Cannot store a record: its key has %s bytes (must be <= %s). Use a shorter sink key."
              .formatted(keyLength, MAX_KEY_BYTES));
    }
    int address = allocate(keyLength, valueLength, flags, valueLength);
    byte[] chunk = chunk(address);
    int at = offset(address) + ENTRY_BYTES;
    System.arraycopy(keyArray, keyAt, chunk, at, keyLength);
    System.arraycopy(valueArray, valueAt, chunk, at + keyLength, valueLength);
    addToIndex(hash, address);
    return address;
  }

  int flags(int address) {
    return (int) INT.get(chunk(address), offset(address)) & ~MAX_KEY_BYTES;
  }

  void setFlags(int address, int flags) {
    byte[] chunk = chunk(address);
    int at = offset(address);
    INT.set(chunk, at, ((int) INT.get(chunk, at) & MAX_KEY_BYTES) | flags);
  }

  byte[] chunk(int address) {
    return chunks[address >>> 16];
  }

  int keyAt(int address) {
    return offset(address) + ENTRY_BYTES;
  }

  int keyLength(int address) {
    return (int) INT.get(chunk(address), offset(address)) & MAX_KEY_BYTES;
  }

  int valueLength(int address) {
    return (int) INT.get(chunk(address), offset(address) + 4);
  }

  byte[] key(int address) {
    int at = keyAt(address);
    return Arrays.copyOfRange(chunk(address), at, at + keyLength(address));
  }

  byte[] value(int address) {
    int at = keyAt(address) + keyLength(address);
    return Arrays.copyOfRange(chunk(address), at, at + valueLength(address));
  }

  boolean valueEquals(int address, byte[] value) {
    int length = valueLength(address);
    int at = keyAt(address) + keyLength(address);
    return length == value.length
        && Arrays.equals(chunk(address), at, at + length, value, 0, length);
  }

  long hash(int address) {
    return KeyHash.hash(chunk(address), keyAt(address), keyLength(address));
  }

  /** Sets the value and returns the address, which is a new one if the value did not fit. */
  int setValue(int address, long hash, byte[] value) {
    byte[] chunk = chunk(address);
    int at = offset(address);
    int room = (int) INT.get(chunk, at + 8);
    int keyLength = (int) INT.get(chunk, at) & MAX_KEY_BYTES;
    if (value.length <= room) {
      needed += value.length - (int) INT.get(chunk, at + 4);
      INT.set(chunk, at + 4, value.length);
      System.arraycopy(value, 0, chunk, at + ENTRY_BYTES + keyLength, value.length);
      return address;
    }
    int flags = (int) INT.get(chunk, at) & ~MAX_KEY_BYTES;
    // A value that grew once grows again.
    int newRoom = (int) Math.min(value.length + value.length / 4L, Integer.MAX_VALUE - (1 << 25));
    int moved = allocate(keyLength, value.length, flags, Math.max(newRoom, value.length));
    byte[] target = chunk(moved);
    int targetAt = offset(moved) + ENTRY_BYTES;
    System.arraycopy(chunk, at + ENTRY_BYTES, target, targetAt, keyLength);
    System.arraycopy(value, 0, target, targetAt + keyLength, value.length);
    slots[slotOf(hash, address)] = slot(hash, moved);
    bury(address);
    return moved;
  }

  /** Takes a record out. */
  void unlink(int address, long hash) {
    int mask = slots.length - 1;
    int hole = slotOf(hash, address);
    // Moves back what was pushed on by the record, so that no marks of removed ones are needed.
    for (int i = (hole + 1) & mask; slots[i] != 0; i = (i + 1) & mask) {
      int home = (int) (slots[i] >>> 32) & mask;
      if (((i - home) & mask) >= ((i - hole) & mask)) {
        slots[hole] = slots[i];
        hole = i;
      }
    }
    slots[hole] = 0;
    count--;
    bury(address);
  }

  /** The first entry, dead or not; {@link #NONE} if there is none. */
  int first() {
    return chunkCount == 0 ? NONE : 0;
  }

  /** The entry stored after another; {@link #NONE} after the last. */
  int next(int address) {
    int chunk = address >>> 16;
    int at = offset(address);
    byte[] bytes = chunks[chunk];
    int end =
        at
            + ENTRY_BYTES
            + ((int) INT.get(bytes, at) & MAX_KEY_BYTES)
            + (int) INT.get(bytes, at + 8);
    if (end < used[chunk]) {
      return (chunk << 16) | end;
    }
    return chunk + 1 < chunkCount ? (chunk + 1) << 16 : NONE;
  }

  boolean startsWith(int address, byte[] prefix) {
    int at = keyAt(address);
    return keyLength(address) >= prefix.length
        && Arrays.equals(chunk(address), at, at + prefix.length, prefix, 0, prefix.length);
  }

  /** Copies all records into an empty arena. */
  void copyTo(RecordArena target) {
    target.reserve(count);
    for (int address = first(); address != NONE; address = next(address)) {
      if ((flags(address) & DEAD) == 0) {
        copyTo(address, hash(address), target);
      }
    }
  }

  int copyTo(int address, long hash, RecordArena target) {
    int keyAt = keyAt(address);
    int keyLength = keyLength(address);
    byte[] chunk = chunk(address);
    return target.insert(
        chunk,
        keyAt,
        keyLength,
        hash,
        chunk,
        keyAt + keyLength,
        valueLength(address),
        flags(address));
  }

  private void bury(int address) {
    needed -= ENTRY_BYTES + keyLength(address) + valueLength(address);
    setFlags(address, DEAD);
  }

  private int allocate(int keyLength, int valueLength, int flags, int room) {
    int size = Math.addExact(ENTRY_BYTES + keyLength, room);
    int last = chunkCount - 1;
    if (last < 0 || used[last] >= CHUNK_BYTES || size > chunks[last].length - used[last]) {
      addChunk(size);
      last = chunkCount - 1;
    }
    int at = used[last];
    byte[] chunk = chunks[last];
    INT.set(chunk, at, keyLength | flags);
    INT.set(chunk, at + 4, valueLength);
    INT.set(chunk, at + 8, room);
    used[last] = at + size;
    allocated += size;
    needed += ENTRY_BYTES + keyLength + valueLength;
    return (last << 16) | at;
  }

  private void addChunk(int atLeast) {
    if (chunkCount == MAX_CHUNKS) {
      throw new IllegalStateException(
          "Cannot keep the records of a shard: they take over 4 GiB of memory. Use more shards.");
    }
    if (chunkCount == chunks.length) {
      chunks = Arrays.copyOf(chunks, chunkCount * 2);
      used = Arrays.copyOf(used, chunkCount * 2);
    }
    int usual = (int) Math.min(CHUNK_BYTES, Math.max(FIRST_CHUNK_BYTES, allocated / 2));
    chunks[chunkCount] = new byte[Math.max(usual, atLeast)];
    used[chunkCount] = 0;
    charge(chunks[chunkCount].length + 24);
    chunkCount++;
  }

  private void charge(long bytes) {
    charged += bytes;
    meter.bytes += bytes;
  }

  private void addToIndex(long hash, int address) {
    if (slots == NO_SLOTS || count * 5L >= slots.length * 3L - 1) {
      resize(Math.max(8, slots.length * 2));
    }
    putSlot(slots, slot(hash, address));
    count++;
  }

  private void reserve(int records) {
    int length = Integer.highestOneBit((int) Math.min(1 << 29, Math.max(4, records * 5L / 3))) * 2;
    if (length > slots.length) {
      resize(length);
    }
  }

  private void resize(int length) {
    long[] larger = new long[length];
    for (long slot : slots) {
      if (slot != 0) {
        putSlot(larger, slot);
      }
    }
    charge(8L * (length - (slots == NO_SLOTS ? 0 : slots.length)));
    slots = larger;
  }

  private static void putSlot(long[] slots, long slot) {
    int mask = slots.length - 1;
    int i = (int) (slot >>> 32) & mask;
    while (slots[i] != 0) {
      i = (i + 1) & mask;
    }
    slots[i] = slot;
  }

  private int slotOf(long hash, int address) {
    long wanted = slot(hash, address);
    int mask = slots.length - 1;
    int i = tag(hash) & mask;
    while (slots[i] != wanted) {
      i = (i + 1) & mask;
    }
    return i;
  }

  private boolean keyEquals(int address, byte[] array, int offset, int length) {
    byte[] chunk = chunk(address);
    int at = offset(address);
    return ((int) INT.get(chunk, at) & MAX_KEY_BYTES) == length
        && Arrays.equals(
            chunk, at + ENTRY_BYTES, at + ENTRY_BYTES + length, array, offset, offset + length);
  }

  private static int offset(int address) {
    return address & 0xffff;
  }

  /** Never zero, so that no slot in use is. */
  private static int tag(long hash) {
    return (int) hash | 1 << 31;
  }

  private static long slot(long hash, int address) {
    return ((long) tag(hash) << 32) | (address & 0xffffffffL);
  }
}
