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

/**
 * A table and one of its shards: what is loaded in order. The salt puts the key into the group that
 * {@link Shards} chose for it; all keys of a shard have the same.
 */
@AutoValue
abstract class ShardKey {
  abstract DorisTable table();

  abstract int shard();

  abstract int salt();

  static ShardKey of(DorisTable table, int shard) {
    return of(table, shard, 0);
  }

  static ShardKey of(DorisTable table, int shard, int salt) {
    return new AutoValue_ShardKey(table, shard, salt);
  }

  @Override
  public final String toString() {
    return table() + " (shard " + shard() + ")";
  }

  /** Version byte 1, database, table, key columns, shard, salt. */
  static final class ShardKeyCoder extends AtomicCoder<ShardKey> {
    private static final long serialVersionUID = 1L;
    private static final int VERSION = 1;
    private static final VarIntCoder NUMBER = VarIntCoder.of();
    private static final StringUtf8Coder TEXT = StringUtf8Coder.of();
    private static final Coder<List<String>> TEXTS = ListCoder.of(TEXT);

    @Override
    public void encode(ShardKey key, OutputStream out) throws IOException {
      out.write(VERSION);
      TEXT.encode(key.table().database(), out);
      TEXT.encode(key.table().table(), out);
      TEXTS.encode(key.table().key(), out);
      NUMBER.encode(key.shard(), out);
      NUMBER.encode(key.salt(), out);
    }

    @Override
    public ShardKey decode(InputStream in) throws IOException {
      int version = in.read();
      if (version != VERSION) {
        throw new CoderException(
            "Cannot decode a shard: unknown version " + version + " (must be 1)");
      }
      DorisTable table = DorisTable.of(TEXT.decode(in), TEXT.decode(in));
      return of(
          table.withKey(ImmutableList.copyOf(TEXTS.decode(in))),
          NUMBER.decode(in),
          NUMBER.decode(in));
    }

    @Override
    public boolean consistentWithEquals() {
      return true;
    }

    @Override
    public void verifyDeterministic() {}
  }
}
