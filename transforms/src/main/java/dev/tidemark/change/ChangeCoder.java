package dev.tidemark.change;

import com.google.common.collect.ImmutableSortedSet;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.BitSet;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.CustomCoder;
import org.apache.beam.sdk.coders.RowCoder;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.util.VarInt;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Encodes {@link Change}s of one schema.
 *
 * <p>Version 1: version byte, header byte (kind in bits 0-1, bit 2: has a position, bit 3: has
 * unknown columns), position (LSN as 8 bytes big-endian, step as a byte, order as a varint),
 * unknown columns (length as a varint, bits little-endian), row as {@link RowCoder} writes it.
 * Deterministic if the schema's types are.
 */
public final class ChangeCoder extends CustomCoder<Change> {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;
  private static final int KIND_MASK = 0x03;
  private static final int HAS_POSITION = 0x04;
  private static final int HAS_UNKNOWN = 0x08;

  private final Schema schema;
  private final RowCoder rowCoder;

  private ChangeCoder(Schema schema) {
    this.schema = schema;
    this.rowCoder = RowCoder.of(schema);
  }

  /** The coder of changes whose rows have this schema. */
  public static ChangeCoder of(Schema schema) {
    return new ChangeCoder(schema);
  }

  /** The schema of the rows. */
  public Schema schema() {
    return schema;
  }

  @Override
  public void encode(Change change, OutputStream out) throws IOException {
    LogPosition position = change.position();
    int header = change.kind().code();
    header |= position == null ? 0 : HAS_POSITION;
    header |= change.imageComplete() ? 0 : HAS_UNKNOWN;
    out.write(VERSION);
    out.write(header);
    if (position != null) {
      new DataOutputStream(out).writeLong(position.lsn());
      out.write(position.step().number());
      VarInt.encode(position.order(), out);
    }
    if (!change.imageComplete()) {
      BitSet fields = new BitSet(schema.getFieldCount());
      change.unknownFields().forEach(fields::set);
      byte[] bits = fields.toByteArray();
      VarInt.encode(bits.length, out);
      out.write(bits);
    }
    rowCoder.encode(change.row(), out);
  }

  @Override
  public Change decode(InputStream in) throws IOException {
    DataInputStream data = new DataInputStream(in);
    int version = data.readUnsignedByte();
    if (version != VERSION) {
      throw new CoderException(
          String.format(
              "Cannot decode change: version %d is not known (must be %d). Run the release that wrote it, or a newer one",
              version, VERSION));
    }
    int header = data.readUnsignedByte();
    ChangeKind kind = ChangeKind.ofCode(header & KIND_MASK);
    if (kind == null || (header & ~(KIND_MASK | HAS_POSITION | HAS_UNKNOWN)) != 0) {
      throw new CoderException(String.format("Cannot decode change: bad header %#x", header));
    }
    LogPosition position = (header & HAS_POSITION) == 0 ? null : decodePosition(data);
    ImmutableSortedSet<Integer> unknown =
        (header & HAS_UNKNOWN) == 0 ? ImmutableSortedSet.of() : decodeUnknown(data);
    return Change.of(kind, rowCoder.decode(in)).withPosition(position).withUnknownFields(unknown);
  }

  private static LogPosition decodePosition(DataInputStream data) throws IOException {
    long lsn = data.readLong();
    LogPosition.Step step = LogPosition.stepOf(data.readUnsignedByte());
    long order = VarInt.decodeLong(data);
    if (step == null || order < 0) {
      throw new CoderException("Cannot decode change: bad log position");
    }
    return LogPosition.of(lsn, step, order);
  }

  private ImmutableSortedSet<Integer> decodeUnknown(DataInputStream data) throws IOException {
    int length = VarInt.decodeInt(data);
    if (length < 1 || length > (schema.getFieldCount() + 7) / 8) {
      throw new CoderException("Cannot decode change: unknown columns do not fit the schema");
    }
    byte[] bits = new byte[length];
    data.readFully(bits);
    BitSet fields = BitSet.valueOf(bits);
    if (fields.isEmpty() || fields.length() > schema.getFieldCount()) {
      throw new CoderException("Cannot decode change: unknown columns do not fit the schema");
    }
    return fields.stream()
        .boxed()
        .collect(ImmutableSortedSet.toImmutableSortedSet(Integer::compare));
  }

  @Override
  public void verifyDeterministic() throws NonDeterministicException {
    rowCoder.verifyDeterministic();
  }

  @Override
  public boolean consistentWithEquals() {
    return rowCoder.consistentWithEquals();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ChangeCoder that && schema.equals(that.schema);
  }

  @Override
  public int hashCode() {
    return schema.hashCode();
  }

  @Override
  public String toString() {
    return "ChangeCoder(" + schema.getFieldNames() + ")";
  }
}
