package dev.tidemark.merge;

import dev.tidemark.change.ChangeKind;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.avro.IcebergDecoder;
import org.apache.iceberg.data.avro.IcebergEncoder;

/**
 * Changes as bytes, for local parts and for shuffles within one run; never kept. Kind (its code, or
 * -1), file, position, the row in Iceberg's Avro form. Not thread-safe.
 */
final class VersionCodec {
  private static final int TRUNCATE = -1;

  private final IcebergEncoder<Record> encoder;
  private final IcebergDecoder<Record> decoder;

  VersionCodec(Schema schema) {
    this.encoder = new IcebergEncoder<>(schema, false);
    this.decoder = new IcebergDecoder<>(schema);
  }

  void write(Version version, DataOutputStream out) throws IOException {
    ChangeKind kind = version.kind();
    out.writeByte(kind == null ? TRUNCATE : kind.code());
    out.writeInt(version.file());
    out.writeLong(version.position());
    ByteBuffer row = encoder.encode(version.row());
    out.write(row.array(), row.arrayOffset() + row.position(), row.remaining());
  }

  Version read(DataInputStream in) throws IOException {
    byte code = in.readByte();
    int file = in.readInt();
    long position = in.readLong();
    ChangeKind kind = code == TRUNCATE ? null : ChangeKind.ofCode(code);
    return new Version(decoder.decode(in, null), kind, file, position);
  }
}
