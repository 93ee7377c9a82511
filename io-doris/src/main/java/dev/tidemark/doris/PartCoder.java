package dev.tidemark.doris;

import com.google.common.collect.ImmutableList;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.ListCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.util.VarInt;

/**
 * Version byte 1, columns (list of strings), rows, deletes, number of hashes (varints), hashes (8
 * bytes each, big-endian), length of the stream (varint), stream.
 */
final class PartCoder extends AtomicCoder<Part> {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;
  private static final String WHAT = "a part of a load";
  private static final Coder<List<String>> COLUMNS = ListCoder.of(StringUtf8Coder.of());

  @Override
  public void encode(Part part, OutputStream out) throws IOException {
    out.write(VERSION);
    COLUMNS.encode(part.columns(), out);
    VarInt.encode(part.rows(), out);
    VarInt.encode(part.deletes(), out);
    VarInt.encode(part.hashes().length, out);
    ByteBuffer hashes = ByteBuffer.allocate(part.hashes().length * Long.BYTES);
    hashes.asLongBuffer().put(part.hashes());
    out.write(hashes.array());
    VarInt.encode(part.stream().length, out);
    out.write(part.stream());
  }

  @Override
  public Part decode(InputStream in) throws IOException {
    DataInputStream data = new DataInputStream(in);
    int version = data.readUnsignedByte();
    if (version != VERSION) {
      throw new CoderException(
          "Cannot decode a part of a load: unknown version " + version + " (must be 1)");
    }
    ImmutableList<String> columns = ImmutableList.copyOf(COLUMNS.decode(in));
    int rows = VarInt.decodeInt(in);
    int deletes = VarInt.decodeInt(in);
    int hashCount = VarInt.decodeInt(in);
    if (rows < 1 || deletes < 0 || deletes > rows || (hashCount != 0 && hashCount != rows)) {
      throw new CoderException("Cannot decode a part of a load: its counts do not fit");
    }
    long[] hashes = new long[hashCount];
    ByteBuffer.wrap(CodedBytes.read(in, hashCount * Long.BYTES, WHAT)).asLongBuffer().get(hashes);
    return new Part(
        columns, rows, deletes, hashes, CodedBytes.read(in, VarInt.decodeInt(in), WHAT));
  }
}
