package dev.tidemark.doris;

import com.google.common.collect.ImmutableList;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.ListCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.util.VarInt;

/**
 * Version byte 1, epoch (varint), columns (list of strings), rows, deletes, number of streams, each
 * stream with its length before it (varints).
 */
final class LoadBodyCoder extends AtomicCoder<LoadBody> {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;
  private static final Coder<List<String>> COLUMNS = ListCoder.of(StringUtf8Coder.of());

  @Override
  public void encode(LoadBody body, OutputStream out) throws IOException {
    out.write(VERSION);
    VarInt.encode(body.epoch(), out);
    COLUMNS.encode(body.columns(), out);
    VarInt.encode(body.rows(), out);
    VarInt.encode(body.deletes(), out);
    VarInt.encode(body.streams().size(), out);
    for (byte[] stream : body.streams()) {
      VarInt.encode(stream.length, out);
      out.write(stream);
    }
  }

  @Override
  public LoadBody decode(InputStream in) throws IOException {
    DataInputStream data = new DataInputStream(in);
    int version = data.readUnsignedByte();
    if (version != VERSION) {
      throw new CoderException("Cannot decode a load: unknown version " + version + " (must be 1)");
    }
    long epoch = VarInt.decodeLong(in);
    ImmutableList<String> columns = ImmutableList.copyOf(COLUMNS.decode(in));
    int rows = VarInt.decodeInt(in);
    int deletes = VarInt.decodeInt(in);
    int count = VarInt.decodeInt(in);
    if (rows < 1 || deletes < 0 || deletes > rows || count < 1 || count > rows) {
      throw new CoderException("Cannot decode a load: its counts do not fit");
    }
    List<byte[]> streams = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      streams.add(CodedBytes.read(in, VarInt.decodeInt(in), "a load"));
    }
    return new LoadBody(epoch, columns, rows, deletes, streams);
  }
}
