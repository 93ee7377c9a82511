package dev.tidemark.upsert;

import dev.tidemark.candidates.KeyedChanges;
import dev.tidemark.change.ChangeKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.util.VarInt;

/**
 * Encodes {@link KeyedChanges}.
 *
 * <p>Version 1: version byte, number of changes as a varint, length of all heads as a varint, a
 * head for each change, then the bytes of all changes. A head is a byte (kind in bits 0-1, bit 2:
 * the payload is the whole row, bit 3: has an identity of its own) and the lengths of key, identity
 * (only if it has one), payload and context as varints. The bytes of a change are key, identity,
 * payload and context. Deterministic.
 */
public final class KeyedChangesCoder extends AtomicCoder<KeyedChanges> {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;
  private static final int KIND_MASK = 0x03;
  private static final int COMPLETE = 0x04;
  private static final int HAS_IDENTITY = 0x08;

  /** The least that a head takes: a byte, and a byte for each of three lengths. */
  private static final int LEAST_HEAD = 4;

  private static final int USUAL_HEAD = 6;

  /** Room for more is not made before the bytes are there, whatever their length claims. */
  private static final int MOST_AT_ONCE = 1 << 20;

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
    EncodingBuffer heads = new EncodingBuffer(USUAL_HEAD * size);
    for (int i = 0; i < size; i++) {
      boolean identity = changes.hasIdentity(i);
      heads.putByte(
          changes.kind(i).code()
              | (changes.complete(i) ? COMPLETE : 0)
              | (identity ? HAS_IDENTITY : 0));
      heads.putVarint(changes.keyLength(i));
      if (identity) {
        heads.putVarint(changes.identityLength(i));
      }
      heads.putVarint(changes.payloadLength(i));
      heads.putVarint(changes.contextLength(i));
    }
    VarInt.encode(heads.end(), out);
    out.write(heads.array(), 0, heads.end());
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
    int headBytes = VarInt.decodeInt(in);
    if (size < 0 || headBytes < 0 || size > headBytes / LEAST_HEAD) {
      throw new CoderException(
          String.format("Cannot decode changes: %d of them in %d bytes", size, headBytes));
    }
    byte[] heads = read(in, headBytes);
    byte[] data = read(in, new Heads(heads).checkedBytes(size));
    KeyedChanges.Builder changes = KeyedChanges.over(data, size);
    Heads head = new Heads(heads);
    for (int i = 0; i < size; i++) {
      head.next();
      changes.addNext(
          head.kind, head.complete, head.key, head.identity, head.payload, head.context);
    }
    return changes.build();
  }

  private static byte[] read(InputStream in, int length) throws IOException {
    byte[] bytes;
    int there;
    if (length <= MOST_AT_ONCE) {
      bytes = new byte[length];
      there = in.readNBytes(bytes, 0, length);
    } else {
      bytes = in.readNBytes(length);
      there = bytes.length;
    }
    if (there < length) {
      throw new CoderException(
          String.format("Cannot decode changes: they end after %d of %d bytes", there, length));
    }
    return bytes;
  }

  /** Goes through the heads of a batch. */
  private static final class Heads {
    private final byte[] bytes;
    private int position;
    private ChangeKind kind;
    private boolean complete;
    private int key;
    private int identity;
    private int payload;
    private int context;

    Heads(byte[] bytes) {
      this.bytes = bytes;
    }

    /** How many bytes the changes take, if so many heads are there and nothing else. */
    int checkedBytes(int size) throws CoderException {
      long total = 0;
      for (int i = 0; i < size; i++) {
        next();
        total += (long) key + Math.max(0, identity) + payload + context;
        if (total > Integer.MAX_VALUE - Long.BYTES) {
          throw new CoderException("Cannot decode changes: they are longer than 2 GiB");
        }
      }
      if (position != bytes.length) {
        throw new CoderException(
            String.format(
                "Cannot decode changes: %d bytes too many of heads", bytes.length - position));
      }
      return (int) total;
    }

    void next() throws CoderException {
      int head = read();
      kind = ChangeKind.ofCode(head & KIND_MASK);
      if (kind == null || (head & ~(KIND_MASK | COMPLETE | HAS_IDENTITY)) != 0) {
        throw new CoderException(String.format("Cannot decode changes: bad head %#x", head));
      }
      complete = (head & COMPLETE) != 0;
      key = length();
      identity = (head & HAS_IDENTITY) != 0 ? length() : -1;
      payload = length();
      context = length();
    }

    private int length() throws CoderException {
      int length = 0;
      for (int shift = 0; shift < Integer.SIZE; shift += 7) {
        int next = read();
        length |= (next & 0x7f) << shift;
        if (next < 0x80) {
          if (length < 0) {
            throw new CoderException("Cannot decode changes: bad length " + length);
          }
          return length;
        }
      }
      throw new CoderException("Cannot decode changes: a length has too many bytes");
    }

    private int read() throws CoderException {
      if (position == bytes.length) {
        throw new CoderException("Cannot decode changes: heads are missing");
      }
      return bytes[position++] & 0xff;
    }
  }

  /** Changes have no equality of their own; their encoded forms are compared. */
  @Override
  public boolean consistentWithEquals() {
    return false;
  }
}
