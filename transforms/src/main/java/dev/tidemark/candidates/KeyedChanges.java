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
    return ChangeKind.ofCode(flags[index] & KIND_MASK);
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
    return new Builder(new byte[Builder.FIRST_BYTES], 0, Builder.FIRST_CHANGES);
  }

  /**
   * A builder of changes that lie in an array already, one behind the other from its beginning, as
   * in {@link #data}. They are not copied; the array belongs to the builder.
   *
   * @param changes for how many of them to have room at once
   */
  public static Builder over(byte[] data, int changes) {
    return new Builder(data, data.length, changes);
  }

  /** Collects changes. May be used again after {@link #build}. */
  public static final class Builder {
    private static final int FIRST_BYTES = 1024;
    private static final int FIRST_CHANGES = 16;

    private byte[] data;

    /** Where the bytes end that are there, and where those of the changes so far do. */
    private int filled;

    private int end;
    private int size;
    private byte[] flags;
    private int[] offsets;

    private Builder(byte[] data, int filled, int changes) {
      this.data = data;
      this.filled = filled;
      this.flags = new byte[changes];
      this.offsets = new int[changes * STRIDE];
    }

    /** The number of changes so far. */
    public int size() {
      return size;
    }

    /** The bytes of all changes so far. */
    public int bytes() {
      return end;
    }

    /** The memory that this builder holds on to, in bytes. */
    public long heldBytes() {
      return data.length + flags.length + (long) Integer.BYTES * offsets.length;
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
      append(key);
      if (identity != null) {
        append(identity);
      }
      append(payload);
      append(context);
      return addNext(
          kind,
          complete,
          key.length,
          identity == null ? -1 : identityLength,
          payload.length,
          context.length);
    }

    /**
     * Adds a change whose key, identity, payload and context lie one behind the other at the
     * beginning of an array.
     *
     * @param identityLength -1 if the payload is the identity
     * @throws IndexOutOfBoundsException if they do not lie in the array
     */
    public Builder add(
        ChangeKind kind,
        boolean complete,
        byte[] bytes,
        int keyLength,
        int identityLength,
        int payloadLength,
        int contextLength) {
      int length = length(keyLength, identityLength, payloadLength, contextLength);
      Objects.checkFromIndexSize(0, length, bytes.length);
      reserve(length);
      System.arraycopy(bytes, 0, data, filled, length);
      filled += length;
      return addNext(kind, complete, keyLength, identityLength, payloadLength, contextLength);
    }

    /**
     * Adds the change whose key, identity, payload and context lie next in the array of {@link
     * #over}.
     *
     * @param identityLength -1 if the payload is the identity
     * @throws IndexOutOfBoundsException if they do not lie in the array
     */
    public Builder addNext(
        ChangeKind kind,
        boolean complete,
        int keyLength,
        int identityLength,
        int payloadLength,
        int contextLength) {
      Objects.checkFromIndexSize(
          end, length(keyLength, identityLength, payloadLength, contextLength), filled);
      reserve(0);
      flags[size] = (byte) (kind.code() | (complete ? COMPLETE : 0));
      int at = size * STRIDE;
      offsets[at] = end;
      offsets[at + 1] = end + keyLength;
      offsets[at + 2] = identityLength;
      offsets[at + 3] = offsets[at + 1] + Math.max(0, identityLength);
      offsets[at + 4] = offsets[at + 3] + payloadLength;
      offsets[at + 5] = offsets[at + 4] + contextLength;
      end = offsets[at + 5];
      size++;
      return this;
    }

    /** Adds a change of another batch. */
    public Builder add(KeyedChanges other, int index) {
      int from = other.keyOffset(index);
      int length = other.contextOffset(index) + other.contextLength(index) - from;
      reserve(length);
      System.arraycopy(other.data, from, data, filled, length);
      filled += length;
      return addNext(
          other.kind(index),
          other.complete(index),
          other.keyLength(index),
          other.hasIdentity(index) ? other.identityLength(index) : -1,
          other.payloadLength(index),
          other.contextLength(index));
    }

    /** The changes added since the last call. */
    public KeyedChanges build() {
      boolean exact = end == data.length;
      KeyedChanges changes =
          new KeyedChanges(
              exact ? data : Arrays.copyOf(data, end),
              size,
              size == flags.length ? flags : Arrays.copyOf(flags, size),
              size == flags.length ? offsets : Arrays.copyOf(offsets, size * STRIDE));
      if (exact) {
        data = new byte[FIRST_BYTES];
      }
      if (size == flags.length) {
        flags = new byte[FIRST_CHANGES];
        offsets = new int[FIRST_CHANGES * STRIDE];
      }
      filled = 0;
      end = 0;
      size = 0;
      return changes;
    }

    private static int length(
        int keyLength, int identityLength, int payloadLength, int contextLength) {
      return Math.addExact(
          Math.addExact(keyLength, Math.max(0, identityLength)),
          Math.addExact(payloadLength, contextLength));
    }

    private void append(byte[] bytes) {
      System.arraycopy(bytes, 0, data, filled, bytes.length);
      filled += bytes.length;
    }

    private void reserve(int bytes) {
      if (data.length - filled < bytes) {
        data = Arrays.copyOf(data, Math.max(Math.addExact(filled, bytes), 2 * data.length));
      }
      if (size == flags.length) {
        int room = Math.max(2 * size, FIRST_CHANGES);
        flags = Arrays.copyOf(flags, room);
        offsets = Arrays.copyOf(offsets, room * STRIDE);
      }
    }
  }
}
