package dev.tidemark.doris;

import com.google.auto.value.AutoValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.VarLongCoder;

/** Where the labels of a shard are: its epoch, and the sequence that comes next. */
@AutoValue
abstract class ShardPlace {
  abstract long epoch();

  abstract long next();

  static ShardPlace of(long epoch, long next) {
    return new AutoValue_ShardPlace(epoch, next);
  }

  /** Version byte 1, epoch, next. */
  static final class ShardPlaceCoder extends AtomicCoder<ShardPlace> {
    private static final long serialVersionUID = 1L;
    private static final int VERSION = 1;
    private static final VarLongCoder NUMBER = VarLongCoder.of();

    @Override
    public void encode(ShardPlace place, OutputStream out) throws IOException {
      out.write(VERSION);
      NUMBER.encode(place.epoch(), out);
      NUMBER.encode(place.next(), out);
    }

    @Override
    public ShardPlace decode(InputStream in) throws IOException {
      int version = in.read();
      if (version != VERSION) {
        throw new CoderException(
            "Cannot decode the place of a shard: unknown version " + version + " (must be 1)");
      }
      return of(NUMBER.decode(in), NUMBER.decode(in));
    }
  }
}
