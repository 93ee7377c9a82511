package dev.tidemark.upsert;

import dev.tidemark.candidates.KeyedChanges;
import dev.tidemark.change.ChangeKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.util.VarInt;

/**
 * Encodes {@link KeyedChanges}.
 *
 * <p>Version 1: version byte, number of changes as a varint, for each change a head, then the bytes
 * of all changes. A head is a byte (kind in bits 0-1, bit 2: the payload is the whole row, bit 3:
 * has an identity of its own) and the lengths of key, identity (only if it has one), payload and
 * context as varints. The bytes of a change are key, identity, payload and context. Deterministic.
 */
public final class KeyedChangesCoder extends AtomicCoder<KeyedChanges> {
  private static final int VERSION = 1;
  private static final int KIND_MASK = 0x03;
  private static final int COMPLETE = 0x04;
  private static final int HAS_IDENTITY = 0x08;
  private static final int LENGTHS = 4;

  /** The least that a change takes: a byte, and a byte for each of three lengths. */
  private static final int LEAST_HEAD = 4;

  private static final int FIRST_ROOM = 1024;

  private static final KeyedChangesCoder INSTANCE = new KeyedChangesCoder();

  private KeyedChangesCoder() {}

  /** The coder. */
  public static KeyedChangesCoder of() {
    return INSTANCE;
  }

  @Override
  public void encode(KeyedChanges changes, OutputStream out) throws IOException {
    out.write(VERSION);
    int size = changes.size();
    VarInt.encode(size, out);
    for (int i = 0; i < size; i++) {
      boolean identity = changes.hasIdentity(i);
      out.write(
          changes.kind(i).code()
              | (changes.complete(i) ? COMPLETE : 0)
              | (identity ? HAS_IDENTITY : 0));
      VarInt.encode(changes.keyLength(i), out);
      if (identity) {
        VarInt.encode(changes.identityLength(i), out);
      }
      VarInt.encode(changes.payloadLength(i), out);
      VarInt.encode(changes.contextLength(i), out);
    }
    if (size > 0) {
      int last = size - 1;
      int start = changes.keyOffset(0);
      int end = changes.contextOffset(last) + changes.contextLength(last);
      out.write(changes.data(), start, end - start);
    }
  }

  @Override
  public KeyedChanges decode(InputStream in) throws IOException {
    int version = in.read();
    if (version != VERSION) {
      throw new CoderException(
          String.format(
              "Cannot decode changes: version %d is not known (must be %d). Run the release that wrote them, or a newer one",
              version, VERSION));
    }
    int size = VarInt.decodeInt(in);
    if (size < 0) {
      throw new CoderException("Cannot decode changes: bad number " + size);
    }
    Heads heads = Heads.read(size, in);
    byte[] data = in.readNBytes(heads.bytes);
    if (data.length < heads.bytes) {
      throw new CoderException(
          String.format(
              "Cannot decode changes: they end after %d of %d bytes", data.length, heads.bytes));
    }
    return heads.changes(data);
  }

  /** The heads of a batch; room for them grows as they are read, whatever their number claims. */
  private static final class Heads {
    private final int size;
    private byte[] flags;
    private int[] lengths;
    private int bytes;

    private Heads(int size) {
      this.size = size;
      int room = Math.min(size, FIRST_ROOM);
      this.flags = new byte[room];
      this.lengths = new int[room * LENGTHS];
    }

    static Heads read(int size, InputStream in) throws IOException {
      Heads heads = new Heads(size);
      long bytes = 0;
      for (int i = 0; i < size; i++) {
        bytes += heads.readHead(i, in);
        if (bytes > Integer.MAX_VALUE - LEAST_HEAD) {
          throw new CoderException("Cannot decode changes: they are longer than 2 GiB");
        }
      }
      heads.bytes = (int) bytes;
      return heads;
    }

    private long readHead(int index, InputStream in) throws IOException {
      if (index == flags.length) {
        int room = (int) Math.min(size, 2L * index);
        flags = Arrays.copyOf(flags, room);
        lengths = Arrays.copyOf(lengths, room * LENGTHS);
      }
      int head = in.read();
      if (head < 0 || (head & ~(KIND_MASK | COMPLETE | HAS_IDENTITY)) != 0) {
        throw new CoderException(String.format("Cannot decode changes: bad head %#x", head));
      }
      flags[index] = (byte) head;
      int at = index * LENGTHS;
      boolean identity = (head & HAS_IDENTITY) != 0;
      lengths[at] = length(in);
      lengths[at + 1] = identity ? length(in) : -1;
      lengths[at + 2] = length(in);
      lengths[at + 3] = length(in);
      return (long) lengths[at] + Math.max(0, lengths[at + 1]) + lengths[at + 2] + lengths[at + 3];
    }

    private static int length(InputStream in) throws IOException {
      int length = VarInt.decodeInt(in);
      if (length < 0) {
        throw new CoderException("Cannot decode changes: bad length " + length);
      }
      return length;
    }

    KeyedChanges changes(byte[] data) throws CoderException {
      KeyedChanges.Builder changes = KeyedChanges.over(data);
      for (int i = 0; i < size; i++) {
        int at = i * LENGTHS;
        ChangeKind kind = ChangeKind.ofCode(flags[i] & KIND_MASK);
        if (kind == null) {
          throw new CoderException("Cannot decode changes: bad kind");
        }
        changes.addNext(
            kind,
            (flags[i] & COMPLETE) != 0,
            lengths[at],
            lengths[at + 1],
            lengths[at + 2],
            lengths[at + 3]);
      }
      return changes.build();
    }
  }

  /** Changes have no equality of their own; their encoded forms are compared. */
  @Override
  public boolean consistentWithEquals() {
    return false;
  }
}
