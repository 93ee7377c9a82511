package dev.tidemark.doris;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.ListCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarIntCoder;

/** A table and one of its shards: what is loaded in order. */
@AutoValue
abstract class ShardKey {
  abstract DorisTable table();

  abstract int shard();

  static ShardKey of(DorisTable table, int shard) {
    return new AutoValue_ShardKey(table, shard);
  }

  @Override
  public final String toString() {
    return table() + " (shard " + shard() + ")";
  }

  /** Version byte 1, database, table, key columns, shard. */
  static final class ShardKeyCoder extends AtomicCoder<ShardKey> {
    private static final int VERSION = 1;
    private static final StringUtf8Coder TEXT = StringUtf8Coder.of();
    private static final Coder<List<String>> TEXTS = ListCoder.of(TEXT);

    @Override
    public void encode(ShardKey key, OutputStream out) throws IOException {
      out.write(VERSION);
      TEXT.encode(key.table().database(), out);
      TEXT.encode(key.table().table(), out);
      TEXTS.encode(key.table().key(), out);
      VarIntCoder.of().encode(key.shard(), out);
    }

    @Override
    public ShardKey decode(InputStream in) throws IOException {
      int version = in.read();
      if (version != VERSION) {
        throw new CoderException(
            "Cannot decode a shard: unknown version " + version + " (must be 1)");
      }
      DorisTable table = DorisTable.of(TEXT.decode(in), TEXT.decode(in));
      return of(table.withKey(ImmutableList.copyOf(TEXTS.decode(in))), VarIntCoder.of().decode(in));
    }

    @Override
    public boolean consistentWithEquals() {
      return true;
    }

    @Override
    public void verifyDeterministic() {}
  }
}
