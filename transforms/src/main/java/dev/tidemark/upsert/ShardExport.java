package dev.tidemark.upsert;

import com.google.auto.value.AutoValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.coders.VarLongCoder;

/** An image of a shard that is whole. */
@AutoValue
abstract class ShardExport implements Serializable {
  static final Coder<ShardExport> CODER = new ShardExportCoder();

  ShardExport() {}

  abstract int shard();

  /** The name of the file in the directory of the export. No two images ever have the same. */
  abstract String file();

  abstract long records();

  static ShardExport of(int shard, String file, long records) {
    return new AutoValue_ShardExport(shard, file, records);
  }

  /** Version byte 1, shard and records as varints, the name between them. */
  private static final class ShardExportCoder extends AtomicCoder<ShardExport> {
    private static final long serialVersionUID = 1L;
    private static final int VERSION = 1;

    @Override
    public void encode(ShardExport export, OutputStream out) throws IOException {
      out.write(VERSION);
      VarIntCoder.of().encode(export.shard(), out);
      StringUtf8Coder.of().encode(export.file(), out);
      VarLongCoder.of().encode(export.records(), out);
    }

    @Override
    public ShardExport decode(InputStream in) throws IOException {
      int version = in.read();
      if (version != VERSION) {
        throw new CoderException(
            String.format(
                "Cannot decode export of a shard: version %d is not known (must be %d). Run the release that wrote it, or a newer one",
                version, VERSION));
      }
      return of(
          VarIntCoder.of().decode(in),
          StringUtf8Coder.of().decode(in),
          VarLongCoder.of().decode(in));
    }
  }
}
