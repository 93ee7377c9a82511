package dev.tidemark.candidates;

import dev.tidemark.change.ChangeKind;
import java.util.Arrays;
import java.util.Objects;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Changes to the keys of one shard, in order of arrival, as bytes. Each has
 *
 * <ul>
 *   <li>a kind, which only decides between addition and retraction;
 *   <li>a sink key;
 *   <li>an identity, by which a retraction finds its candidate: the input upsert key, or the
 *       payload itself where there is none;
 *   <li>a payload: the row. A retraction may carry an incomplete one; where its payload would be
 *       emitted, that of the candidate is emitted instead;
 *   <li>a context, which is not kept: it belongs to this change, not to the row.
 * </ul>
 *
 * <p>All bytes lie in one array. Offsets and lengths refer to it.
 */
public final class KeyedChanges {
  private static final int COMPLETE = 0x04;
  private static final int KIND_MASK = 0x03;
  private static final int STRIDE = 6;
  private static final ChangeKind[] KINDS = {
    ChangeKind.INSERT, ChangeKind.UPDATE_BEFORE, ChangeKind.UPDATE_AFTER, ChangeKind.DELETE
  };

  private final byte[] data;
  private final int size;
  private final byte[] flags;

  /**
   * For each change: key offset, identity offset and length, payload offset, context offset, end.
   */
  private final int[] offsets;

  private KeyedChanges(byte[] data, int size, byte[] flags, int[] offsets) {
    this.data = data;
    this.size = size;
    this.flags = flags;
    this.offsets = offsets;
  }

  /** The number of changes. */
  public int size() {
    return size;
  }

  /** The array that all offsets refer to; not to be changed. */
  public byte[] data() {
    return data;
  }

  /** The kind of a change. */
  public ChangeKind kind(int index) {
    return KINDS[flags[index] & KIND_MASK];
  }

  /** Whether the payload of a change is the whole row. */
  public boolean complete(int index) {
    return (flags[index] & COMPLETE) != 0;
  }

  /** Where the sink key of a change begins. */
  public int keyOffset(int index) {
    return offsets[index * STRIDE];
  }

  /** How long the sink key of a change is. */
  public int keyLength(int index) {
    return offsets[index * STRIDE + 1] - offsets[index * STRIDE];
  }

  /** Where the identity of a change begins. */
  public int identityOffset(int index) {
    return hasIdentity(index) ? offsets[index * STRIDE + 1] : payloadOffset(index);
  }

  /** How long the identity of a change is. */
  public int identityLength(int index) {
    return hasIdentity(index) ? offsets[index * STRIDE + 2] : payloadLength(index);
  }

  /** Where the payload of a change begins. */
  public int payloadOffset(int index) {
    return offsets[index * STRIDE + 3];
  }

  /** How long the payload of a change is. */
  public int payloadLength(int index) {
    return offsets[index * STRIDE + 4] - offsets[index * STRIDE + 3];
  }

  /** Where the context of a change begins. */
  public int contextOffset(int index) {
    return offsets[index * STRIDE + 4];
  }

  /** How long the context of a change is. */
  public int contextLength(int index) {
    return offsets[index * STRIDE + 5] - offsets[index * STRIDE + 4];
  }

  /** Whether a change has an identity of its own; otherwise its payload is the identity. */
  public boolean hasIdentity(int index) {
    return offsets[index * STRIDE + 2] >= 0;
  }

  /** A builder. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects changes. May be used again after {@link #build}. */
  public static final class Builder {
    private byte[] data = new byte[1024];
    private int end;
    private int size;
    private byte[] flags = new byte[16];
    private int[] offsets = new int[16 * STRIDE];

    private Builder() {}

    /** The number of changes so far. */
    public int size() {
      return size;
    }

    /** The bytes of all changes so far. */
    public int bytes() {
      return end;
    }

    /**
     * Adds a change.
     *
     * @param identity null if the payload is the identity
     * @param complete whether the payload is the whole row
     * @param context bytes that travel with this change, possibly none
     */
    public Builder add(
        ChangeKind kind,
        byte[] key,
        byte @Nullable [] identity,
        byte[] payload,
        boolean complete,
        byte[] context) {
      int identityLength = identity == null ? 0 : identity.length;
      reserve(key.length + identityLength + payload.length + context.length);
      flags[size] = (byte) (kindBits(kind) | (complete ? COMPLETE : 0));
      int at = size * STRIDE;
      offsets[at] = end;
      append(key);
      offsets[at + 1] = end;
      offsets[at + 2] = identity == null ? -1 : identityLength;
      if (identity != null) {
        append(identity);
      }
      offsets[at + 3] = end;
      append(payload);
      offsets[at + 4] = end;
      append(context);
      offsets[at + 5] = end;
      size++;
      return this;
    }

    /**
     * Adds a change whose key, identity, payload and context lie behind each other in an array, as
     * they do in {@link KeyedChanges#data()}.
     *
     * @param lengths of key, identity (-1 if the payload is the identity), payload and context
     * @throws IndexOutOfBoundsException if they do not lie in the array
     */
    public Builder add(
        ChangeKind kind, boolean complete, byte[] source, int offset, int... lengths) {
      int identityLength = Math.max(0, lengths[1]);
      int length =
          Math.addExact(
              Math.addExact(lengths[0], identityLength), Math.addExact(lengths[2], lengths[3]));
      Objects.checkFromIndexSize(offset, length, source.length);
      reserve(length);
      flags[size] = (byte) (kindBits(kind) | (complete ? COMPLETE : 0));
      int at = size * STRIDE;
      offsets[at] = end;
      offsets[at + 1] = end + lengths[0];
      offsets[at + 2] = lengths[1];
      offsets[at + 3] = end + lengths[0] + identityLength;
      offsets[at + 4] = offsets[at + 3] + lengths[2];
      offsets[at + 5] = offsets[at + 4] + lengths[3];
      System.arraycopy(source, offset, data, end, length);
      end += length;
      size++;
      return this;
    }

    /** Adds a change of another batch. */
    public Builder add(KeyedChanges other, int index) {
      return add(
          other.kind(index),
          other.complete(index),
          other.data(),
          other.keyOffset(index),
          other.keyLength(index),
          other.hasIdentity(index) ? other.identityLength(index) : -1,
          other.payloadLength(index),
          other.contextLength(index));
    }

    /** The changes added since the last call. */
    public KeyedChanges build() {
      KeyedChanges changes =
          new KeyedChanges(
              Arrays.copyOf(data, end),
              size,
              Arrays.copyOf(flags, size),
              Arrays.copyOf(offsets, size * STRIDE));
      end = 0;
      size = 0;
      return changes;
    }

    private static int kindBits(ChangeKind kind) {
      for (int i = 0; i < KINDS.length; i++) {
        if (KINDS[i] == kind) {
          return i;
        }
      }
      throw new AssertionError(kind);
    }

    private void append(byte[] bytes) {
      System.arraycopy(bytes, 0, data, end, bytes.length);
      end += bytes.length;
    }

    private void reserve(int bytes) {
      if (data.length - end < bytes) {
        data = Arrays.copyOf(data, Math.max(Math.addExact(end, bytes), 2 * data.length));
      }
      if (size == flags.length) {
        flags = Arrays.copyOf(flags, 2 * size);
        offsets = Arrays.copyOf(offsets, 2 * size * STRIDE);
      }
    }
  }
}
