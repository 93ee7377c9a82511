package dev.tidemark.arrow;

import dev.tidemark.change.ChangeKind;
import dev.tidemark.change.LogPosition;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.util.VarInt;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Encodes {@link ChangeBatch}es.
 *
 * <p>Version 1: version byte, header byte (bit 0: has timestamps, bit 1: has positions, bit 2: has
 * unknown columns), number of rows as a varint, the kind of each row as a byte, timestamps (8 bytes
 * each, big-endian milliseconds), positions (a byte each: 0 for none, else the step plus 1,
 * followed by the LSN as 8 bytes and the order as a varint), unknown columns (bytes of a row as a
 * varint, then so many bytes for each row, a bit for each column, low ones first), length of the
 * stream as a varint, the stream. Deterministic.
 */
public final class ChangeBatchCoder extends AtomicCoder<ChangeBatch> {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;
  private static final int HAS_TIMESTAMPS = 0x01;
  private static final int HAS_POSITIONS = 0x02;
  private static final int HAS_UNKNOWN = 0x04;
  private static final int MAX_HEADER = HAS_TIMESTAMPS | HAS_POSITIONS | HAS_UNKNOWN;
  private static final ChangeBatchCoder INSTANCE = new ChangeBatchCoder();

  private ChangeBatchCoder() {}

  /** The coder. */
  public static ChangeBatchCoder of() {
    return INSTANCE;
  }

  @Override
  public void encode(ChangeBatch batch, OutputStream out) throws IOException {
    ChangeDetails details = batch.details();
    long[] timestamps = details.timestamps;
    @Nullable LogPosition[] positions = details.positions;
    byte[] unknown = details.unknown;
    DataOutputStream data = new DataOutputStream(out);
    data.write(VERSION);
    data.write(
        (timestamps == null ? 0 : HAS_TIMESTAMPS)
            | (positions == null ? 0 : HAS_POSITIONS)
            | (unknown == null ? 0 : HAS_UNKNOWN));
    VarInt.encode(batch.rows(), data);
    data.write(batch.kinds());
    if (timestamps != null) {
      for (long timestamp : timestamps) {
        data.writeLong(timestamp);
      }
    }
    if (positions != null) {
      for (LogPosition position : positions) {
        encode(position, data);
      }
    }
    if (unknown != null) {
      VarInt.encode(details.unknownStride, data);
      data.write(unknown);
    }
    VarInt.encode(batch.ipc().length, data);
    data.write(batch.ipc());
    data.flush();
  }

  private static void encode(@Nullable LogPosition position, DataOutputStream data)
      throws IOException {
    if (position == null) {
      data.write(0);
      return;
    }
    data.write(position.step().number() + 1);
    data.writeLong(position.lsn());
    VarInt.encode(position.order(), data);
  }

  @Override
  public ChangeBatch decode(InputStream in) throws IOException {
    DataInputStream data = new DataInputStream(in);
    int version = data.readUnsignedByte();
    if (version != VERSION) {
      throw new CoderException(
          String.format(
              "Cannot decode change batch: version %d is not known (must be %d). Run the release that wrote it, or a newer one",
              version, VERSION));
    }
    int header = data.readUnsignedByte();
    if (header > MAX_HEADER) {
      throw new CoderException(String.format("Cannot decode change batch: bad header %#x", header));
    }
    byte[] kinds = bytes(VarInt.decodeInt(data), data);
    for (byte kind : kinds) {
      if (ChangeKind.ofCode(kind) == null) {
        throw new CoderException("Cannot decode change batch: bad kind " + kind);
      }
    }
    long[] timestamps = (header & HAS_TIMESTAMPS) == 0 ? null : timestamps(kinds.length, data);
    @Nullable LogPosition[] positions =
        (header & HAS_POSITIONS) == 0 ? null : positions(kinds.length, data);
    byte[] unknown = null;
    int stride = 0;
    if ((header & HAS_UNKNOWN) != 0) {
      stride = VarInt.decodeInt(data);
      long length = (long) stride * kinds.length;
      unknown = bytes(length == (int) length ? (int) length : -1, data);
    }
    byte[] ipc = bytes(VarInt.decodeInt(data), data);
    return new ChangeBatch(
        kinds, ipc, new ChangeDetails(timestamps, positions, unknown, stride), null);
  }

  private static long[] timestamps(int rows, DataInputStream data) throws IOException {
    long[] timestamps = new long[rows];
    for (int i = 0; i < rows; i++) {
      timestamps[i] = data.readLong();
    }
    return timestamps;
  }

  private static @Nullable LogPosition[] positions(int rows, DataInputStream data)
      throws IOException {
    @Nullable LogPosition[] positions = new LogPosition[rows];
    for (int i = 0; i < rows; i++) {
      int number = data.readUnsignedByte();
      if (number == 0) {
        continue;
      }
      LogPosition.Step step = LogPosition.stepOf(number - 1);
      long lsn = data.readLong();
      long order = VarInt.decodeLong(data);
      if (step == null || order < 0) {
        throw new CoderException("Cannot decode change batch: bad log position");
      }
      positions[i] = LogPosition.of(lsn, step, order);
    }
    return positions;
  }

  private static byte[] bytes(int length, InputStream in) throws IOException {
    if (length < 0) {
      throw new CoderException("Cannot decode change batch: bad length " + length);
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new CoderException(
          String.format(
              "Cannot decode change batch: it ends after %d of %d bytes", bytes.length, length));
    }
    return bytes;
  }

  /** Batches are equal if their encoded forms are. */
  @Override
  public boolean consistentWithEquals() {
    return true;
  }
}
