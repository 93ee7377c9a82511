package dev.tidemark.once;

import com.google.auto.value.AutoValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.VarLongCoder;

/** The numbers of one key: the sequence that comes next, and the oldest one still held. */
@AutoValue
abstract class Numbering {
  static final Numbering START = of(1, 1);

  abstract long next();

  /** Equals {@link #next()} if none is held. */
  abstract long oldest();

  static Numbering of(long next, long oldest) {
    return new AutoValue_Numbering(next, oldest);
  }

  /** Version byte 1, next, oldest. */
  static final class NumberingCoder extends AtomicCoder<Numbering> {
    private static final long serialVersionUID = 1L;
    private static final int VERSION = 1;
    private static final VarLongCoder VAR = VarLongCoder.of();

    @Override
    public void encode(Numbering value, OutputStream out) throws IOException {
      out.write(VERSION);
      VAR.encode(value.next(), out);
      VAR.encode(value.oldest(), out);
    }

    @Override
    public Numbering decode(InputStream in) throws IOException {
      int version = in.read();
      if (version != VERSION) {
        throw new CoderException(
            "Cannot decode numbering: unknown version " + version + " (must be " + VERSION + ")");
      }
      return of(VAR.decode(in), VAR.decode(in));
    }
  }
}
